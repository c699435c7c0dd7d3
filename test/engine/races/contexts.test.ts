import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { codesOf, continuityOf, HOUR, onEveryStore, taught } from './stage.ts'

/* Windows, agents and nodes that open, extend and recover one session at the same time. */

const unchanged = (count: number) =>
  `\`s0\`\n\n_Session unchanged (\`e1\`…\`e${count}\`). Use \`plasm\` / \`plasm_run\` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n`
const RECOVERED = {
  stale_binding_recovered: true,
  new_symbol_space: true,
  discard_cached_plasm_symbols: true,
}

onEveryStore((stage) => {
  test('open beside open: both get the full table of one session', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    const late = two.stop('commit')
    const second = two.context(['library:Book'])
    await late.reached
    const first = await one.context(['library:Book'])
    late.go()
    expect((await second).text).toBe(first.text)
    expect(taught(first)).toEqual(['e1=Book'])
    expect(continuityOf(await second)).toEqual(continuityOf(first))
    const listed = await one.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions).toHaveLength(1)
  })

  test('extend beside extend, other picks: the loser gets both waves', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = two.stop('commit')
    const second = two.context(['library:Order'], { have: 'e1' })
    await late.reached
    expect(taught(await one.context(['library:Copy']))).toEqual(['e2=Copy'])
    late.go()
    expect(taught(await second)).toEqual(['e2=Copy', 'e3=Order'])
    expect(continuityOf(await second)).toEqual({ stale_binding_recovered: false, new_symbol_space: false })
    expect((await one.context(['library:Copy', 'library:Order'], { have: 'e3' })).text).toBe(unchanged(3))
  })

  test('extend beside extend, same picks: both get the rows of one wave', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const late = two.stop('commit')
    const second = two.context(['library:Copy'])
    await late.reached
    const first = await one.context(['library:Copy'])
    late.go()
    expect((await second).text).toBe(first.text)
    expect(taught(first)).toEqual(['e2=Copy'])
    expect(first.ok && first.facts.revision).toBe(2)
  })

  test('a commit that was applied but timed out: the same call again gets its rows', async () => {
    const { node } = await stage()
    const one = await node()
    await one.context(['library:Book'])
    one.lose('commit')
    await expect(one.context(['library:Copy'])).rejects.toThrow('no answer in time')
    const again = await one.context(['library:Copy'])
    expect(taught(again)).toEqual(['e2=Copy'])
    expect(again.ok && again.facts.revision).toBe(2)
  })

  test('a commit that arrives twice: it meets itself, and is one wave', async () => {
    const { node } = await stage()
    const one = await node()
    one.twice('commit')
    expect(taught(await one.context(['library:Book']))).toEqual(['e1=Book'])
    const extended = await one.context(['library:Copy'])
    expect(taught(extended)).toEqual(['e2=Copy'])
    expect(extended.ok && extended.facts.revision).toBe(2)
  })

  test('a broken connection after a commit: what nobody read is taught again', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const lost = await one.losing().context(LOCAL_USER, {
      intent: 'goal',
      seeds: [{ api: 'library', entity: 'Copy' }],
    })
    expect(taught(lost)).toEqual(['e2=Copy'])
    expect((await two.context(['library:Copy'])).text).toBe(lost.text)
    expect((await two.context(['library:Copy'])).text).toBe(unchanged(2))
  })

  test('expire beside extend: who loaded the row alive finds it recovered', async () => {
    const { node, clock } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    clock.advance(HOUR - 1)
    const late = two.stop('commit')
    const second = two.context(['library:Order'])
    await late.reached
    clock.advance(1)
    expect(continuityOf(await one.context(['library:Copy']))).toMatchObject(RECOVERED)
    late.go()
    expect(taught(await second)).toEqual(['e1=Book', 'e2=Copy', 'e3=Order'])
    expect(continuityOf(await second)).toMatchObject(RECOVERED)
    expect((await second).text).toContain('**Prior Plasm symbol table is void.**')
  })

  test('recover beside recover: both get the notice and the full table', async () => {
    const { node, clock } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    clock.advance(HOUR)
    const late = two.stop('commit')
    const second = two.context(['library:Order'])
    await late.reached
    const first = await one.context(['library:Copy'])
    late.go()
    expect([taught(first), taught(await second)]).toEqual([
      ['e1=Book', 'e2=Copy'],
      ['e1=Book', 'e2=Copy', 'e3=Order'],
    ])
    for (const reply of [first, await second]) {
      expect(continuityOf(reply)).toMatchObject(RECOVERED)
      expect(reply.text).toMatch(/^`s0`\n\n\*\*Prior Plasm symbol table is void\.\*\* /)
    }
    // One row took the old one's place, not two.
    const rows = [first, await second].map((reply) => reply.ok && reply.facts.session)
    expect(rows[0]).toBe(rows[1])
  })

  test('extend beside a reader ahead of the store: it is refused and leaves no numbers out', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['library:Book'])
    const ahead = two.context(['library:Order'], { have: 'e9' })
    expect(codesOf(await ahead)).toEqual(['have_unknown'])
    expect(taught(await one.context(['library:Copy'], { have: 'e1' }))).toEqual(['e2=Copy'])
  })

  test('a window that comes back after another one recovered: its symbols mean the same', async () => {
    const { node, clock } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['shop:Customer', 'shop:Product'])
    clock.advance(HOUR)
    expect(codesOf(await one.run('e1("c1")[name]'))).toEqual(['session_expired'])
    await two.context(['shop:Order'])
    expect((await one.run('e1("c1")[name]')).text).toContain('Customer 1')
  })

  test('a window that comes back after a catalog changed: its symbols are refused', async () => {
    const { node, catalogs, api } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['shop:Customer'])
    for (const each of [one, two]) each.swap(catalogs({ shop: { version: 99 } }))
    expect(taught(await two.context(['shop:Customer']))).toEqual(['e2=Customer'])
    const before = api.requests.length
    expect(codesOf(await one.run('e1("c1")[name]'))).toEqual(['dead_symbol'])
    expect(api.requests.length).toBe(before)
    expect((await one.run('e2("c1")[name]')).text).toContain('Customer 1')
  })
})
