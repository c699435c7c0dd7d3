import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { SCHEMA, TABLES } from '../../../src/adapters/stores/sqlite/schema.ts'
import { plasmid } from '../plasmid.ts'
import { startTestServer, SHOP } from '../test-server.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plasmid-doctor-'))
})
afterEach(() => rm(dir, { recursive: true }))

const doctor = (...more: readonly string[]) =>
  plasmid(['doctor', '--data-dir', dir, '--no-shipped', '--catalog', SHOP, '--port', '0', ...more])

/** A store as a start leaves it. */
const used = () => plasmid(['sessions', '--data-dir', dir, '--no-shipped', '--catalog', SHOP])

test('all is well before the first start, and nothing is made', async () => {
  const { code, stdout, stderr } = await doctor()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.replace(/in \d+ ms/, 'in N ms')).toBe(
    `ok    runtime: Node ${process.versions.node}.
ok    data directory: ${dir} (0700).
ok    secret: ${dir}/secret is made at the first start.
ok    token: ${dir}/token is made at the first start.
ok    store: ${dir}/plasmid.db is made at the first start.
ok    catalogs: 1 of 1 load.
ok    port: any that is free.
ok    protocols: MCP and ACP answer, in N ms.
`,
  )
  expect(await readdir(dir)).toEqual([])
}, 60_000)

test('all is well after it, as JSON too', async () => {
  await used()
  const { code, stdout } = await doctor('--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    checks: [
      { check: 'runtime', status: 'ok', detail: `Node ${process.versions.node}` },
      { check: 'data directory', status: 'ok', detail: `${dir} (0700)` },
      { check: 'secret', status: 'ok', detail: `${dir}/secret (0600)` },
      { check: 'token', status: 'ok', detail: `${dir}/token (0600)` },
      {
        check: 'store',
        status: 'ok',
        detail: expect.stringMatching(/^sqlite \(.+\), layout \d+: written and read back in \d+ ms$/),
      },
      { check: 'clock', status: 'ok', detail: "within 2000 ms of the store's" },
      { check: 'catalogs', status: 'ok', detail: '1 of 1 load' },
      { check: 'port', status: 'ok', detail: 'any that is free' },
      { check: 'protocols', status: 'ok', detail: expect.stringMatching(/^MCP and ACP answer, in \d+ ms$/) },
    ],
  })
}, 60_000)

test('every failure names the next step', async () => {
  await used()
  await Promise.all([chmod(join(dir, 'secret'), 0o644), chmod(join(dir, 'token'), 0o640), chmod(dir, 0o755)])
  const { code, stdout } = await doctor('--catalog', join(dir, 'none'))
  expect(code).toBe(1)
  expect(stdout.split('\n').filter((line) => !line.startsWith('ok'))).toEqual([
    `warn  data directory: Other users can read the data directory ${dir}: its mode is 0755. Run \`chmod 700 ${dir}\`.`,
    `fail  secret: The secret file ${dir}/secret must have mode 0600, got 0644. Run \`chmod 600 ${dir}/secret\`.`,
    `fail  token: The secret file ${dir}/token must have mode 0600, got 0640. Run \`chmod 600 ${dir}/token\`.`,
    expect.stringMatching(/^fail {2}catalog .*\/none: Cannot read the catalog .*: it does not exist\. Give/),
    '',
  ])
}, 60_000)

test.each(['file', 'file/deeper', ...(process.platform === 'linux' ? ['/proc/none'] : [])])(
  'a data directory at %s is one clear line of every command',
  async (path) => {
    await writeFile(join(dir, 'file'), '')
    const unusable = path.startsWith('/') ? path : join(dir, path)
    for (const command of [['doctor'], ['sessions'], ['keys', 'list'], ['serve', '--port', '0']]) {
      const { code, stdout, stderr } = await plasmid([...command, '--data-dir', unusable])
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('data directory'))
      expect([code, lines]).toEqual([
        1,
        [expect.stringContaining(`Cannot use the data directory ${unusable}: `)],
      ])
    }
  },
  60_000,
)

test('settings that name an unknown catalog are reported, and older secrets', async () => {
  const env = {
    PLASMID_EFFECTS: 'shpo=deny,shop=review,*=review',
    PLASMID_RATES: 'https://shop.exampel=5/s,https://shop.example=5/s',
    PLASMID_SECRET: `${'n'.repeat(32)} ${'o'.repeat(32)}`,
  }
  const line = ['doctor', '--data-dir', dir, '--no-shipped', '--catalog', SHOP, '--port', '0']
  const { code, stdout } = await plasmid(line, '', env)
  const told = stdout.split('\n').filter((one) => /secret|settings/.test(one))
  expect([code, told]).toEqual([
    0,
    [
      'ok    secret: PLASMID_SECRET of the environment, the first of 2 for what is new.',
      'warn  settings: The setting `effects` refers to `shpo`, but no loaded catalog has that id. Did you mean `shop`?',
      'warn  settings: The setting `rates` refers to `https://shop.exampel`, but no loaded catalog has that origin. Did you mean `https://shop.example`?',
    ],
  ])
  const started = await plasmid(['sessions', ...line.slice(1, -2)], '', env)
  expect(started.stderr).toContain('setting_unused: The setting `effects` refers to `shpo`')
}, 60_000)

test('a damaged, newer or older store is reported', async () => {
  await used()
  const path = join(dir, 'plasmid.db')
  const db = await openDriver(path)
  db.exec(`UPDATE meta SET value = ${SCHEMA + 1} WHERE key = 'schema'`)
  db.close()
  expect((await doctor()).stdout).toContain('fail  store: A newer Plasmid migrated the store')
  await rm(path)
  await writeFile(path, 'no database at all, but long enough to be read as one '.repeat(20))
  const damaged = await doctor()
  expect([damaged.code, damaged.stdout]).toEqual([1, expect.stringContaining('fail  store: The store')])
  await rm(path)
  const older = await openDriver(path)
  older.exec(TABLES.replace(', told INTEGER NOT NULL DEFAULT 0', ''))
  older.exec("INSERT INTO meta VALUES ('schema', 0), ('born', 1)")
  older.close()
  const { code, stdout } = await doctor()
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`warn  store: The store has schema 0; the next start migrates it to ${SCHEMA}`),
  ])
  // It was only looked at.
  const still = await openDriver(path)
  expect(still.prepare("SELECT value FROM meta WHERE key = 'schema'").get()).toMatchObject({ value: 0 })
  still.close()
}, 60_000)

test('a taken port is a failure, a running server is not', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const taken = typeof address === 'object' && address ? String(address.port) : ''
  // What listens takes the question for no HTTP at all.
  other.on('connection', (socket) => socket.destroy())
  const refused = await doctor('--port', taken)
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining(`fail  port: Cannot listen on 127.0.0.1:${taken}: `),
  ])
  other.close()
  const server = await startTestServer({ log_level: 'silent' })
  const running = await doctor('--port', new URL(server.url).port)
  expect([running.code, running.stdout]).toEqual([
    0,
    expect.stringContaining('warn  port: A Plasmid server already listens on'),
  ])
  await server.close()
}, 60_000)

test('settings that are wrong are refused', async () => {
  const { code, stderr } = await doctor('--port', 'x')
  expect([code, stderr]).toEqual([2, expect.stringContaining('bad_value: `--port` must be a number.')])
}, 60_000)
