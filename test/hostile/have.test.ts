import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SURFACES, type Driver } from '../surfaces/drivers.ts'
import { startShopApi, type ShopApi } from '../surfaces/shop-api.ts'
import { SEEDS, SHOP } from '../surfaces/test-server.ts'

const MORE = [{ api: 'shop', entity: 'Product' }]
const s0 = { logical_session_ref: 's0' }

describe.each(['the HTTP API', 'MCP over stdio', 'MCP over HTTP, modern'])('`have` over %s', (surface) => {
  let api: ShopApi
  let driver: Driver
  beforeAll(async () => {
    api = await startShopApi()
    const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
    const opened = await SURFACES[surface]?.(dataDir, [
      '--no-shipped',
      '--catalog',
      SHOP,
      '--backend',
      `shop=${api.url}`,
    ])
    if (!opened) throw new Error(surface)
    driver = opened
    await driver.context({ intent: 'have', seeds: SEEDS })
  })
  afterAll(async () => {
    await driver.close()
    await api.close()
  })

  test(
    'beyond what was given is refused, burns no symbols and voids no table',
    { timeout: 60_000 },
    async () => {
      for (let turn = 0; turn < 120; turn++) {
        const ahead = { ...s0, have: `e${2 + turn * 1000}` }
        const answer = await driver.context(turn % 2 === 0 ? ahead : { ...ahead, seeds: MORE })
        expect(answer).toMatch(/^\(refused\)/)
        expect(answer).toContain('have_unknown')
      }
      expect(await driver.context({ ...s0, have: 'e1' })).toMatch(/_Session unchanged \(`e1`…`e1`\)/)
      expect(await driver.plan({ ...s0, program: 'e1("c1")[name]' })).toContain('plan ok')
      const extended = await driver.context({ ...s0, seeds: MORE })
      expect(extended).toContain('\ne2')
      expect(extended).not.toContain('void')
    },
  )

  test('of a session that does not exist opens none', async () => {
    const answer = await driver.context({ intent: 'another', seeds: SEEDS, have: 'e12' })
    expect(answer).toContain('have_unknown')
    expect(await driver.context({ intent: 'yet another', seeds: SEEDS })).toMatch(/^`s1`/)
  })

  test('is named by the answers that a reader without rows gets', async () => {
    expect(await driver.context({ ...s0, have: 'e2' })).toMatch(/unchanged .*have = the last e#/)
    expect(await driver.plan({ ...s0, program: 'e77' })).toContain('`have`')
  })
})
