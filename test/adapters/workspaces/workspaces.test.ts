import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { WorkspaceGrant } from '../../../src/access/workspace.ts'
import { diskWorkspaces } from '../../../src/adapters/workspaces/workspaces.ts'

let base: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'plasmid-workspaces-')))
})

async function folder(name: string, file?: string): Promise<string> {
  const root = join(base, name)
  await mkdir(join(root, '.plasmid'), { recursive: true })
  if (file !== undefined) await writeFile(join(root, '.plasmid', 'workspace.yaml'), file)
  return root
}

async function find(root: string, workspaces: readonly WorkspaceGrant[] = [], isLocal = true) {
  return (await diskWorkspaces({ trust: 'direct', workspaces })).find(root, isLocal)
}

test('a folder names itself and narrows', async () => {
  const root = await folder('own', 'workspace_id: my-project\ntrust: Sandboxed\ncatalogs: [shop]\n')
  expect(await find(root)).toEqual({
    ok: true,
    value: { root, id: 'my-project', isGranted: false, trust: 'sandboxed', limits: [['shop']] },
  })
})

test('a folder without a file, and one on another machine, have no id', async () => {
  for (const root of [await folder('plain'), '/no/such/folder'])
    expect(await find(root)).toMatchObject({ ok: true, value: { root, id: '', isGranted: false } })
})

test('the file is read for each call', async () => {
  const root = await folder('changing', 'workspace_id: one')
  const workspaces = await diskWorkspaces({ trust: 'direct', workspaces: [] })
  expect(await workspaces.find(root, true)).toMatchObject({ value: { id: 'one' } })
  await writeFile(join(root, '.plasmid', 'workspace.yaml'), 'workspace_id: two')
  expect(await workspaces.find(root, true)).toMatchObject({ value: { id: 'two' } })
})

test('a link to a listed folder is that folder', async () => {
  const root = await folder('listed')
  const link = join(base, 'link')
  await symlink(root, link)
  const grant = { id: 'listed', trust: 'sandboxed' as const }
  for (const [listed, path] of [
    [root, link],
    [link, root],
  ] as const)
    expect(await find(path, [{ ...grant, root: listed }])).toMatchObject({
      value: { root, id: 'listed', trust: 'sandboxed' },
    })
})

test('a path below a link to a listed folder is below that folder, also where nothing is', async () => {
  const root = await folder('granted')
  const link = join(base, 'way')
  await symlink(root, link)
  expect(await find(join(link, 'new', 'folder'), [{ root, trust: 'sandboxed' }])).toMatchObject({
    value: { root: join(root, 'new', 'folder'), trust: 'sandboxed' },
  })
})

test('what is no usable folder is refused, and never takes the rights of another', async () => {
  const normal = await folder('normal')
  const [file, circle, spaced, broken] = ['file', 'circle', 'normal ', 'line\nbreak'].map((name) =>
    join(base, name),
  )
  if (!file || !circle || !spaced || !broken) throw new Error('four paths')
  await writeFile(file, '')
  await symlink(circle, circle)
  const ways = await Promise.all(
    [spaced, broken].map(async (target, at) => {
      await mkdir(target)
      const way = join(base, `way${at}`)
      await symlink(target, way)
      return way
    }),
  )
  for (const path of [file, join(file, 'below'), circle, ...ways])
    expect(await find(path, [{ root: normal, id: 'normal' }])).toMatchObject({
      ok: false,
      problems: [{ code: 'bad_workspace' }],
    })
})

test('a link out of a listed folder has no grant', async () => {
  const listed = await folder('safe')
  const outside = await folder('outside')
  await symlink(outside, join(listed, 'inner'))
  expect(await find(join(listed, 'inner'), [{ root: listed, id: 'safe' }])).toMatchObject({
    value: { root: outside, id: '', isGranted: false },
  })
})

test('another caller learns nothing about folders that are not listed', async () => {
  const root = await folder('private', 'workspace_id: secret-name')
  expect(await find(root, [], false)).toMatchObject({ ok: true, value: { id: '' } })
  expect(await find(root, [{ root: base }], false)).toMatchObject({ value: { id: 'secret-name' } })
})

test.each([
  ['a: [', 'it is no YAML'],
  ['&a [*a]', 'it is no YAML'],
  ['['.repeat(4096), 'it is no YAML'],
  ['- '.repeat(2048), 'it is no YAML'],
  ['mcp_servers: {x: {command: sh}}', 'it may not set `mcp_servers`'],
  [`[${','.repeat(24_000)}`, 'larger than'],
])('a file %.20j stops the call', async (text, reason) => {
  const root = await folder('bad', text)
  const found = await find(root)
  expect(found).toMatchObject({
    ok: false,
    problems: [{ code: 'workspace_file_invalid', message: expect.stringContaining(reason) }],
  })
})

test('a file that is a link or a pipe is not read', async () => {
  const linked = await folder('linked')
  await writeFile(join(base, 'secret'), 'workspace_id: leaked')
  await symlink(join(base, 'secret'), join(linked, '.plasmid', 'workspace.yaml'))
  expect(await find(linked)).toMatchObject({ ok: false, problems: [{ code: 'workspace_file_invalid' }] })
  const piped = await folder('piped')
  execFileSync('mkfifo', [join(piped, '.plasmid', 'workspace.yaml')])
  expect(await find(piped)).toMatchObject({ ok: false, problems: [{ code: 'workspace_file_invalid' }] })
})
