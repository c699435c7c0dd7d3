import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plasmid } from '../plasmid.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { SHOP } from '../test-server.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

const DELETE = 'e1("c2").delete()'
let api: ShopApi
let engine: readonly string[]
beforeAll(async () => {
  api = await startShopApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-agree-'))
  const backend = ['--backend', `shop=${api.url}`]
  engine = ['--data-dir', dataDir, '--no-shipped', '--catalog', SHOP, '--effects', '*=confirm', ...backend]
  await plasmid(['context', '--intent', 'agree', '--seed', 'shop:Customer', ...engine])
})
afterAll(() => api.close())

/** Runs the plan at a terminal, answers its question so, and gives what stood on the screen. */
async function atTerminal(planRef: string, answer: string) {
  const command = [process.execPath, PLASMID, 'run', '--ref', 's0', '--plan', planRef, DELETE, ...engine]
  const quoted = command.map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', quoted, '/dev/null'], { env: cleanEnv() })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const wasAsked = screen.includes('[y/N]')
    screen += chunk.toString()
    if (!wasAsked && screen.includes('[y/N]')) child.stdin.write(answer)
  })
  const [code] = await once(child, 'close')
  return { code: Number(code), screen: screen.replaceAll('\r\n', '\n') }
}

// `script` gives a process a terminal; elsewhere than on Linux its arguments are others.
test.runIf(process.platform === 'linux')(
  'the person at the terminal is asked, and only yes is yes',
  async () => {
    await plasmid(['plan', '--ref', 's0', DELETE, ...engine])
    for (const answer of ['\n', 'n\n', 'yess\n', '\u0003', '\u0004']) {
      const { code, screen } = await atTerminal('pc1', answer)
      expect([code, screen]).toEqual([1, expect.stringMatching(/warn: writes shop:customer_delete\n/)])
      expect(screen).toContain('Run this plan? [y/N]')
      expect(screen).toContain('not_confirmed at plan')
    }
    expect(api.requests).toEqual([])
    const { code, screen } = await atTerminal('pc1', 'y\n')
    expect([code, screen]).toEqual([0, expect.stringContaining('_Changes: 1 done._')])
    expect(api.requests).toEqual(['DELETE /v1/customers/c2'])
  },
  60_000,
)

test('without a terminal a write is refused, unless --yes is given', async () => {
  const planned = await plasmid(['plan', '--ref', 's0', DELETE, ...engine])
  const planRef = /pc\d+/.exec(planned.stdout)?.[0] ?? ''
  const before = api.requests.length
  const line = ['run', '--ref', 's0', '--plan', planRef, DELETE, ...engine]
  expect(await plasmid(line, 'y\n')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^not_confirmed/),
  })
  expect(api.requests.length).toBe(before)
  expect((await plasmid([...line, '--yes'])).stdout).toContain('_Changes: 1 done._')
  expect(api.requests.length).toBe(before + 1)
})
