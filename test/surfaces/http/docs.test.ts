import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statusOf } from '../../../src/surfaces/http/status.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

const page = await readFile(new URL('../../../docs/http.md', import.meta.url), 'utf8')

/** Each example: its commands, and the block of what they print. The first block is the reader's own settings. */
const [, ...examples] = [
  ...page.matchAll(/```sh\n([\s\S]*?)\n```\n(?:\n```(?:json|http|text)\n([\s\S]*?)\n```\n)?/g),
].map(([, commands = '', printed = '']) => ({ commands, printed }))

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

async function shell(commands: string): Promise<string> {
  const settings = [
    `URL=${server.url}`,
    `AUTH='Authorization: Bearer ${server.token}'`,
    "JSON='Content-Type: application/json'",
  ]
  // An answer ends without a line break: one a command keeps them apart.
  const lines = commands.replaceAll(/^curl (?:.*\\\n)*.*$/gm, (command) => `${command}; echo`)
  // Bash reads its start-up files where its input is a socket: it gets none, and a flag forbids them.
  const options = ['--norc', '--noprofile', '-euc', [...settings, lines].join('\n')]
  const child = spawn('bash', options, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect([code, errors]).toEqual([0, ''])
  return output.replaceAll('\r', '')
}

describe('docs/http.md', () => {
  test('has examples', () => {
    expect(examples.length).toBeGreaterThan(8)
  })

  test.each(examples)('$commands', async ({ commands, printed }) => {
    const output = (await shell(commands)).split('\n')
    // In the order of the page; `…` stands for anything.
    let from = 0
    for (const line of printed.split('\n')) {
      const pattern = new RegExp(
        `^${line
          .split(/…(?!`e1`)/)
          .map(escaped)
          .join('.*')}$`,
        'i',
      )
      const at = output.findIndex((one, index) => index >= from && pattern.test(one))
      expect([line, at, at < 0 ? output : []]).toEqual([line, at, []])
      from = at + 1
    }
  })

  test('gives each code its status', () => {
    const rows = [...page.matchAll(/^\| (\d{3}) \|[^|]+\|([^|]+)\|$/gm)]
    expect(rows.length).toBeGreaterThan(10)
    for (const [, status, codes = ''] of rows)
      for (const [, code = ''] of codes.matchAll(/`(\w+)`/g))
        expect([code, statusOf(code)]).toEqual([code, Number(status)])
  })
})

function escaped(literal: string): string {
  return literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
