import { expect, test } from 'vitest'
import { engineProblem } from '../../../src/engine/problems.ts'
import { problemReply } from '../../../src/surfaces/http/problem-reply.ts'
import { statusOf } from '../../../src/surfaces/http/status.ts'
import { allRows } from '../../docs/error-tables.ts'
import { jsonOf, startTestServer, SEEDS } from '../test-server.ts'

/** The adapters whose problems stop a start or refuse a caller: none is that of a call to an API. */
const OF_NO_CALL = ['adapters/auth', 'adapters/embedder', 'adapters/stores']

test('no failure of a call is taken for one of ours', async () => {
  const rows = await allRows()
  const ofCalls = rows.filter(({ module }) => module.startsWith('adapters/') && !OF_NO_CALL.includes(module))
  expect(ofCalls.length).toBeGreaterThan(30)
  expect(ofCalls.map(({ code }) => code).filter((code) => statusOf(code) === 500)).toEqual([])
  expect(statusOf('nothing that is')).toBe(500)
})

test('a refusal of what is full says when to come again', () => {
  const answer = problemReply([engineProblem('runs_full', { most: 4, waiting: 100 })], '')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
  expect(problemReply([engineProblem('session_busy', {})], '').headers.has('retry-after')).toBe(false)
})

test('an API without a server is reported as a problem of the API', async () => {
  const server = await startTestServer({ backends: { shop: 'http://127.0.0.1:9' }, log_level: 'silent' })
  await server.send('POST', '/v1/contexts', { intent: 'away', seeds: SEEDS })
  const answer = await server.send('POST', '/v1/contexts/s0/run', { program: 'e1[id]' })
  expect([answer.status, await jsonOf(answer)]).toMatchObject([502, { code: 'unreachable' }])
  const planned = await server.send('POST', '/v1/contexts/s0/plan', { program: 'e1("c4").delete()' })
  const { plan } = await jsonOf<{ readonly plan: string }>(planned)
  const body = { program: 'e1("c4").delete()', plan }
  for (const turn of ['first', 'again']) {
    const write = await server.send('POST', '/v1/contexts/s0/run', body)
    const told = { code: 'unreachable', effects: [{ api: 'shop', capability: 'customer_delete' }] }
    expect([turn, write.status, await jsonOf(write)]).toMatchObject([turn, 502, told])
  }
  await server.close()
})
