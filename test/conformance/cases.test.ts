import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { effectsOf } from '../../src/engine/effects/effects.ts'
import { reviewText } from '../../src/engine/effects/review.ts'
import { DEFAULT_BUDGET } from '../../src/execution/budget.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import { aboutOf, explainProblems } from '../../src/language/explain.ts'
import { problem } from '../../src/language/problems.ts'
import { readProgram } from '../../src/language/program.ts'
import { applyFix } from '../../src/language/syntax/fix.ts'
import { syntaxProblem } from '../../src/language/syntax/problems.ts'
import { rowsAbout } from '../../src/teaching/rows.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { desk } from '../language/desk-catalog.ts'
import { atDesk, inBoth, inShop, sessionOf, shop } from '../language/sessions.ts'

/*
 * Files of cases: `=== title (session)`, the program, `---`, the whole answer: the plan as it is reviewed, or what is wrong.
 * A program `@501 e4 .limit(9)` is `e4` and then `.limit(9)` 501 times. After a change that is meant,
 * `UPDATE_CASES=1` writes the answers anew: then read them.
 */

/** The desk with two methods that are called alike. */
const twins = desk.capabilities.map((one) => ({ ...one, label: one.label.replace('-now', '') }))

const SESSIONS: Readonly<Record<string, Scope>> = {
  shop: inShop,
  both: inBoth,
  desk: atDesk,
  harbor: sessionOf([fixtureCatalog('harbor')]),
  nothing: sessionOf(),
  customers: sessionOf([shop, 'Customer']),
  twins: sessionOf([{ ...desk, capabilities: twins }]),
  changed: sessionOf([shop, 'Customer', 'Product'], [{ ...shop, description: 'another' }, 'Customer']),
}

const folder = new URL('./cases/', import.meta.url)
const files = readdirSync(folder)

interface Case {
  readonly title: string
  readonly session: string
  readonly program: string
  readonly answer: string
}

function casesIn(file: string): Case[] {
  const [, ...blocks] = `\n${readFileSync(new URL(file, folder), 'utf8').trimEnd()}`.split('\n=== ')
  return blocks.map((block) => {
    const [, title = '', session = '', rest = ''] = /^(.*) \((\w+)\)\n([^]*)$/.exec(block) ?? []
    const [program = '', answer = ''] = rest.split('\n---\n')
    return { title, session, program, answer }
  })
}

/** The program as it is read, in its session. */
function readCase({ program, session }: Case) {
  const [, times, head = '', piece = ''] = /^@(\d+) (\S+) (.*)$/.exec(program) ?? []
  const text = times === undefined ? program : head + piece.repeat(Number(times))
  const scope = SESSIONS[session]
  if (!scope) throw new Error(`no session ${session}`)
  return { text, scope, read: readProgram(text, scope) }
}

function answerTo(one: Case): string {
  const { text, scope, read } = readCase(one)
  return read.ok
    ? reviewText(read.plan, { effects: effectsOf(read.plan, DEFAULT_BUDGET) }, 'pc1', scope.model).trimEnd()
    : explainProblems(text, read.problems, rowsAbout(scope, aboutOf(read.problems), 1200))
}

if (process.env['UPDATE_CASES'] === '1') {
  for (const file of files) {
    const blocks = casesIn(file).map(
      (one) => `=== ${one.title} (${one.session})\n${one.program}\n---\n${answerTo(one)}\n`,
    )
    writeFileSync(new URL(file, folder), blocks.join(''))
  }
}

describe.each(files)('%s', (file) => {
  test.each(casesIn(file))('$title', (one) => {
    expect(answerTo(one)).toBe(one.answer)
  })
})

test('every code of the language occurs in a case', () => {
  const answers = files.flatMap(casesIn).map(({ answer }) => answer)
  const codes = [...Object.keys(problem.table), ...Object.keys(syntaxProblem.table)]
  const told = new Set(
    answers.flatMap((answer) => [...answer.matchAll(/^([a-z_]+): /gm)].map(([, code]) => code)),
  )
  expect(codes.filter((code) => !told.has(code))).toEqual([])
})

test('a fix mends what it was offered for', () => {
  const left = files.flatMap(casesIn).flatMap((one) => {
    const { text, scope, read } = readCase(one)
    if (read.ok) return []
    return read.problems.flatMap(({ message, fix }) => {
      const again = fix && readProgram(applyFix(text, fix), scope)
      return again && !again.ok && again.problems.some((other) => other.message === message) ? [text] : []
    })
  })
  expect(left).toEqual([])
})
