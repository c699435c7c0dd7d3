import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { codesOf, HOUR, onEveryStore, type Stage } from './stage.ts'

/* Runs beside whatever happens to their session, and calls that are delivered twice or cut off. */

const DELETE = 'e1("c1").delete()'
const MINUTE = 60_000

/** Begins a call that hangs at the API, and says so. */
async function hanging<Answer>({ api }: Stage, call: () => Promise<Answer>): Promise<Promise<Answer>[]> {
  api.hang = true
  const arrived = api.hanging()
  const answer = call()
  await arrived
  return [answer]
}

onEveryStore((stage) => {
  test('run beside expire: a run that begins in the last minute of its row ends in a live one', async () => {
    const world = await stage()
    const one = await world.node()
    await one.context(['shop:Customer'])
    world.clock.advance(HOUR - 1)
    const [running] = await hanging(world, () => one.run('e1[id]'))
    world.clock.advance(10 * MINUTE)
    world.api.release()
    expect((await running)?.text).toContain('page(s0_pg1)')
    expect((await one.run('page(s0_pg1)')).text).toContain('c4')
  })

  test('run beside recover: its rows come, and the pages that it promises', async () => {
    const world = await stage()
    const [one, two] = [await world.node(), await world.node()]
    await one.context(['shop:Customer'])
    const [running] = await hanging(world, () => one.run('e1[id]'))
    world.clock.advance(2 * HOUR)
    expect((await two.context(['shop:Customer'])).text).toContain('void')
    world.api.release()
    const reply = await running
    expect(reply?.text).toContain('c1\n')
    expect(reply?.text).toContain('page(s0_pg1)')
    expect((await two.run('page(s0_pg1)')).text).toContain('c4')
  })

  test('run beside close: its rows come, and nothing is promised that nobody can fetch', async () => {
    const world = await stage()
    const [one, two] = [await world.node(), await world.node()]
    await one.context(['shop:Customer'])
    const [running] = await hanging(world, () => one.run('e1[id, notes]'))
    await two.gateway.close(LOCAL_USER, 's0')
    world.api.release()
    const reply = await running
    expect(reply?.text).toContain('c1\tword word')
    expect(reply?.text).toContain(
      '**session_closed**: The session was closed during this call; rows not shown were not stored.',
    )
    expect(reply?.text).not.toMatch(/page\(|plasm:\/\//)
    expect(reply).toMatchObject({
      ok: true,
      meta: { paging: [] },
      facts: { problems: [{ code: 'session_closed' }] },
    })
  })

  test('run beside close and open anew: the new session gets none of its pages, snapshots and plans', async () => {
    const world = await stage()
    const [one, two] = [await world.node(), await world.node()]
    await one.context(['shop:Customer'])
    expect((await one.run('e1[id, notes]')).text).toMatch(/plasm:\/\/session\/s0\/r\/1[^]*page\(s0_pg1\)/)
    await one.plan(DELETE)
    const [running] = await hanging(world, () => one.run('e1[id]'))
    await two.gateway.close(LOCAL_USER, 's0')
    await two.context(['shop:Customer'])
    world.api.release()
    expect((await running)?.text).not.toContain('page(')
    const before = world.api.requests.length
    const s1 = { logical_session_ref: 's1' }
    for (const handle of ['s0_pg1', 's1_pg1', 'pg1', 's1_pg2'])
      expect((await two.run(`page(${handle})`, s1)).text).not.toMatch(/^c\d/m)
    for (const ref of ['s0', 's1'])
      expect((await two.gateway.snapshot(LOCAL_USER, `plasm://session/${ref}/r/1`)).ok).toBe(false)
    expect(codesOf(await two.run(DELETE, { ...s1, plan: 'pc1' }))).toEqual(['unknown_plan'])
    expect(world.api.requests.length).toBe(before)
  })

  test('write beside close: what became of it stands in the ledger', async () => {
    const world = await stage()
    const [one, two] = [await world.node(), await world.node()]
    await one.context(['shop:Customer'])
    await one.plan(DELETE)
    const { record } = await one.store.findByRef('["local"]', { ordinal: 0 })
    const [running] = await hanging(world, () => one.run(DELETE, { plan: 'pc1' }))
    await two.gateway.close(LOCAL_USER, 's0')
    world.api.release()
    expect((await running)?.text).toContain('_Changes: 1 done._')
    const owner = { address: record?.address ?? '', principal: '["local"]' }
    const [line] = await two.store.entries(owner, 'effect', 9)
    expect(JSON.parse(line?.body ?? '')).toMatchObject({ capability: 'customer_delete', state: 'done' })
    const plan = await two.store.read(owner, 'plan', '1')
    expect(JSON.parse(plan?.body ?? '')).toMatchObject({ state: 'done' })
  })

  test('a plan beside close: no ref is given that leads nowhere', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['shop:Customer'])
    const late = one.stop('findByRef')
    const planned = one.plan(DELETE)
    await late.reached
    await two.gateway.close(LOCAL_USER, 's0')
    late.go()
    expect(codesOf(await planned)).toEqual(['unknown_session'])
  })

  test('one run delivered twice at once: it is sent once, the other is told to wait', async () => {
    const world = await stage()
    const [one, two] = [await world.node(), await world.node()]
    await one.context(['shop:Customer'])
    await one.plan(DELETE)
    const before = world.api.requests.length
    const [running] = await hanging(world, () => one.run(DELETE, { plan: 'pc1' }))
    expect(codesOf(await two.run(DELETE, { plan: 'pc1' }))).toEqual(['plan_running'])
    world.api.release()
    expect((await running)?.text).toContain('_Changes: 1 done._')
    expect(await two.run(DELETE, { plan: 'pc1' })).toEqual(await running)
    expect(world.api.requests.length).toBe(before + 1)
  })

  test('one run without a plan delivered twice: it is sent once, and says how to do it again', async () => {
    const world = await stage()
    const nodes = [
      await world.node({ effectPolicy: () => 'allow' }),
      await world.node({ effectPolicy: () => 'allow' }),
    ]
    const [one, two] = nodes
    await one?.context(['shop:Customer'])
    const before = world.api.requests.length
    expect((await one?.run(DELETE))?.text).toContain('_Changes: 1 done._')
    expect((await two?.run(DELETE))?.text).toContain('**run_repeated**')
    expect(world.api.requests.length).toBe(before + 1)
  })

  test('a crash between send and outcome: unknown, with the read that tells, and never sent again', async () => {
    const world = await stage()
    const [one, two] = [await world.node(), await world.node()]
    await one.context(['shop:Customer'])
    await one.plan(DELETE)
    const before = world.api.requests.length
    // This node gets no further than the call: it gives no word any more.
    const [cut] = await hanging(world, () => one.run(DELETE, { plan: 'pc1' }))
    world.clock.advance(MINUTE)
    const told = await two.run(DELETE, { plan: 'pc1' })
    expect(told.text).toContain(
      'unknown: The run was interrupted while this change was being sent. Read `e1("c1")`',
    )
    expect(await two.run(DELETE, { plan: 'pc1' })).toEqual(told)
    expect(world.api.requests.length).toBe(before + 1)
    world.api.release()
    expect((await cut)?.text).toContain('_Changes: 1 done._')
    // Where that node lived after all, the ledger has learned the truth; nothing is sent for it.
    expect((await two.run(DELETE, { plan: 'pc1' })).text).toMatch(
      /^_Changes: 1 done\._\n\n\*\*run_cut_off\*\*/,
    )
    expect(world.api.requests.length).toBe(before + 1)
  })

  test('a cancel in the middle: the change under way is recorded, the next is not sent', async () => {
    const world = await stage()
    const one = await world.node()
    await one.context(['shop:Customer'])
    const program = 'a = e1("c1").delete()\nb = e1("c2").delete()\na, b'
    await one.plan(program)
    const before = world.api.requests.length
    const abort = new AbortController()
    const [running] = await hanging(world, () => one.run(program, { plan: 'pc1' }, abort.signal))
    abort.abort()
    world.api.release()
    expect((await running)?.text).toMatch(/_Changes: 1 done, 1 not sent\._/)
    expect(world.api.requests.length).toBe(before + 1)
    expect((await one.run(program, { plan: 'pc1' })).text).toMatch(/_Changes: 1 done, 1 not sent\._/)
  })

  test('page beside page: the same rows, and the same next handle', async () => {
    const { node } = await stage()
    const [one, two] = [await node(), await node()]
    await one.context(['shop:Customer'])
    await one.run('e1[id]')
    const late = two.stop('append')
    const second = two.run('page(s0_pg1)')
    await late.reached
    const first = await one.run('page(s0_pg1)')
    late.go()
    expect((await second).text).toBe(first.text)
    expect(first.text).toMatch(/c4\nc5\nc6\n[^]*page\(s0_pg\d+\)/)
    expect(await two.run('page(s0_pg1)')).toEqual(first)
    expect(await two.gateway.page(LOCAL_USER, 's0_pg1', { signal: new AbortController().signal })).toEqual(
      first,
    )
    // Asked for in another way it is another page, with another one after it.
    const wider = await one.run('page(s0_pg1, limit=2)')
    expect(nextOf(wider.text)).not.toBe(nextOf(first.text))
    expect(nextOf((await two.run('page(s0_pg1, limit=2)')).text)).toBe(nextOf(wider.text))
  })
})

function nextOf(text: string): string | undefined {
  return /page\((s0_pg\d+)\)/.exec(text)?.[1]
}
