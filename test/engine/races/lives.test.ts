import { expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import type { SessionRecord } from '../../../src/session/record.ts'
import { codesOf, continuityOf, type Node, onEveryStore, seedsOf, taught } from './stage.ts'

/* Sessions that are forked, closed, reloaded and upgraded while somebody is at work in them. */

const LOCAL = '["local"]'

/** `s0` as the store has it. */
async function recordOf({ store }: Node): Promise<SessionRecord> {
  const { record } = await store.findByRef(LOCAL, { ordinal: 0 })
  if (!record) throw new Error('there is no s0')
  return record
}

/** Has `s0` written as a node of a newer version would write it. */
async function newerLayout(node: Node, changes: object): Promise<object> {
  const record = await recordOf(node)
  const written = { ...record, schema: 2, commit: 'newer', ...changes }
  // Our own stores write no such record: only its text is of the newer layout.
  await node.store.commit(
    LOCAL,
    record,
    Object.assign({ ...record, commit: 'newer' }, { toJSON: () => written }),
  )
  return written
}

onEveryStore((stage) => {
  test('fork beside extend: the child has what the parent had when it was loaded', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = two.stop('commit')
    const fork = two.context(['library:Order'], { intent: 'part', fork_of: 's0' })
    await late.reached
    expect(taught(await one.context(['library:Copy']))).toEqual(['e2=Copy'])
    late.go()
    expect(taught(await fork)).toEqual(['e1=Book', 'e2=Order'])
    const forkedFrom = { kind: 'forked_from', logical_session_ref: 's0', shared: ['library:Book'] }
    expect(await fork).toMatchObject({ meta: { relations: [forkedFrom] } })
  })

  test('a fork that is sent again: the same child, with the rows that nobody read', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    const call = { intent: 'part', fork_of: 's0', seeds: seedsOf(['library:Copy']) }
    const lost = await one.losing().context(LOCAL_USER, call)
    const again = await one.gateway.context(LOCAL_USER, call)
    expect(taught(again)).toEqual(taught(lost))
    const third = await one.gateway.context(LOCAL_USER, call)
    expect(third.text).toMatch(/^`s1`\n\n_Session unchanged \(`e1`…`e2`\)/)
  })

  test('a fork onto an intent that is another session: refused', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    await one.context(['library:Copy'], { intent: 'other' })
    const fork = await one.context(['library:Order'], { intent: 'other', fork_of: 's0' })
    expect(codesOf(fork)).toEqual(['fork_elsewhere'])
  })

  test('fork beside open of one intent: who comes second is refused', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = two.stop('commit')
    const fork = two.context(['library:Order'], { intent: 'part', fork_of: 's0' })
    await late.reached
    expect((await one.context(['library:Copy'], { intent: 'part' })).ok).toBe(true)
    late.go()
    expect(codesOf(await fork)).toEqual(['fork_elsewhere'])
  })

  test('a fork by a reader ahead of its parent is refused', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    const fork = { intent: 'part', fork_of: 's0' }
    expect(codesOf(await one.context(['library:Order'], { ...fork, have: 'e2' }))).toEqual(['have_unknown'])
    expect(taught(await one.context(['library:Order'], { ...fork, have: 'e1' }))).toEqual(['e2=Order'])
  })

  test('close by one who shares beside extend by another: the session goes on', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    const shared = { tenantScope: ['tenant', 'acme'] }
    const [ann, bob] = ['ann', 'bob'].map((name): Caller => ({
      ...LOCAL_USER,
      ...shared,
      principal: ['user', name],
    }))
    if (!ann || !bob) throw new Error('wanted two')
    const call = (...names: readonly string[]) => ({ intent: 'goal', seeds: seedsOf(names) })
    await one.gateway.context(ann, call('library:Book'))
    await two.gateway.context(bob, call('library:Book'))
    const late = two.stop('commit')
    const extended = two.gateway.context(bob, call('library:Copy'))
    await late.reached
    expect(await one.gateway.close(ann, 's0')).toMatchObject({ facts: { closed: true } })
    late.go()
    expect(taught(await extended)).toEqual(['e2=Copy'])
    const missed = await one.gateway.context(ann, { logical_session_ref: 's0', have: 'e1' })
    expect(codesOf(missed)).toEqual(['unknown_session'])
    // Who comes back by the intent is taught the whole of it, under a name of his own.
    const back = await one.gateway.context(ann, call('library:Book'))
    expect([back.text.split('\n')[0], taught(back)]).toEqual(['`s1`', ['e1=Book', 'e2=Copy']])
  })

  test('close beside extend by its ref: the ref means nothing any more', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = two.stop('commit')
    const extended = two.gateway.context(LOCAL_USER, {
      logical_session_ref: 's0',
      seeds: seedsOf(['library:Copy']),
    })
    await late.reached
    await one.gateway.close(LOCAL_USER, 's0')
    late.go()
    expect(codesOf(await extended)).toEqual(['unknown_session'])
    const listed = await one.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions).toEqual([])
  })

  test('close beside extend by its intent: the goal starts afresh', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = two.stop('commit')
    const extended = two.context(['library:Copy'])
    await late.reached
    await one.gateway.close(LOCAL_USER, 's0')
    late.go()
    expect((await extended).text).toMatch(/^`s1`\n\n/)
    expect(taught(await extended)).toEqual(['e1=Copy'])
    expect(continuityOf(await extended)).toMatchObject({ stale_binding_recovered: true })
    expect((await extended).text).toContain('**Prior Plasm symbol table is void.**')
  })

  test('a reload between check and commit: the call has one set of catalogs, the next sees the change', async () => {
    const { node, catalogs } = await stage()
    const one = await node()
    const late = one.stop('commit')
    const opened = one.context(['shop:Customer'])
    await late.reached
    one.swap(catalogs({ shop: { version: 99, description: 'Another shop' } }))
    late.go()
    expect(taught(await opened)).toEqual(['e1=Customer'])
    expect((await opened).text).not.toContain('void')
    const next = await one.context(['shop:Customer'])
    expect(next.text).toContain('Changed: shop.')
    expect(taught(next)).toEqual(['e2=Customer'])
  })

  test('a rolling deploy: the node that is behind follows, also where it loses the race', async () => {
    const { node, catalogs } = await stage()
    const [old, fresh] = [await node(), await node()]
    fresh.swap(catalogs({ shop: { version: 99 } }))
    await old.context(['shop:Customer'])
    const late = old.stop('commit')
    const extended = old.context(['shop:Product'])
    await late.reached
    expect(taught(await fresh.context(['shop:Customer']))).toEqual(['e2=Customer'])
    late.go()
    // Under the later version: the node does not take the session back to the one that it knows.
    expect(taught(await extended)).toEqual(['e2=Customer', 'e3=Product'])
    const repeated = await fresh.context(['shop:Customer', 'shop:Product'])
    expect(repeated.text).toMatch(/_Session unchanged \(`e1`…`e3`\)/)
  })

  test('a rolling upgrade: what an older node does not know of a record, it keeps', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    const record = await recordOf(one)
    const waves = record.waves.map((wave) => ({ ...wave, depth: 3 }))
    const newer = { ...record, waves, commit: 'newer', mood: { colour: 'blue' } }
    await one.store.commit(LOCAL, record, newer)
    expect(taught(await one.context(['library:Copy']))).toEqual(['e2=Copy'])
    expect(await recordOf(one)).toMatchObject({
      revision: 2,
      mood: { colour: 'blue' },
      waves: [{ depth: 3 }, {}],
    })
  })

  test('a rolling upgrade: a record of a newer layout is left alone, and told as passing', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    await one.context(['library:Copy'], { intent: 'other' })
    const newer = await newerLayout(one, { waves: 'as nobody here knows them' })
    const answers = [
      await one.context(['library:Book']),
      await one.context([], { seeds: undefined, have: 'none' }),
      await one.context(['library:Order'], { intent: 'part', fork_of: 's0' }),
      await one.plan('e1'),
      await one.run('e1'),
      await one.gateway.session(LOCAL_USER, 's0'),
      await one.gateway.table(LOCAL_USER, 's0'),
    ]
    expect(answers.map(codesOf)).toEqual(answers.map(() => ['session_newer']))
    expect(await recordOf(one)).toMatchObject(newer)
    // Others go on beside it, and it is listed by what is known of it.
    expect((await one.context(['library:Order'], { intent: 'a third' })).ok).toBe(true)
    const listed = await one.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions.map(({ entities }) => entities.length)).toEqual([1, 1, 0])
    expect((await one.gateway.close(LOCAL_USER, 's0')).ok).toBe(true)
  })

  test('a rolling upgrade: what a newer version teaches, an older node does not take back', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    const { row } = await recordOf(one)
    const key = { ...row.key, plugin_generation_id: 'teaching-9' }
    const newer = await newerLayout(one, { schema: 1, row: { ...row, key } })
    const answers = [await one.context(['library:Book']), await one.plan('e1'), await one.run('e1')]
    expect(answers.map(codesOf)).toEqual(answers.map(() => ['session_newer']))
    expect(await recordOf(one)).toMatchObject(newer)
  })

  test('a newer node beside an older one that extends: the loser leaves its record alone', async () => {
    const { node } = await stage()
    const [older, one] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = older.stop('commit')
    const extended = older.context(['library:Copy'])
    await late.reached
    await newerLayout(one, {})
    late.go()
    expect(codesOf(await extended)).toEqual(['session_newer'])
  })
})
