import { expect, test } from 'vitest'
import { type Caller, callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../src/access/caller.ts'
import { EVERYTHING } from '../../src/access/policy.ts'
import { type WorkspaceGrants, workspacesOf } from '../../src/access/workspace.ts'
import type { Event } from '../../src/base/event.ts'
import { Traces } from '../../src/engine/watch/traces.ts'
import { testEngine } from './engines.ts'
import { fixtureCatalog, setOf } from './fixtures.ts'

const signal = new AbortController().signal
const seeds = [{ api: 'shop', entity: 'Customer' }]
const NO_GRANTS: WorkspaceGrants = { trust: 'direct', workspaces: [] }
/** The shop can be called only in a workspace, the library everywhere. */
const SET = setOf(fixtureCatalog('shop', { needsWorkspace: true }), fixtureCatalog('library'))

function engineWith(grants: WorkspaceGrants = NO_GRANTS, set = SET) {
  const events: Event[] = []
  const traces = new Traces()
  const { gateway, swap } = testEngine({
    catalogs: { current: () => set },
    workspaces: workspacesOf(grants),
    emit: (event) => {
      events.push(event)
      traces.emit(event)
    },
  })
  const seen = (name: string) => events.filter((event) => event.name === name)
  return { gateway, swap, traces, seen }
}

test('O7: an explicit workspace is used, else the announced one, else the error names both ways', async () => {
  const { gateway } = engineWith()
  const call = (intent: string, workspace?: string, announced?: string) =>
    gateway.context(
      LOCAL_USER,
      { intent, seeds, ...(workspace !== undefined && { workspace }) },
      announced === undefined ? {} : { announced: { workspace: announced } },
    )
  expect(await call('one', '/explicit')).toMatchObject({ ok: true })
  expect(await call('two', undefined, '/announced')).toMatchObject({ ok: true })
  for (const empty of [undefined, '', '  ']) {
    const refused = await call('three', empty)
    expect(refused).toMatchObject({
      ok: false,
      problems: [{ code: 'missing_workspace', path: 'workspace' }],
    })
    expect(refused.text).toContain('`workspace`')
    expect(refused.text).toContain('`_meta.plasmid.workspace`')
  }
})

test('O3: an announced path that is not absolute counts as absent, with a warning', async () => {
  const { gateway, seen } = engineWith()
  const reply = await gateway.context(
    LOCAL_USER,
    { intent: 'x', seeds },
    { announced: { workspace: './here' } },
  )
  expect(reply).toMatchObject({ ok: false, problems: [{ code: 'missing_workspace' }] })
  expect(seen('workspace_ignored')).toMatchObject([{ facts: { announced: './here' } }])
})

test.each(['/a/../b', '/a\nb', `/${'a'.repeat(5000)}`])(
  'an announced path that cannot be used (%.9j) is refused: it never counts as none',
  async (workspace) => {
    const { gateway } = engineWith()
    const reply = await gateway.discover(LOCAL_USER, { intent: 'orders' }, { announced: { workspace } })
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'bad_workspace' }] })
  },
)

test('a call with a relative announcement has the least trust', async () => {
  const { gateway } = engineWith(NO_GRANTS, setOf(fixtureCatalog('shop', { trust: 'direct' })))
  const call = (workspace: string) =>
    gateway.context(LOCAL_USER, { intent: 'x', seeds }, { announced: { workspace } })
  expect(await call('./here')).toMatchObject({ problems: [{ code: 'unknown_api' }] })
  expect(await call('/here')).toMatchObject({ ok: true })
})

test('O7: an explicit path that is not absolute is refused', async () => {
  const { gateway } = engineWith()
  const reply = await gateway.discover(LOCAL_USER, { intent: 'orders', workspace: '../x' })
  expect(reply).toMatchObject({ ok: false, problems: [{ code: 'bad_workspace', path: 'workspace' }] })
})

test('O8: a mismatch is an event and in the trace, and the explicit workspace wins', async () => {
  const { gateway, seen, traces } = engineWith({
    trust: 'direct',
    workspaces: [
      { root: '/a', id: 'a' },
      { root: '/b', id: 'b' },
    ],
  })
  const announced = { workspace: '/a' }
  await gateway.context(LOCAL_USER, { intent: 'x', seeds, workspace: '/b' }, { announced })
  expect(seen('workspace_overruled')).toMatchObject([{ facts: { announced: '/a', workspace: 'b' } }])
  expect(seen('request')).toMatchObject([{ facts: { workspace: 'b' } }])
  const [trace] = traces.list(LOCAL_USER, { offset: 0, limit: 9, status: 'all' })
  const detail = traces.read(LOCAL_USER, trace?.trace_id ?? '')
  expect(detail).toMatchObject({ value: { records: [{ name: 'workspace_overruled' }, { name: 'request' }] } })

  await gateway.context(LOCAL_USER, { intent: 'x', seeds, workspace: '/a/' }, { announced })
  expect(seen('workspace_overruled')).toHaveLength(1)
})

test('O10: every tool takes the workspace through the same resolver', async () => {
  const { gateway } = engineWith()
  const workspace = '/w'
  await gateway.context(LOCAL_USER, { intent: 'x', seeds, workspace })
  const program = { logical_session_ref: 's0', program: 'Customer("c1")' }
  const missing = { ok: false, problems: [{ code: 'missing_workspace', path: 'workspace' }] }
  expect(await gateway.plan(LOCAL_USER, program)).toMatchObject(missing)
  expect(await gateway.plan(LOCAL_USER, { ...program, workspace })).toMatchObject({ ok: true })
  expect(await gateway.plan(LOCAL_USER, program, { announced: { workspace } })).toMatchObject({ ok: true })
  expect(await gateway.run(LOCAL_USER, program, { signal })).toMatchObject(missing)
  const bad = { ok: false, problems: [{ code: 'bad_workspace' }] }
  const relative = { ...program, intent: 'x', seeds, workspace: 'relative' }
  expect(await gateway.context(LOCAL_USER, relative)).toMatchObject(bad)
  expect(await gateway.discover(LOCAL_USER, relative)).toMatchObject(bad)
  expect(await gateway.plan(LOCAL_USER, relative)).toMatchObject(bad)
  expect(await gateway.run(LOCAL_USER, relative, { signal })).toMatchObject(bad)
})

