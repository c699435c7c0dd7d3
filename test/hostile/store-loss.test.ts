import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDriver } from '../../src/adapters/stores/sqlite/driver.ts'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { plasmid } from '../surfaces/plasmid.ts'
import { serveHere } from '../surfaces/server-here.ts'
import type { Server } from '../surfaces/server-process.ts'
import { jsonOf, SHOP } from '../surfaces/test-server.ts'

/* What readers are told after the store lost what it had acknowledged: a file that is older or gone, a Redis that starts anew. */

// Each of them starts a server or two.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const NOTICE = '**Prior Plasm symbol table is void.**'
const CUSTOMER = { api: 'shop', entity: 'Customer' }
const ORDER = { api: 'shop', entity: 'Order' }
/** A call that says nothing of what its reader holds. */
const SAME = { seeds: [CUSTOMER] }
const PRODUCT = { api: 'shop', entity: 'Product' }

const ENV = {
  PLASMID_SESSION_SCOPE: 'tenant',
  PLASMID_SECRET: 'a-secret-that-survives-every-loss-of-a-store',
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly code: string | undefined
}

/** A deployment whose store can be lost: two readers of one tenant, `ann` and `ben`, who share its sessions. */
class Deployment {
  readonly #dataDir: string
  readonly #keys: ReadonlyMap<string, string>
  readonly #flags: readonly string[]
  #server: Server

  private constructor(
    dataDir: string,
    keys: ReadonlyMap<string, string>,
    flags: readonly string[],
    server: Server,
  ) {
    this.#dataDir = dataDir
    this.#keys = keys
    this.#flags = flags
    this.#server = server
  }

  static async start(store: readonly string[] = []): Promise<Deployment> {
    const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-loss-'))
    const keys = new Map<string, string>()
    for (const subject of ['ann', 'ben']) {
      const add = ['keys', 'add', '--subject', subject, '--tenant', 'acme', '--data-dir', dataDir]
      const made = await plasmid([...add, ...store], '', ENV)
      keys.set(subject, made.stdout.trim())
    }
    const flags = ['--no-shipped', '--catalog', SHOP, '--auth', 'required', ...store]
    return new Deployment(dataDir, keys, flags, await serveHere(dataDir, flags, ENV))
  }

