import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import { LOCAL_USER } from '../../../src/engine/index.ts'
import type { Store } from '../../../src/engine/store.ts'
import { httpApp } from '../../../src/surfaces/http/app.ts'
import { listen } from '../../../src/surfaces/http/listen.ts'
import { testEngine } from '../../engine/engines.ts'

const BODY = JSON.stringify({ intent: 'goal', seeds: [{ api: 'library', entity: 'Book' }] })

test('a connection that breaks before its answer: what it would have taught is taught again', async () => {
  const kept = memoryStore({ clock: { now: () => 1_000_000 } })
  const delivered: number[] = []
  let go = () => {}
  let arrive = () => {}
  const arrived = new Promise<void>((done) => void (arrive = done))
  const gone = new Promise<void>((done) => void (go = done))
  const store: Store = {
    ...kept,
    commit: async (...given) => {
      const committed = await kept.commit(...given)
      arrive()
      await gone
      return committed
    },
    markDelivered: async (principal, address, revision) => {
      delivered.push(revision)
      await kept.markDelivered(principal, address, revision)
    },
  }
  const app = httpApp({
    faulty: async () => [],
    gateway: testEngine({ store }).losing(),
    verifier: { verify: async () => LOCAL_USER },
    hosts: [],
    version: '1',
    mcp: { fetch: async () => new Response() },
    report: () => undefined,
  })
  const answers: ServerResponse[] = []
  const served: Promise<unknown>[] = []
  const fetching = (request: Request, env: { outgoing?: ServerResponse } = {}) => {
    if (env.outgoing) answers.push(env.outgoing)
    const response = Promise.resolve(app.fetch(request, env))
    served.push(response)
    return response
  }
  const server = await listen({ fetch: fetching }, { host: '127.0.0.1', port: 0 })
  const { port } = new URL(server.url)

  // The session is there, and its answer on the way, when the reader goes.
  const client = connect(Number(port), '127.0.0.1')
  client.write(
    `POST /v1/contexts HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  )
  await arrived
  const broken = once(answers[0] ?? client, 'close')
  client.destroy()
  await broken
  go()
  await Promise.allSettled(served)
  expect(delivered).toEqual([])

  const post = async () => {
    const response = await fetch(`${server.url}/v1/contexts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    })
    const { text }: { readonly text: string } = JSON.parse(await response.text())
    return text
  }
  expect(await post()).toContain('e1(isbn=$)\tBook:')
  // Read to its end, it counts as delivered.
  await expect.poll(() => delivered).toEqual([1])
  expect(await post()).toContain('_Session unchanged (`e1`…`e1`)')
  await server.close(100)
})
