import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveFixture, type Served } from './served.ts'

/* Templates that make a key of the session that a call belongs to. */

let harbor: Served
const keys: (string | undefined)[] = []
beforeAll(async () => {
  harbor = await serveFixture('harbor', (app) => {
    app.post('/ships/:id/signals', (c) => {
      keys.push(c.req.header('idempotency-key'))
      return c.body(null, 204)
    })
  })
})
afterAll(() => harbor.close())
beforeEach(() => void keys.splice(0))

const hail = (more: string, sessionId?: string) =>
  harbor.run(`Ship("S-1").signal(words="ahoy"${more})`, sessionId === undefined ? {} : { sessionId })

test('the same session gives the same key, another another', async () => {
  await hail(', turn=1', 'secret-session-1')
  await hail(', turn=1', 'secret-session-1')
  await hail(', turn=1', 'secret-session-2')
  const [first, again, other] = keys
  expect(first).toMatch(/^[\da-f]{32}:[\da-f]{32}:S-1:1$/)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('an API gets nothing that names the session', async () => {
  await hail(', turn=1', 'secret-session-1')
  expect(keys).toHaveLength(1)
  expect(keys.join()).not.toContain('secret')
  const [prompt, session] = keys.join().split(':')
  expect(prompt).not.toBe(session)
})

test('a key that the caller gives goes before', async () => {
  expect(await hail(', key="mine"', 'secret-session-1')).toMatchObject({ problems: [] })
  expect(keys).toEqual(['mine'])
})

test('what the key is made of is asked for before anything is sent', async () => {
  expect(await hail('', 'secret-session-1')).toEqual({
    rejected: ['`signal` of Ship needs `turn` (int).'],
  })
  expect(keys).toEqual([])
})

test('without a session no key is sent', async () => {
  expect(await hail(', turn=1')).toMatchObject({ problems: [] })
  expect(keys).toEqual([undefined])
})

test('no argument speaks for the session', async () => {
  const ran = await hail(', turn=1, plasm_execute_session_id="theirs"', 'secret-session-1')
  expect(ran.rejected).toEqual([expect.stringContaining('plasm_execute_session_id')])
})
