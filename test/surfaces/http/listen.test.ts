import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../../../src/surfaces/http/listen.ts'

test('a server that ends answers all who had reached it', async () => {
  const app = { fetch: (asked: Request) => new Response(new URL(asked.url).pathname) }
  const listening = await listen(app, { host: '127.0.0.1', port: 0 })
  const { port } = new URL(listening.url)
  // The operating system takes on all of them in the time in which the server takes on one or two.
  const sockets = Array.from({ length: 32 }, () => connect(Number(port), '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const answers = Promise.allSettled(
    sockets.map(async (socket, number) => {
      const sent = request({ path: `/${number}`, host: '127.0.0.1', createConnection: () => socket }).end()
      const [answer] = await once(sent, 'response')
      return text(answer)
    }),
  )
  await listening.close(10_000)
  expect(await answers).toEqual(sockets.map((_, number) => ({ status: 'fulfilled', value: `/${number}` })))
})
