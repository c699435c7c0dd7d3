import { createServer } from 'node:http'

/*
 * An API in its own process: `GET /items?page=N` gives fifty rows of a kilobyte, for every N.
 */
const ROWS = 50
const WORDS = 'a row of about a kilobyte, as lists of issues, orders and messages have them; '

const page = (number: number) =>
  JSON.stringify({
    items: Array.from({ length: ROWS }, (_, row) => ({
      id: `i${number}-${row}`,
      title: `Item ${row} of page ${number}`,
      state: row % 3 === 0 ? 'open' : 'closed',
      amount: row * 100 + number,
      created_at: '2026-01-02T03:04:05Z',
      author: 'alice',
      body: WORDS.repeat(10),
    })),
  })

const bodies = new Map<number, string>()
const server = createServer((request, response) => {
  const number = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'))
  const body = bodies.get(number) ?? page(number)
  bodies.set(number, body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit(0))
