import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readPolicy } from '../../src/access/policy.ts'
import { readConfig } from '../../src/config/read.ts'

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((block) => block[1] ?? '')

test('the configuration on the page is one', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plasmid-page-')), 'plasmid.yaml')
  writeFileSync(file, `${blocks[0] ?? ''}${blocks[1] ?? ''}`)
  expect(readConfig({ flags: {}, env: {}, cwd: tmpdir(), file })).toMatchObject({
    ok: true,
    value: {
      auth: 'required',
      access: {
        publicUrl: 'https://plasmid.example.com',
        ownSecrets: [
          { tenant: 'acme', subject: 'ada', secrets: { 'env:SHOP_TOKEN': 'env:SHOP_TOKEN_ADA' } },
          { tenant: 'acme', secrets: { 'env:SHOP_TOKEN': 'file:/run/secrets/acme-shop' } },
        ],
        jwt: [
          {
            issuer: 'https://login.example.com',
            audience: ['https://plasmid.example.com/mcp'],
            scopes: ['plasmid'],
          },
          { issuer: 'our-gateway', audience: ['plasmid'], source: { secret: 'env:GATEWAY_SECRET' } },
        ],
      },
    },
  })
})

test('the policy on the page does what it says', () => {
  const read = readPolicy(parse(blocks[2] ?? ''), 'policy.yaml', Date.parse)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const acme = read.value.rightsOf({
    from: 'jwt',
    issuer: 'https://login.example.com',
    tenant: 'acme',
    subject: 'bob',
  })
  expect([
    acme.mayUseCatalog('shop'),
    acme.mayUseCapability('shop', 'customer_create'),
    acme.effectPolicy('shop', 'customer_delete'),
    acme.mayUseCapability('library', 'anything'),
    acme.mayUseCatalog('other'),
    acme.revokedBefore,
    read.value.rightsOf({ from: 'local' }).mayUseCatalog('other'),
    read.value.rightsOf({ from: 'key', tenant: 'acme', subject: 'bob' }).mayUseCatalog('shop'),
  ]).toEqual([true, false, 'confirm', true, false, Date.UTC(2026, 0, 31, 12), true, false])
})
