import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HARBOUR_KEY, type HarbourApi, startHarbourApi } from '../../app/harbour-api.ts'
import { plasmid as plasmidHere } from '../plasmid.ts'

/*
 * A real server that describes itself: added by its address, looked at, corrected, compared and removed, each with one command.
 */
let api: HarbourApi
const data = mkdtempSync(join(tmpdir(), 'plasmid-add-'))
const config = join(data, 'plasmid.yaml')

beforeAll(async () => {
  api = await startHarbourApi()
})

afterAll(async () => {
  await api.close()
  rmSync(data, { recursive: true })
})

function plasmid(...args: readonly string[]) {
  return plasmidHere([...args, '--data-dir', data, '--no-shipped'], '', { HARBOUR_KEY })
}

test('adds an API by its address and shows its first rows', async () => {
  const { code, stdout, stderr } = await plasmid(
    'add',
    `${api.url}/openapi.json`,
    '--auth',
    'env:HARBOUR_KEY',
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Added `harbour`')
  expect(stdout).toContain('12 of 12 operations can be called.')
  expect(stdout).toContain('Try this goal: list piers\n')
  expect(stdout).toContain(`--seed harbour:Pier --data-dir ${data}\n`)
  expect(stdout).toContain('Pier 3')
  expect(readFileSync(config, 'utf8')).toBe(`catalogs:
  - id: harbour
    source: ${api.url}/openapi.json
    auth:
      scheme: api_key
      in: header
      name: X-Harbour-Key
      secret: env:HARBOUR_KEY
`)
})

test('serves it from then on', { timeout: 60_000 }, async () => {
  const { stdout } = await plasmid('context', '--intent', 'count the piers', '--seed', 'harbour:Pier')
  const ref = /`(s\d+)`/.exec(stdout)?.[1] ?? ''
  const ran = await plasmid('run', '--ref', ref, 'e1.aggregate(n=count)')
  expect(ran.stdout).toContain('7')
})

test('creates a configuration file that does not exist yet', async () => {
  const file = join(data, 'new', 'other.yaml')
  const added = await plasmid('add', `${api.url}/openapi.json`, '--id', 'quay', '--no-try', '--config', file)
  expect([added.code, added.stderr]).toEqual([0, ''])
  expect(readFileSync(file, 'utf8')).toContain('- id: quay\n')
  const missing = await plasmid('list', '--config', join(data, 'none.yaml'))
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/^config_unreadable: /)])
})

test('refuses a second API of the same name', async () => {
  const { code, stderr } = await plasmid('add', `${api.url}/openapi.json`)
  expect(code).toBe(1)
  expect(stderr).toContain('catalog_exists: The configuration already has a catalog `harbour`.')
})

test('changes nothing where the source cannot be read', async () => {
  const before = readFileSync(config, 'utf8')
  const { code, stderr } = await plasmid('add', 'openapi', `${api.url}/nowhere.json`, '--id', 'nowhere')
  expect(code).toBe(1)
  expect(stderr).toContain('the server answers 404')
  expect(readFileSync(config, 'utf8')).toBe(before)
})

test('lists, shows and explains', async () => {
  expect((await plasmid('list')).stdout).toContain(`from ${api.url}/openapi.json`)
  const { stdout } = await plasmid('catalog', 'show', 'harbour', '--why')
  expect(stdout).toContain('Pier (key: id): id int, name str')
  expect(stdout).toContain('    Pages by the page number `page`.')
})

test('applies corrections and keeps comments', { timeout: 60_000 }, async () => {
  writeFileSync(
    config,
    `# Our harbour.\n${readFileSync(config, 'utf8')}    entities:\n      Pier: { name: Quay }\n    capabilities:\n      pier_close: { name: shut, description: Shuts it }\n      photo_update: { hidden: true }\n`,
  )
  const { stdout } = await plasmid('catalog', 'show', 'harbour')
  expect(stdout).toContain('Quay (key: id)')
  expect(stdout).toContain('.shut(reason str, days? int)')
  expect(stdout).not.toContain('photo_update')
  const { stdout: difference } = await plasmid('catalog', 'diff', 'harbour')
  expect(difference).toBe('No difference.\n')
})

test('compares with another document', async () => {
  const other = join(data, 'other.json')
  writeFileSync(
    other,
    api.document.replace(
      '"depth_m": { "type": "number", "description"',
      '"draught_m": { "type": "number", "description"',
    ),
  )
  const { stdout } = await plasmid('catalog', 'diff', 'harbour', other)
  expect(stdout).toContain('Quay: fields +draught_m, -depth_m')
})

test('takes over what the address gives now, with its corrections', async () => {
  const before = api.document
  api.document = before.replace(
    '"depth_m": { "type": "number", "description"',
    '"draught_m": { "type": "number", "description"',
  )
  const { stdout } = await plasmid('catalog', 'refresh', 'harbour')
  expect(stdout).toMatch(/^Quay: fields \+draught_m, -depth_m\nRefreshed harbour\./)
  expect((await plasmid('catalog', 'show', 'harbour')).stdout).toMatch(/^Quay .*draught_m/m)
  api.document = '{"openapi":"3.0.0"'
  const broken = await plasmid('catalog', 'refresh', 'harbour')
  expect(broken.code).toBe(1)
  expect((await plasmid('catalog', 'show', 'harbour')).stdout).toMatch(/^Quay .*draught_m/m)
  api.document = before
  expect((await plasmid('catalog', 'refresh', 'harbour')).stdout).toContain('-draught_m')
})

test('catalogs that a flag puts out of use are named', async () => {
  const file = join(data, 'other.json')
  const { stdout, stderr } = await plasmid('list', '--catalog', file)
  expect(stderr).toBe(
    '`catalogs` of the configuration is not used, since the command line gives others: harbour.\n',
  )
  expect(stdout).not.toContain('harbour:')
})

test.each([[['add']], [['add', 'openapi']]])('%j asks for the source', async (args) => {
  const { code, stderr } = await plasmid(...args)
  expect([code, stderr]).toEqual([
    2,
    'missing_operand: `plasmid add` needs <source>. Run `plasmid add --help` for its usage.\n',
  ])
})

test('a catalog of a file has nothing to fetch', async () => {
  const file = join(data, 'own.json')
  writeFileSync(file, api.document)
  await plasmid('add', 'openapi', file, '--id', 'own', '--no-try')
  const { code, stderr } = await plasmid('catalog', 'refresh', 'own')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^catalog_has_file: /) })
  await plasmid('remove', 'own')
})

test('does not send a secret to another server than that of the document', async () => {
  const address = `${api.url.replace('127.0.0.1', 'localhost')}/openapi.json`
  const more = ['--auth', 'env:HARBOUR_KEY', '--id', 'elsewhere']
  const { code, stdout } = await plasmid('add', address, ...more)
  expect({ code, isTried: stdout.includes('Pier 3') }).toEqual({ code: 0, isTried: false })
  expect(stdout).toContain(
    'Not tried: the document names a server on another host, which would get the secret.',
  )
  await plasmid('remove', 'elsewhere')
})

test('removes it with its copy', async () => {
  expect((await plasmid('remove', 'harbour')).stdout).toBe('Removed `harbour`.\n')
  expect(readFileSync(config, 'utf8')).toBe('# Our harbour.\n')
  expect((await plasmid('list')).stdout).toBe('')
})
