import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { allows, scopeOf } from '../../src/access/scope.ts'
import {
  isWithin,
  readRoot,
  readWorkspaceFile,
  type Workspace,
  type WorkspaceGrants,
  workspaceOf,
} from '../../src/access/workspace.ts'

const GRANTS: WorkspaceGrants = {
  trust: 'sandboxed',
  workspaces: [
    { root: '/projects', catalogs: ['shop', 'library'] },
    { root: '/projects/backend', id: 'backend', trust: 'direct' },
    { root: '/projects/backend/vendor', trust: 'sandboxed' },
  ],
}

function at(root: string, file: unknown = {}, grants = GRANTS): Workspace {
  const read = readWorkspaceFile(file, `${root}/.plasmid/workspace.yaml`)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const found = workspaceOf(root, read.value, grants)
  if (!found.ok) throw new Error(JSON.stringify(found.problems))
  return found.value
}

test.each([
  ['/a/b/', '/a/b'],
  [' /a//b/. ', '/a/b'],
  ['/', '/'],
  ['/a b/ä', '/a b/ä'],
])('the path %j is the root %j', (text, root) => {
  expect(readRoot(text)).toBe(root)
})

test.each([
  '',
  'a',
  './a',
  '~/a',
  '/a/../b',
  '/a\0',
  '/a\nb',
  'file:///a',
  `/${'a'.repeat(4096)}`,
  '/\uD800',
])('O12: %j is no absolute path', (text) => {
  expect(readRoot(text)).toBeUndefined()
})

test('a folder contains itself and what is below it', () => {
  expect([isWithin('/a/b', '/a/b'), isWithin('/a/b/c', '/a/b'), isWithin('/a', '/')]).toEqual([
    true,
    true,
    true,
  ])
  expect([isWithin('/a/bc', '/a/b'), isWithin('/a', '/a/b')]).toEqual([false, false])
})

test('the nearest listed folder decides', () => {
  expect(at('/projects/backend/src')).toEqual({
    root: '/projects/backend/src',
    id: 'backend',
    grantedId: 'backend',
    isGranted: true,
    trust: 'direct',
    limits: [],
  })
  expect(at('/projects/backend/vendor/x')).toMatchObject({ id: '', trust: 'sandboxed', isGranted: true })
  expect(at('/elsewhere')).toEqual({
    root: '/elsewhere',
    id: '',
    isGranted: false,
    trust: 'sandboxed',
    limits: [],
  })
})

test("O12: the durable id comes from the workspace's own file", () => {
  expect(at('/elsewhere', { workspace_id: 'my-project' })).toMatchObject({ id: 'my-project' })
})

test("a folder's own id selects no servers", () => {
  const claimed = at('/elsewhere', { workspace_id: 'other' })
  const scope = scopeOf({ explicit: claimed }, 'direct')
  expect(allows(scope, { id: 'prod', workspaces: ['other'] })).toBe(false)
})

test('a folder cannot take the id of another', () => {
  expect(workspaceOf('/evil', { workspace_id: 'backend' }, GRANTS)).toMatchObject({
    ok: false,
    problems: [{ code: 'workspace_claimed' }],
  })
})

test('a listed folder keeps the id of its listing', () => {
  expect(at('/projects/backend', { workspace_id: 'renamed' })).toMatchObject({ id: 'backend' })
})

test.each([
  [{ trust: 'direct' }, 'trust'],
  [{ servers: { x: { command: 'rm' } } }, 'may not set `servers`'],
  [{ mcp_servers: {} }, 'may not set'],
  [{ workspace_id: 'Not A Slug' }, 'slug'],
  [{ workspace_id: '../x' }, 'slug'],
  ['text', 'it must be an object'],
  [['list'], 'it must be an object'],
])('a cloned repository may not say %j', (value, reason) => {
  expect(readWorkspaceFile(value, 'f')).toMatchObject({
    ok: false,
    problems: [{ code: 'workspace_file_invalid', message: expect.stringContaining(reason) }],
  })
})

test('an empty file says nothing', () => {
  expect(readWorkspaceFile(null, 'f')).toEqual({ ok: true, value: {} })
})

test('whatever a file says only narrows', () => {
  const file = fc.record(
    {
      workspace_id: fc.constantFrom('mine', 'own', 'x1'),
      trust: fc.constantFrom('sandboxed', ' SANDBOXED'),
      catalogs: fc.array(fc.constantFrom('shop', 'library', 'git')),
    },
    { requiredKeys: [] },
  )
  const root = fc.constantFrom('/projects', '/projects/backend', '/projects/backend/vendor', '/elsewhere')
  const trust = fc.constantFrom('direct' as const, 'sandboxed' as const)
  const catalog = fc.record(
    { id: fc.constantFrom('shop', 'git'), workspaces: fc.subarray(['backend', 'mine', 'own']), trust },
    { requiredKeys: ['id'] },
  )
  fc.assert(
    fc.property(file, root, trust, catalog, (said, place, base, placed) => {
      const grants = { ...GRANTS, trust: base }
      const [plain, narrowed] = [at(place, {}, grants), at(place, said, grants)]
      if (plain.trust === 'sandboxed') expect(narrowed.trust).toBe('sandboxed')
      const [before, after] = [scopeOf({ announced: plain }, base), scopeOf({ announced: narrowed }, base)]
      if (allows(after, placed)) expect(allows(before, placed)).toBe(true)
    }),
  )
})

test('whatever a model names only narrows', () => {
  const root = fc.constantFrom('/projects', '/projects/backend', '/projects/backend/vendor', '/elsewhere')
  const trust = fc.constantFrom('direct' as const, 'sandboxed' as const)
  fc.assert(
    fc.property(root, root, trust, fc.constantFrom('shop', 'git'), (announced, explicit, base, id) => {
      const grants = { ...GRANTS, trust: base }
      const around = at(announced, {}, grants)
      const before = scopeOf({ announced: around }, base)
      const after = scopeOf({ announced: around, explicit: at(explicit, {}, grants) }, base)
      expect(after.workspaceRoot).toBe(explicit)
      if (before.trust === 'sandboxed') expect(after.trust).toBe('sandboxed')
      for (const placed of [{ id }, { id, workspaces: ['backend'] }, { id, trust: 'direct' as const }])
        if (allows(after, placed)) expect(allows(before, placed)).toBe(true)
    }),
  )
})

test('a call never exceeds the trust of its caller', () => {
  expect(scopeOf({ announced: at('/projects/backend') }, 'direct', ['sandboxed']).trust).toBe('sandboxed')
})

test('P10: a sandboxed call has no direct catalog', () => {
  const scope = scopeOf({}, 'sandboxed')
  expect(allows(scope, { id: 'files', trust: 'direct' })).toBe(false)
  expect(allows(scope, { id: 'files', trust: 'sandboxed' })).toBe(true)
  expect(allows(scope, { id: 'shop' })).toBe(true)
})
