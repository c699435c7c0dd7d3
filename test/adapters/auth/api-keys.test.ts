import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyRing } from '../../../src/adapters/auth/api-keys.ts'
import { keysInDirectory } from '../../../src/adapters/auth/key-places.ts'

const NOW = Date.UTC(2026, 10, 21)
const newDir = async () => join(await mkdtemp(join(tmpdir(), 'plasmid-keys-')), 'keys')
const ringOf = (dir: string, now = () => NOW) => keyRing(keysInDirectory(dir), { now })

async function added(
  dir: string,
  wanted: Parameters<ReturnType<typeof ringOf>['add']>[0] = { subject: 'ci' },
) {
  const made = await ringOf(dir).add(wanted)
  if (!made.ok) throw new Error(JSON.stringify(made.problems))
  return made.value
}
const codes = (result: { readonly ok: boolean; readonly problems?: readonly { readonly code: string }[] }) =>
  (result.problems ?? []).map(({ code }) => code)

test('proves whose key it is', async () => {
  const dir = await newDir()
  const { key } = await added(dir, { subject: 'ci', tenant: 'acme' })
  expect(key).toMatch(/^plasmid_[0-9a-f]{16}_[\w-]{32}$/)
  expect(await ringOf(dir).verify(key)).toEqual({
    identity: { from: 'key', tenant: 'acme', subject: 'ci' },
    issuedAt: NOW,
  })
})

test('does not wait for a named pipe in the place of a key', async () => {
  const dir = await newDir()
  const { key, id } = await added(dir)
  const path = join(dir, `${id}.json`)
  await rm(path)
  execFileSync('mkfifo', ['-m', '600', path])
  const refusal = await ringOf(dir)
    .verify(key)
    .catch(({ cause }: Error) => String(cause))
  expect(refusal).toContain('not a plain file')
})

test('keeps no secret', async () => {
  const dir = await newDir()
  const { key, id } = await added(dir)
  const [name = ''] = await readdir(dir)
  const text = await readFile(join(dir, name), 'utf8')
  expect(name).toBe(`${id}.json`)
  expect(text).not.toContain(key.split('_').slice(2).join('_'))
  expect(JSON.parse(text)).toEqual({
    id,
    subject: 'ci',
    created_at: '2026-11-21T00:00:00.000Z',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600)
})

test('takes no other text for a key', async () => {
  const dir = await newDir()
  const { key, id } = await added(dir)
  const { key: other } = await added(dir, { subject: 'other' })
  const secret = other.slice(-32)
  for (const wrong of [
    '',
    'plasmid_',
    `${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    ` ${key}`,
    `plasmid_${id}_${secret}`,
    `plasmid_0000000000000000_${secret}`,
    `plasmid_../../${id}_${secret}`,
    `plasmid_${id}_${'A'.repeat(32)}`,
  ])
    expect(await ringOf(dir).verify(wrong)).toBeNull()
})

test('ends a key at its time', async () => {
  const dir = await newDir()
  const { key, expires_at: at } = await added(dir, { subject: 'ci', expires: '2h' })
  expect(at).toBe('2026-11-21T02:00:00.000Z')
  expect(await ringOf(dir, () => NOW + 7_199_999).verify(key)).not.toBeNull()
  expect(await ringOf(dir, () => NOW + 7_200_000).verify(key)).toBeNull()
})

test('ends a key that was revoked, at once', async () => {
  const dir = await newDir()
  const ring = ringOf(dir)
  const [{ key, id }, { key: kept }] = [await added(dir), await added(dir)]
  expect(await ring.verify(key)).not.toBeNull()
  expect(await ring.revoke(id)).toMatchObject({ ok: true, value: { id } })
  expect([await ring.verify(key), (await ring.verify(kept)) !== null]).toEqual([null, true])
  expect(codes(await ring.revoke(id))).toEqual(['key_unknown'])
})

test('lists keys without what would prove them', async () => {
  const dir = await newDir()
  const { key: _, ...info } = await added(dir, { subject: 'ci', tenant: 'acme', expires: '90d' })
  await writeFile(join(dir, 'notes.txt'), 'not a key')
  expect(await ringOf(dir).list()).toEqual({ ok: true, value: [info] })
  expect(await ringOf(await newDir()).list()).toEqual({ ok: true, value: [] })
})

test.each([
  ['2999-01-31', '2999-01-31T00:00:00.000Z'],
  ['2999-01-31T12:00+02:00', '2999-01-31T10:00:00.000Z'],
])('a key expires at %s, which is %s', async (expires, at) => {
  expect(await added(await newDir(), { subject: 'x', expires })).toMatchObject({ expires_at: at })
})

test.each([
  [{ subject: '' }, ['key_bad_name']],
  [{ subject: 'x', tenant: '' }, ['key_bad_name']],
  [{ subject: '\ud800', tenant: 'x'.repeat(513) }, ['key_bad_name', 'key_bad_name']],
  [{ subject: 'x', expires: 'soon' }, ['key_bad_expiry']],
  [{ subject: 'x', expires: '2020-01-01T00:00:00Z' }, ['key_bad_expiry']],
  [{ subject: 'x', expires: '0d' }, ['key_bad_expiry']],
  [{ subject: 'x', expires: '9999-01-31T00:00:00' }, ['key_bad_expiry']],
  [{ subject: 'x', expires: '9999-02-29' }, ['key_bad_expiry']],
  [{ subject: 'x', expires: 'Jan 9999 (x)' }, ['key_bad_expiry']],
])('makes no key for %j', async (wanted, expected) => {
  const dir = await newDir()
  expect(codes(await ringOf(dir).add(wanted))).toEqual(expected)
  expect(await ringOf(dir).list()).toEqual({ ok: true, value: [] })
})

test.each([
  ['is no JSON', '{'],
  ['lies about its id', JSON.stringify({ id: 'ffffffffffffffff' })],
  ['has no subject', { subject: '' }],
  ['has an empty tenant', { tenant: '' }],
  ['has a number as tenant', { tenant: 1 }],
  ['has a short hash', { sha256: 'ab' }],
  ['has an expiry that is no time', { expires_at: 'never' }],
])('takes no key whose file %s', async (_, change) => {
  const dir = await newDir()
  const { key, id } = await added(dir)
  const path = join(dir, `${id}.json`)
  const stored: object = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, typeof change === 'string' ? change : JSON.stringify({ ...stored, ...change }))
  expect(await ringOf(dir).verify(key)).toBeNull()
})

test('distinguishes a directory error from a wrong key', async () => {
  const dir = await newDir()
  const { key } = await added(dir)
  const file = join(dir, '..', 'file')
  await writeFile(file, '')
  await chmod(file, 0o600)
  await expect(ringOf(join(file, 'keys')).verify(key)).rejects.toMatchObject({ retryable: true })
  expect(codes(await ringOf(join(file, 'keys')).add({ subject: 'ci' }))).toEqual(['keys_unusable'])
})

test.each(['the directory', 'the file'])('accepts no key while other users can write %s', async (what) => {
  const dir = await newDir()
  const { key, id } = await added(dir)
  const path = what === 'the file' ? join(dir, `${id}.json`) : dir
  const { mode } = await stat(path)
  await chmod(path, mode | 0o002)
  await expect(ringOf(dir).verify(key)).rejects.toThrow('cannot be read')
  expect(codes(await ringOf(dir).list())).toEqual(['keys_unusable'])
  await chmod(path, mode)
  expect(await ringOf(dir).verify(key)).toMatchObject({ identity: { subject: 'ci' } })
})