test('O5: a call keeps the workspace that it began with', async () => {
  const announced: { workspace: string } = { workspace: '/w' }
  let entered = () => {}
  const inside = new Promise<void>((resolve) => (entered = resolve))
  let proceed = () => {}
  const gate = new Promise<void>((resolve) => (proceed = resolve))
  const grants = workspacesOf(NO_GRANTS)
  const { gateway } = testEngine({
    catalogs: { current: () => SET },
    workspaces: {
      ...grants,
      find: async (root, isLocal) => {
        entered()
        await gate
        return grants.find(root, isLocal)
      },
    },
  })
  const reply = gateway.context(LOCAL_USER, { intent: 'x', seeds }, { announced })
  await inside
  announced.workspace = ''
  proceed()
  expect(await reply).toMatchObject({ ok: true })
})

test('the workspace is no input of session identity', async () => {
  const { gateway } = engineWith({
    trust: 'direct',
    workspaces: [{ root: '/a', id: 'a', trust: 'sandboxed' }],
  })
  const refs: string[] = []
  for (const workspace of ['/a', '/b', '/a/deeper']) {
    const reply = await gateway.context(LOCAL_USER, { intent: 'one goal', seeds, workspace })
    if (reply.ok) refs.push(`${reply.facts.longRef} ${reply.facts.logicalSessionRef} ${reply.facts.session}`)
  }
  expect(refs).toHaveLength(3)
  expect(new Set(refs).size).toBe(1)
})

test('a workspace narrows the catalogs of every request', async () => {
  const { gateway } = engineWith(
    { trust: 'direct', workspaces: [{ root: '/a', catalogs: ['library'] }] },
    setOf(fixtureCatalog('shop'), fixtureCatalog('library')),
  )
  const announced = { workspace: '/a' }
  await gateway.context(LOCAL_USER, { intent: 'x', seeds })
  expect(await gateway.context(LOCAL_USER, { intent: 'y', seeds }, { announced })).toMatchObject({
    problems: [{ code: 'unknown_api' }],
  })
  const found = await gateway.discover(LOCAL_USER, { intent: 'customer orders' }, { announced })
  expect(found.ok && found.facts.rows.map(({ api }) => api)).not.toContain('shop')
  const registry = await gateway.registry(LOCAL_USER, { announced })
  expect(registry).toMatchObject({ facts: { entries: [{ entry_id: 'library' }] } })
  const plan = { logical_session_ref: 's0', program: 'Customer("c1")' }
  expect(await gateway.plan(LOCAL_USER, plan)).toMatchObject({ ok: true })
  expect(await gateway.plan(LOCAL_USER, plan, { announced })).toMatchObject({ ok: false })
  const explicit = await gateway.plan(LOCAL_USER, { ...plan, workspace: '/elsewhere' }, { announced })
  expect(explicit).toMatchObject({ ok: false })
})

test('P10: catalogs of direct trust do not exist for a sandboxed call', async () => {
  const set = setOf(fixtureCatalog('shop', { trust: 'direct' }), fixtureCatalog('library'))
  const { gateway } = engineWith({ trust: 'direct', workspaces: [{ root: '/a', trust: 'sandboxed' }] }, set)
  expect(await gateway.context(LOCAL_USER, { intent: 'x', seeds, workspace: '/a' })).toMatchObject({
    problems: [{ code: 'unknown_api' }],
  })
  expect(await gateway.context(LOCAL_USER, { intent: 'x', seeds })).toMatchObject({ ok: true })
})

test("a policy's trust is the most that its callers have", async () => {
  const set = setOf(fixtureCatalog('shop', { trust: 'direct' }), fixtureCatalog('library'))
  const { gateway } = engineWith(NO_GRANTS, set)
  const caller: Caller = callerOf({ from: 'key', subject: 'ann' }, DEFAULT_RESOLUTION, () => ({
    ...EVERYTHING,
    trust: 'sandboxed',
  }))
  expect(await gateway.context(caller, { intent: 'x', seeds })).toMatchObject({
    problems: [{ code: 'unknown_api' }],
  })
})

test('P19, P20: no argument and no text of a program changes trust or session', async () => {
  const set = setOf(fixtureCatalog('shop', { trust: 'direct' }), fixtureCatalog('library'))
  const { gateway } = engineWith(
    { trust: 'sandboxed', workspaces: [{ root: '/trusted', trust: 'direct', id: 'trusted' }] },
    set,
  )
  const claims = {
    trust: 'direct',
    TRUST_LEVEL: 'direct',
    PLASMID_TRUST_LEVEL: 'direct',
    trust_level: 'direct',
  }
  const input = { ...claims, intent: 'x', seeds, workspace: '/trusted' }
  expect(await gateway.context(LOCAL_USER, input)).toMatchObject({ problems: [{ code: 'unknown_api' }] })
  // The host may say so: an agent does not write its announcement.
  const announced = { workspace: '/trusted' }
  expect(await gateway.context(LOCAL_USER, { intent: 'x', seeds }, { announced })).toMatchObject({ ok: true })
})
