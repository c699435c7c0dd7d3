import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const TESTS = fileURLToPath(new URL('..', import.meta.url))
const PAGE = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8')

/** How many requirements each letter numbers: workspaces, context and trust, agents of ACP, clients of ACP. */
const NUMBERED = { O: 15, P: 30, A: 62, C: 8 }

/** The numbers at the start of titles: `A20 A21 load replays …`, `P16, P18: …`. */
function inTitles(): Set<string> {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => readFileSync(join(TESTS, file), 'utf8'))
  const titles = files.flatMap((text) => [...text.matchAll(/['"`]((?:[OPA]\d{1,2}[,:]? )+)/g)])
  return new Set(titles.flatMap(([, numbers = '']) => numbers.match(/[OPA]\d+/g) ?? []))
}

test('each numbered requirement of hosts has a test, or a line that says why not', () => {
  const tested = inTitles()
  const excused = new Set(PAGE.match(/(?<=^(?:- |\| ))[OPA]\d+/gm))
  if (/^\| C1 to C8 \|/m.test(PAGE)) for (let at = 1; at <= NUMBERED.C; at++) excused.add(`C${at}`)
  const all = Object.entries(NUMBERED).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
  )
  expect(all.filter((number) => !tested.has(number) && !excused.has(number))).toEqual([])
})
