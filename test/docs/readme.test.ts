import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plasmid } from '../surfaces/plasmid.ts'
import { jsonOf, startTestServer, type TestServer } from '../surfaces/test-server.ts'

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const session = /^## A session[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? ''
const [discovered = '', table = '', program = '', unchanged = '', mistake = ''] = [
  ...session.matchAll(/^(`{3,4})\n([\s\S]*?)^\1$/gm),
].map(([, , block]) => block)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ catalogs: [], shipped: true, backends: {}, log_level: 'silent' })
})
afterAll(() => server.close())

async function said(path: string, body: object): Promise<string> {
  const answer = await jsonOf<{ readonly text?: string; readonly detail?: string }>(
    await server.send('POST', path, body),
  )
  return answer.text ?? answer.detail ?? ''
}

/** What stands before the dots. */
function beginning(block: string): string {
  expect(block.endsWith('…\n')).toBe(true)
  return block.slice(0, -2)
}

test('its session is one that happens', async () => {
  const goal = /\*([^*]+)\*, and returns/.exec(session)?.[1]
  expect(await said('/v1/discover', { intent: goal })).toContain(beginning(discovered))
  const seeds = [
    { api: 'bazaar', entity: 'Customer' },
    { api: 'bazaar', entity: 'Order' },
  ]
  const opens = { intent: goal, seeds }
  expect(await said('/v1/contexts', opens)).toBe(table)
  expect(await said('/v1/contexts', opens)).toBe(unchanged)
  expect(await said('/v1/contexts/s0/plan', { program })).toContain('plan ok')
  const wrong = /^1 \| (.+)$/m.exec(mistake)?.[1] ?? ''
  const refusal = await said('/v1/contexts/s0/run', { program: wrong })
  expect(`${refusal.trimEnd()}\n`).toBe(mistake)
})

test('its commands and links lead somewhere', async () => {
  const { stdout } = await plasmid(['--help'])
  const commands = [...page.matchAll(/\bplasmid ((?!-)[a-z]+(?: check| show| language)?)/g)].map(
    ([, name]) => name,
  )
  expect(commands.length).toBeGreaterThan(4)
  for (const name of commands) expect(stdout).toContain(`  ${name}  `)
  const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([])
})
