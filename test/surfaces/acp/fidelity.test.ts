import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cases, report } from '../../law-cases.ts'
import { AcpBench, type AcpAgent, type Permission, type Update } from './driver.ts'

let bench: AcpBench
let live: AcpAgent
let other: AcpAgent
beforeAll(async () => {
  bench = await AcpBench.open()
  ;[live, other] = await Promise.all([bench.start(), bench.start()])
})
afterEach(() => bench.check())
afterAll(() => bench.close())

/** One step of a conversation. */
type Step =
  | { readonly kind: 'prompt'; readonly blocks: readonly object[]; readonly permission: Permission }
  /** Cancelled at once, or once the agent asks. */
  | { readonly kind: 'cancelled'; readonly text: string }
  | { readonly kind: 'mode'; readonly value: string }

const text = (value: string) => [{ type: 'text', text: value }]
const customer = fc.integer({ min: 1, max: 8 }).map((number) => `"c${number}"`)

const program = fc.oneof(
  customer.map((key) => `e1(${key})[id, name]`),
  customer.map((key) => `e1(${key}).delete()`),
  fc.constant('e1[id]'),
  fc.constant('x = e1[id, name].limit(2)\nx'),
  fc.constant('e1.aggregate(n=count)'),
  fc.constant('e1{nope=1}'),
  fc.constant('e1[id'),
)
const words = fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constant('customers of the gold tier'))
const command = fc.oneof(
  program.map((one) => `/run ${one}`),
  program.map((one) => `/plan ${one}`),
  words.map((one) => `/discover ${one}`),
  fc.constantFrom(
    '/help',
    '/sessions',
    '/context',
    '/context shop:Order',
    '/context shop:Nope',
    '/sleep 0',
    '/nope',
  ),
)
const block = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((value) => ({ type: 'text', text: value })),
  fc.constant({ type: 'resource_link', uri: 'file:///a b', name: 'a', size: 3 }),
  fc
    .string({ maxLength: 40 })
    .map((value) => ({ type: 'resource', resource: { uri: 'file:///r', text: value } })),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('prompt' as const),
      blocks: fc.oneof(
        fc.oneof(program, command, words).map(text),
        fc.array(block, { minLength: 1, maxLength: 3 }),
      ),
      permission: fc.constantFrom<Permission[]>('allow', 'reject', 'cancelled', 'error'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancelled' as const),
      text: fc.oneof(program, fc.constant('/sleep 60')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      value: fc.constantFrom('plan', 'review', 'run'),
    }),
  },
)
const conversation = fc.array(step, { minLength: 1, maxLength: 7 })

const isShown = ({ sessionUpdate }: Update) => sessionUpdate !== 'available_commands_update'

/** Carries out a step; gives what a replay has to show of it, with the ids of user messages left open. */
async function carryOut(id: string, one: Step): Promise<readonly unknown[]> {
  if (one.kind === 'mode') {
    const params = { sessionId: id, configId: 'mode', value: one.value }
    expect((await live.request('session/set_config_option', params)).error).toBeUndefined()
    return []
  }
  const from = live.frames.length
  const blocks = one.kind === 'prompt' ? one.blocks : text(one.text)
  live.permission = one.kind === 'prompt' ? one.permission : 'never'
  const { id: request, answer } = live.send('session/prompt', { sessionId: id, prompt: blocks })
  if (one.kind === 'cancelled') live.notify('session/cancel', { sessionId: id })
  const end = await answer
  expect(end.result?.['stopReason']).toBe(one.kind === 'prompt' ? 'end_turn' : 'cancelled')
  expect(live.frames.at(-1)?.id).toBe(request)
  const heard = blocks.map((content) => ({
    sessionUpdate: 'user_message_chunk',
    messageId: expect.stringMatching(/^m_/),
    content,
  }))
  return [...heard, ...live.updates(id, from).filter(isShown)]
}

/** What `load` sends before its answer, and that it sends nothing after it. */
async function loaded(by: AcpAgent, id: string): Promise<readonly Update[]> {
  const from = by.frames.length
  const answer = await by.request('session/load', { sessionId: id, cwd: bench.cwd, mcpServers: [] })
  expect(answer.error).toBeUndefined()
  const end = by.frames.indexOf(answer)
  expect(by.frames.slice(end + 1).filter(({ params }) => params?.['sessionId'] === id)).toEqual([])
  return by.updates(id, from).filter(isShown)
}

test('what load sends is what was sent live, and resume sends nothing', async () => {
  const runs = cases(500, 3)
  let updates = 0
  await fc.assert(
    fc.asyncProperty(conversation, async (steps) => {
      const id = await live.open(bench.cwd)
      live.permission = 'allow'
      const said: unknown[] = [
        ...(await carryOut(id, {
          kind: 'prompt',
          blocks: text('/context shop:Customer'),
          permission: 'allow',
        })),
      ]
      for (const one of steps) said.push(...(await carryOut(id, one)))
      const replayed = await loaded(other, id)
      expect(replayed).toEqual(said)
      expect(await loaded(other, id)).toEqual(replayed)
      const from = other.frames.length
      const answer = await other.request('session/resume', { sessionId: id, cwd: bench.cwd })
      expect(other.frames.slice(from)).toEqual([answer])
      other.permission = 'allow'
      expect(await other.ask(id, '/plan e1[id]')).toContain('plan ok')
      await other.request('session/close', { sessionId: id })
      await live.request('session/close', { sessionId: id })
      updates += said.length
    }),
    { numRuns: runs, endOnFailure: true },
  )
  report('replay fidelity', `${runs} conversations, ${updates} updates`)
}, 1_800_000)
