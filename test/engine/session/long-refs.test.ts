import { expect, test } from 'vitest'
import { callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../../src/access/caller.ts'
import { EVERYTHING } from '../../../src/access/policy.ts'
import { testEngine } from '../engines.ts'

const signal = new AbortController().signal
const seeds = [{ api: 'library', entity: 'Book' }]
const agent = callerOf({ from: 'local' }, { ...DEFAULT_RESOLUTION, refs: 'long' }, () => EVERYTHING)

test('where refs are long, no session is named by a number', async () => {
  const { gateway } = testEngine()
  const opened = await gateway.context(agent, { intent: 'one goal', seeds })
  const ref = opened.ok ? opened.facts.logicalSessionRef : ''
  expect(ref).toMatch(/^l_[\w-]{22}$/)
  expect(opened.text).toMatch(new RegExp(`^\`${ref}\`\\n\\n`))
  const plan = await gateway.plan(agent, { logical_session_ref: ref, program: 'e1("9")' })
  expect(plan).toMatchObject({ ok: true, meta: { logical_session_ref: ref } })
  const fork = await gateway.context(agent, { intent: 'part', fork_of: ref })
  expect(fork.ok && fork.meta['relations']).toMatchObject([{ kind: 'forked_from', logical_session_ref: ref }])
  const listed = await gateway.sessions(agent)
  expect(listed.ok && listed.facts.sessions.map(({ logicalSessionRef }) => logicalSessionRef)).toEqual([
    expect.stringMatching(/^l_/),
    ref,
  ])
})

test('a guessed number is no session', async () => {
  const { gateway } = testEngine()
  await gateway.context(agent, { intent: 'one goal', seeds })
  const call = { logical_session_ref: 's0', program: 'e1' }
  for (const reply of [
    await gateway.context(agent, { logical_session_ref: 's0', have: 'none' }),
    await gateway.context(agent, { intent: 'mine', fork_of: 's0' }),
    await gateway.plan(agent, call),
    await gateway.run(agent, call, { signal }),
    await gateway.session(agent, 's0'),
    await gateway.table(agent, 's0'),
    await gateway.close(agent, 's0'),
    await gateway.page(agent, 's0_pg1', { signal }),
    await gateway.snapshot(agent, 'plasm://session/s0/r/1'),
  ])
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'unknown_session' }] })
  // The sessions are the same: another setting is another name for them.
  expect((await gateway.session(LOCAL_USER, 's0')).ok).toBe(true)
})