  /** The files of the SQLite store: the file itself, and its log. */
  async #files(): Promise<readonly string[]> {
    const names = await readdir(this.#dataDir)
    return names
      .filter((name) => /^plasmid\.db(?:-wal|-shm)?$/.test(name))
      .map((name) => join(this.#dataDir, name))
  }

  /** Takes a copy of the store while the server runs. */
  async copy(): Promise<void> {
    const db = await openDriver(join(this.#dataDir, 'plasmid.db'))
    db.exec(`VACUUM INTO '${join(this.#dataDir, 'copy.db')}'`)
    db.close()
  }

  async putBack(): Promise<void> {
    await this.restart(async () => {
      await Promise.all((await this.#files()).map((file) => rm(file)))
      await copyFile(join(this.#dataDir, 'copy.db'), join(this.#dataDir, 'plasmid.db'))
    })
  }

  async delete(): Promise<void> {
    await this.restart(async () => Promise.all((await this.#files()).map((file) => rm(file))))
  }

  /** Ends the server, lets the store lose what it loses, and starts the server again. */
  async restart(lose: () => Promise<unknown>): Promise<void> {
    await this.#server.kill()
    await lose()
    this.#server = await serveHere(this.#dataDir, this.#flags, ENV)
  }

  async context(reader: string, more: object): Promise<Answer> {
    return this.#post(reader, '/v1/contexts', { intent: 'goal', ...more })
  }

  async plan(reader: string, ref: string, program: string): Promise<Answer> {
    return this.#post(reader, `/v1/contexts/${ref}/plan`, { program })
  }

  async #post(reader: string, path: string, body: object): Promise<Answer> {
    const authorization = `Bearer ${this.#keys.get(reader)}`
    const response = await this.#server.send('POST', path, body, { authorization })
    const { text, detail, code } = await jsonOf<{ text?: string; detail?: string; code?: string }>(response)
    return { status: response.status, text: text ?? detail ?? '', code }
  }

  async close(): Promise<void> {
    await this.#server.kill()
    await rm(this.#dataDir, { recursive: true, force: true })
  }
}

/** `e1 Customer`: what a text teaches, by the rows that name an entity. */
function taught({ text }: Answer): string[] {
  return [...text.matchAll(/^(e\d+)\([^)\n]*\)\t(?:\w+\.)?([A-Z]\w*):/gm)].map(
    ([, symbol, name]) => `${symbol} ${name}`,
  )
}

let deployment: Deployment
afterEach(() => deployment.close())

describe('a file that was put back from an older copy', () => {
  /** Ann and Ben hold `e1` and `e2`; the file that comes back knows `e1` alone. */
  async function lost(): Promise<void> {
    deployment = await Deployment.start()
    for (const reader of ['ann', 'ben']) await deployment.context(reader, { seeds: [CUSTOMER] })
    await deployment.copy()
    expect(taught(await deployment.context('ann', { seeds: [ORDER] }))).toEqual(['e2 Order'])
    expect(taught(await deployment.context('ben', SAME))).toEqual(['e2 Order'])
    await deployment.putBack()
  }

  test('every reader gets the notice once, whether or not it says what it holds', async () => {
    await lost()
    const first = await deployment.context('ann', { have: 'e2' })
    expect([first.text.includes(NOTICE), taught(first)]).toEqual([true, ['e1 Customer']])
    const silent = await deployment.context('ben', SAME)
    expect([silent.text.includes(NOTICE), taught(silent)]).toEqual([true, ['e1 Customer']])
    // Another window of Ann that holds the lost symbol, although Ann was told.
    expect((await deployment.context('ann', { have: 'e2' })).text).toContain(NOTICE)
    for (const reader of ['ann', 'ben']) {
      const next = await deployment.context(reader, SAME)
      expect([next.text.includes(NOTICE), next.text.includes('_Session unchanged')]).toEqual([false, true])
    }
  })

  test('a reader that does not say what it holds may be the first', async () => {
    await lost()
    const silent = await deployment.context('ben', SAME)
    expect([silent.text.includes(NOTICE), taught(silent)]).toEqual([true, ['e1 Customer']])
    expect((await deployment.context('ben', SAME)).text).not.toContain(NOTICE)
    expect((await deployment.context('ann', { have: 'e2' })).text).toContain(NOTICE)
    const whole = await deployment.context('ann', { have: 'e1' })
    expect([whole.text.includes(NOTICE), taught(whole)]).toEqual([false, []])
  })

  test('a lost symbol is never given another meaning', async () => {
    await lost()
    expect((await deployment.plan('ann', 's0', 'e2')).code).toBe('unknown_symbol')
    const [symbol] = taught(await deployment.context('ann', { have: 'e1', seeds: [PRODUCT] }))
    expect(symbol).toMatch(/^e\d{4,} Product$/)
    expect((await deployment.plan('ben', 's0', 'e2')).code).toBe('unknown_symbol')
  })
})

describe('a file that was deleted', () => {
  async function lost(): Promise<void> {
    deployment = await Deployment.start()
    await deployment.context('ann', { seeds: [CUSTOMER, ORDER] })
    await deployment.delete()
  }

  test('a reader that holds symbols of it gets the notice and symbols of their own', async () => {
    await lost()
    const answer = await deployment.context('ann', { have: 'e2', seeds: [PRODUCT] })
    expect([answer.text.includes(NOTICE), taught(answer)]).toEqual([
      true,
      [expect.stringMatching(/^e\d{4,} Product$/)],
    ])
    expect(answer.text).not.toMatch(/^`s0`/)
  })

  test('no symbol changes its meaning, whichever reader opens the session anew', async () => {
    await lost()
    const opened = await deployment.context('ben', { seeds: [ORDER] })
    const [ref = ''] = /s\d+/.exec(opened.text) ?? []
    expect((await deployment.plan('ann', 's0', 'e1')).code).toBe('unknown_session')
    expect((await deployment.context('ann', { have: 'e2' })).text).toContain(NOTICE)
    expect((await deployment.plan('ben', ref, 'e1("c1")')).code).toBe('unknown_symbol')
  })
})

describe('a store that lost nothing', () => {
  test('refuses a `have` that it never gave; nothing is burnt or voided', async () => {
    deployment = await Deployment.start()
    await deployment.context('ann', { seeds: [CUSTOMER] })
    await deployment.restart(async () => undefined)
    for (const reader of ['ann', 'ben'])
      for (const have of ['e2', 'e500']) {
        const refused = await deployment.context(reader, { have, seeds: [ORDER] })
        expect([refused.status, refused.code]).toEqual([409, 'have_unknown'])
      }
    expect((await deployment.context('ann', { have: 'e1' })).text).toMatch(/_Session unchanged \(`e1`…`e1`\)/)
    expect(taught(await deployment.context('ann', { have: 'e1', seeds: [ORDER] }))).toEqual(['e2 Order'])
    const refused = await deployment.context('ann', { intent: 'never opened', have: 'e2', seeds: [ORDER] })
    expect(refused.code).toBe('have_unknown')
  })
})

describe.skipIf(whyNoRedis)(
  `a Redis that came back without its last commits${whyNoRedis ? ` (${whyNoRedis})` : ''}`,
  () => {
    let redis: RedisServer
    beforeAll(async () => void (redis = await RedisServer.start()))
    afterAll(() => redis.stop())

    test('every reader gets the notice once', async () => {
      deployment = await Deployment.start(['--store', redis.url])
      for (const reader of ['ann', 'ben']) await deployment.context(reader, { seeds: [CUSTOMER] })
      await redis.command('SAVE')
      await deployment.context('ann', { seeds: [ORDER] })
      await deployment.context('ben', SAME)
      await deployment.restart(async () => {
        await redis.kill()
        await redis.run()
      })
      const first = await deployment.context('ben', SAME)
      expect([first.text.includes(NOTICE), taught(first)]).toEqual([true, ['e1 Customer']])
      expect((await deployment.context('ann', { have: 'e2' })).text).toContain(NOTICE)
      for (const reader of ['ann', 'ben'])
        expect((await deployment.context(reader, SAME)).text).toContain('_Session unchanged')
      expect((await deployment.plan('ann', 's0', 'e2')).code).toBe('unknown_symbol')
    })
  },
)
