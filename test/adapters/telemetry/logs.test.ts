import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fanOut } from '../../../src/adapters/telemetry/fan-out.ts'
import { openLogs, type LogLevel } from '../../../src/adapters/telemetry/logs.ts'
import type { Event } from '../../../src/base/event.ts'

async function logged(level: LogLevel, use: (logs: ReturnType<typeof openLogs>) => void): Promise<object[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'plasmid-log-')), 'log')
  const logs = openLogs(level, openSync(path, 'w'))
  use(logs)
  await logs.end()
  logs.emit(event('too late'))
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line): object => JSON.parse(line))
}

const event = (name: string, facts: Event['facts'] = {}): Event => ({ name, at: 1_800_000_000_000, facts })
const EVENTS = [
  event('request', { request: 'run', ok: true, codes: '' }),
  event('api_call', { effect: false, ok: true }),
  event('api_call', { effect: true, ok: true }),
  event('effect', { state: 'unknown' }),
  event('request', { request: 'run', ok: false, codes: 'internal_error' }),
  event('request', { request: 'run', ok: false, codes: 'store_replaced' }),
]

test('a line is JSON with time, level and facts', async () => {
  const lines = await logged('info', ({ emit }) => emit(EVENTS[0] ?? event('')))
  expect(lines).toEqual([
    {
      level: 'info',
      time: '2027-01-15T08:00:00.000Z',
      pid: process.pid,
      request: 'run',
      ok: true,
      codes: '',
      msg: 'request',
    },
  ])
})

test.for([
  ['debug', ['info', 'debug', 'info', 'warn', 'error', 'error']],
  ['info', ['info', 'info', 'warn', 'error', 'error']],
  ['warn', ['warn', 'error', 'error']],
  ['error', ['error', 'error']],
  ['silent', []],
] as const)('at %s it shows %s', async ([level, shown]) => {
  const lines = await logged(level, ({ emit }) => EVENTS.forEach((one) => emit(one)))
  expect(lines.map((line) => 'level' in line && line.level)).toEqual(shown)
})

test('secrets are not written, whatever contains them', async () => {
  const [facts, failure] = await logged('info', ({ emit, report }) => {
    emit(
      event('request', {
        authorization: 'Bearer abcdef123',
        set_cookie: 'sid=1',
        api_key: 'k',
        access_token: 't',
        origin: 'https://user:hunter2@api.example',
        tokens: 3,
      }),
    )
    const cause = new Error('sent authorization: Bearer abcdef.123-456')
    report(
      Object.assign(new Error('redis://me:hunter2@host failed', { cause }), { headers: { cookie: 'sid' } }),
    )
  })
  expect(facts).toMatchObject({
    authorization: '[redacted]',
    set_cookie: '[redacted]',
    api_key: '[redacted]',
    access_token: '[redacted]',
    origin: 'https://user:[redacted]@api.example',
    tokens: 3,
  })
  expect(failure).toMatchObject({
    level: 'error',
    err: { message: 'redis://me:[redacted]@host failed', cause: 'sent authorization: Bearer [redacted]' },
  })
  expect(JSON.stringify(failure)).not.toMatch(/hunter2|abcdef|sid/)
})

test('a listener that throws is reported once and removed', () => {
  const told: unknown[] = []
  const seen: string[] = []
  const { emit, add, flush } = fanOut((error) => void told.push(error))
  add(() => {
    throw new Error('full')
  })
  add(({ name }) => void seen.push(name))
  emit(event('a'))
  emit(event('b'))
  flush()
  expect([seen, told]).toEqual([['a', 'b'], [new Error('full')]])
})

test('events are handed over by themselves', async () => {
  const { emit, add } = fanOut(() => undefined)
  const heard = new Promise<string>((resolve) => add(({ name }) => resolve(name)))
  emit(event('a'))
  expect(await heard).toBe('a')
})

test('undelivered events do not accumulate', () => {
  const { emit, add } = fanOut(() => undefined)
  const seen: string[] = []
  add(({ name }) => void seen.push(name))
  for (let told = 0; told < 1000; told++) emit(event(`e${told}`))
  expect(seen.slice(0, 2)).toEqual(['e0', 'e1'])
  expect(1000 - seen.length).toBeLessThan(256)
})
