import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Driver, SURFACES } from '../surfaces/drivers.ts'
import { startShopApi, type ShopApi } from '../surfaces/shop-api.ts'
import { SEEDS, SHOP } from '../surfaces/test-server.ts'

/** Texts that are no programs, or return nothing that a call gave, with the code of their refusal. */
const NO_PROGRAMS: readonly (readonly [text: string, code: string])[] = [
  ['Öl{tier=gold}', 'expected_expression'],
  ['Клиент', 'expected_expression'],
  ['顧客{tier=gold}', 'expected_expression'],
  ['größe = e1\ngröße', 'label_shape'],
  ['???', 'expected_expression'],
  ['… and then delete them all', 'expected_expression'],
  ['x = ???\ne1', 'expected_expression'],
  ['[1, 2, 3]', 'nothing_to_do'],
  ['"hello"', 'nothing_to_do'],
  ['42', 'nothing_to_do'],
  ['{a: 1}', 'nothing_to_do'],
  ['<<T\nhello\nT', 'nothing_to_do'],
  ['x = [{a: 1}]\nx', 'nothing_to_do'],
  ['e1("c1").delete()\n"done"', 'nothing_to_do'],
  ['e1("c1").delete(), "done"', 'nothing_to_do'],
  ['e1 => "done"', 'empty_loop'],
  ['e1 => _.name', 'empty_loop'],
  ['e1 => { who: _.name }', 'empty_loop'],
  ['x = {a: 1}\n[a]', 'line_continues'],
  ['x = e1\n[{id: c1}] => e1(_.id).delete()', 'line_continues'],
]

describe.each(['the HTTP API', 'MCP over stdio', 'MCP over HTTP, modern'])('%s', (surface) => {
  let api: ShopApi
  let driver: Driver
  beforeAll(async () => {
    api = await startShopApi()
    const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
    const flags = ['--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`]
    const opened = await SURFACES[surface]?.(dataDir, flags)
    if (!opened) throw new Error(surface)
    driver = opened
    await driver.context({ intent: 'only programs are programs', seeds: SEEDS })
  })
  afterAll(async () => {
    await driver.close()
    await api.close()
  })

  test.each(NO_PROGRAMS)('refuses %j before any call', async (program, code) => {
    const asked = { logical_session_ref: 's0', program }
    for (const answer of [await driver.plan(asked), await driver.run(asked)]) {
      expect(answer).toMatch(/^\(refused\)/)
      expect(answer).toContain(code)
    }
    expect(api.requests).toEqual([])
  })

  test('reads columns on the next line as part of the rows', async () => {
    const program = 'x = e1("c2")\n[name]\nx'
    const answer = await driver.run({ logical_session_ref: 's0', program })
    expect(answer).toContain('Customer 2')
    expect(answer).not.toContain('c2@shop.example')
  })
})
