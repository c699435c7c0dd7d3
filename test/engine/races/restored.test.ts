import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { codesOf, onStoresThatLast, taught } from './stage.ts'

/* Stores that went back in time: a backup that was put back, a server that came back from an older dump. */

const DELETE = 'e1("c1").delete()'
const OLD = ['e1=Book']

onStoresThatLast((stage) => {
  test('an extension that the store forgot: its symbols are unknown, and never others', async () => {
    const { node, backUp, restore } = await stage()
    const before = await node()
    await before.context(['library:Book'])
    await backUp()
    expect(taught(await before.context(['library:Copy']))).toEqual(['e2=Copy'])
    await restore()
    const one = await node()
    // Who reads on with what he was told is refused, before and after others go on.
    expect(codesOf(await one.run('e2'))).toEqual(['unknown_symbol'])
    expect(taught(await one.context(['library:Order'], { have: 'e1' }))).toEqual(['e1002=Order'])
    expect(codesOf(await one.run('e2'))).toEqual(['unknown_symbol'])
    // And who says what he holds is told that it is void.
    const told = await one.context(['library:Copy'], { have: 'e2' })
    expect(told.text).toContain('**Prior Plasm symbol table is void.**')
    expect(taught(told)).toEqual([...OLD, 'e1002=Order', 'e1003=Copy'])
    // So is each of the others, once: after that it holds the new table.
    expect((await one.context([], { seeds: undefined, have: 'e2' })).text).toContain(
      '**Prior Plasm symbol table is void.**',
    )
    expect((await one.context([], { seeds: undefined, have: 'e1003' })).text).toMatch(/_Session unchanged/)
  })

  test('a loss that one reader proved: every other reader gets the notice, once', async () => {
    const { node, backUp, restore } = await stage()
    const before = await node()
    await before.context(['library:Book'])
    await backUp()
    await before.context(['library:Copy'])
    await restore()
    const one = await node()
    const notice = '**Prior Plasm symbol table is void.**'
    const held = { seeds: undefined, have: 'e2' }
    // The second reader holds the same lost symbol.
    expect((await one.context([], held)).text).toContain(notice)
    expect((await one.context([], held)).text).toContain(notice)
    const symbols = taught(await one.context(['library:Copy'], { have: 'e2' }))
    expect(symbols).toEqual([...OLD, 'e1002=Copy'])
    expect((await one.context([], { seeds: undefined, have: 'e1002' })).text).not.toContain(notice)
  })

  test('a session that the store forgot: its ref is unknown, and never another', async () => {
    const { node, backUp, restore } = await stage()
    const before = await node()
    await before.context(['library:Book'])
    await backUp()
    await before.context(['library:Copy'], { intent: 'forgotten' })
    await restore()
    const one = await node()
    expect((await one.context(['library:Order'], { intent: 'another' })).text).toMatch(/^`s1001`\n/)
    expect(codesOf(await one.run('e1', { logical_session_ref: 's1' }))).toEqual(['unknown_session'])
  })

  test('a fork of a session that the store may have forgotten parts of: numbers are left out in the child', async () => {
    const { node, backUp, restore } = await stage()
    const before = await node()
    await before.context(['library:Book'])
    await backUp()
    await before.context(['library:Copy'])
    await restore()
    const one = await node()
    const fork = await one.context(['library:Order'], { intent: 'part', fork_of: 's0' })
    expect(taught(fork)).toEqual([...OLD, 'e1002=Order'])
    // Without picks of its own it leaves them out as well, for whatever comes later.
    const bare = { intent: 'bare', fork_of: 's0', seeds: undefined }
    expect(taught(await one.context([], bare))).toEqual(OLD)
    expect(taught(await one.context(['library:Order'], { intent: 'bare', have: 'e1' }))).toEqual([
      'e1002=Order',
    ])
    expect((await one.context([], bare)).text).toMatch(/_Session unchanged \(`e1`…`e1002`\)/)
  })

  test('a page that the store forgot: its handle is unknown, and never another', async () => {
    const { node, backUp, restore } = await stage()
    const before = await node()
    await before.context(['shop:Customer'])
    await before.run('e1[id]')
    await backUp()
    expect((await before.run('page(s0_pg1)')).text).toContain('page(s0_pg2)')
    await restore()
    const one = await node()
    expect((await one.run('page(s0_pg2)')).text).toContain('page_unknown: ')
    const again = await one.run('page(s0_pg1)')
    expect(again.text).toContain('c4')
    expect(again.text).toMatch(/page\(s0_pg100\d\)/)
  })

  test('a plan that may have run before the store forgot it: refused, and nothing is sent', async () => {
    const { node, backUp, restore, api } = await stage()
    const before = await node()
    await before.context(['shop:Customer'])
    await before.plan(DELETE)
    await backUp()
    expect((await before.run(DELETE, { plan: 'pc1' })).text).toContain('_Changes: 1 done._')
    await restore()
    const one = await node()
    const sent = api.requests.length
    const refused = await one.run(DELETE, { plan: 'pc1' })
    expect(refused.text).toBe(
      'plan_uncertain at plan: Plan `pc1` may have run: the store was restored and may have lost its outcome. Read the data that it changes, then review the program again with `plasm`.\n',
    )
    expect(codesOf(await one.run(DELETE, { plan: 'pc1' }))).toEqual(['plan_uncertain'])
    expect(api.requests.length).toBe(sent)
    // A plan that only reads runs; the same program reviewed again does.
    const again = await one.plan(DELETE)
    expect(again.ok && again.facts.planRef).toBe('pc1002')
    expect((await one.run(DELETE, { plan: 'pc1002' })).text).toContain('_Changes: 1 done._')
  })

  test('a plan that only reads: it runs, whatever the store forgot', async () => {
    const { node, backUp, restore } = await stage()
    const before = await node()
    await before.context(['shop:Customer'])
    await before.plan('e1[id]')
    await backUp()
    await restore()
    const one = await node()
    expect((await one.run('e1[id]', { plan: 'pc1' })).text).toContain('c1')
  })

  test('a run that the store knew as begun: its change is unknown, with the read that tells', async () => {
    const { node, backUp, restore, api, clock } = await stage()
    const before = await node()
    await before.context(['shop:Customer'])
    await before.plan(DELETE)
    const late = before.stop('claim')
    const running = before.run(DELETE, { plan: 'pc1' })
    await late.reached
    // The plan is claimed, its change not yet in the ledger.
    await backUp()
    late.go()
    expect((await running).text).toContain('_Changes: 1 done._')
    await restore()
    clock.advance(60_000)
    const sent = api.requests.length
    const told = await (await node()).run(DELETE, { plan: 'pc1' })
    expect(told.text).toContain('unknown: The run was interrupted while this change was being sent. Read `e1')
    expect(api.requests.length).toBe(sent)
  })

  test('a note of what was sent: after the store went back it is unknown, not done anew', async () => {
    const { node, backUp, restore, api, clock } = await stage()
    const before = await node()
    await before.context(['shop:Customer'])
    await before.plan(DELETE)
    api.hang = true
    const arrived = api.hanging()
    const running = before.run(DELETE, { plan: 'pc1' })
    await arrived
    await backUp()
    api.release()
    expect((await running).text).toContain('_Changes: 1 done._')
    await restore()
    clock.advance(60_000)
    const sent = api.requests.length
    const told = await (await node()).run(DELETE, { plan: 'pc1' })
    expect(told.text).toContain('Read `e1("c1")` to see whether it was done.')
    expect(api.requests.length).toBe(sent)
  })

  test('a restart that lost nothing: nothing is said of it that matters', async () => {
    const { node, restore, backUp } = await stage()
    const before = await node()
    await before.context(['library:Book'])
    await backUp()
    await restore()
    const one = await node()
    expect((await one.context(['library:Book'], { have: 'e1' })).text).toMatch(
      /_Session unchanged \(`e1`…`e1`\)/,
    )
    const listed = await one.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions).toHaveLength(1)
  })
})
