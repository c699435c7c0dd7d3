import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexOf } from '../../src/catalog/lookup.ts'
import { Spaces } from '../../src/engine/memory/spaces.ts'
import { check } from '../../src/language/check/check.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import { explainProblems } from '../../src/language/explain.ts'
import { readProgram } from '../../src/language/program.ts'
import { parse } from '../../src/language/syntax/parse.ts'
import { program } from '../../src/language/syntax/parser.ts'
import { print } from '../../src/language/syntax/print.ts'
import { Tokens } from '../../src/language/syntax/tokens.ts'
import type { Wave } from '../../src/session/record.ts'
import { decide } from '../../src/session/reuse.ts'
import { teachingTable } from '../../src/teaching/table.ts'
import { anyProgram, mutated, withoutSpans } from '../language/generators.ts'
import { checkText } from '../language/read.ts'
import { inBoth } from '../language/sessions.ts'
import { openingOf, presentOf } from '../session/worlds.ts'
import { model, WORLDS } from './histories.ts'
import { cases } from '../law-cases.ts'
import { RIGHT } from './valid-programs.ts'

const RUNS = cases(100_000)

/** Texts of every kind: noise, marks of the language, broken programs, right ones. */
const marks = fc.constantFrom(
  ...'e1 E ( ) { } [ ] < > = ! ~ . , ; : \' " \\ $ _ # - & => a= .. page( <<T T ${ ;; .limit(1) Customer e2( tier=gold'.split(
    ' ',
  ),
  ' ',
  '\n',
  '\t',
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(marks, { maxLength: 30 }).map((pieces) => pieces.join('')),
  mutated(fc.constantFrom(...RIGHT)),
  fc.constantFrom(...RIGHT),
)

describe('any text', () => {
  test('gets an answer and never an exception', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = readProgram(text, inBoth)
        expect(read.ok || explainProblems(text, read.problems) !== '').toBe(true)
        const { problems } = check(parse(text).program, inBoth, { teaching: true })
        expect(problems.length).toBeLessThanOrEqual(20)
      }),
      { numRuns: RUNS },
    )
  })

  test('doubled takes at most two and a half times the steps', { timeout: 600_000 }, () => {
    const stepsOf = (text: string) => {
      const tokens = new Tokens(text)
      program(tokens)
      return tokens.steps
    }
    fc.assert(
      fc.property(anyText, (piece) => {
        // Above the lengths up to which a line may be a sentence or SQL, which cost less.
        const text = piece.repeat(Math.ceil(1200 / (piece.length + 1)))
        expect(stepsOf(text + text)).toBeLessThanOrEqual(2.5 * stepsOf(text) + 100)
      }),
      { numRuns: RUNS },
    )
  })

  test('doubled asks the session at most two and a half times as often', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = `${text}\n`.repeat(4)
        expect(questionsOf(lines + lines)).toBeLessThanOrEqual(2.5 * questionsOf(lines) + 200)
      }),
      { numRuns: RUNS },
    )
  })
})

/** How often the check of a text asks its session something. */
function questionsOf(text: string): number {
  let asked = 0
  const counted =
    <Asked extends readonly unknown[], Answer>(ask: (...of: Asked) => Answer) =>
    (...of: Asked) => {
      asked++
      return ask(...of)
    }
  const { space } = inBoth
  const scope: Scope = {
    ...inBoth,
    model: counted(inBoth.model),
    allows: counted(inBoth.allows),
    space: { ...space, meaning: counted(space.meaning), exposureOf: counted(space.exposureOf) },
  }
  check(parse(text).program, scope)
  return asked
}

test('a printed program reads as itself', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(anyProgram, (tree) => {
      const { program: again, problems } = parse(print(tree))
      expect(problems).toEqual([])
      const [read, said] = [withoutSpans(again), withoutSpans(tree)]
      // The cheap comparison first: the other one is for people.
      if (!isDeepStrictEqual(read, said)) expect(read).toEqual(said)
    }),
    { numRuns: RUNS },
  )
})

test('a plan knows no names of labels', { timeout: 600_000 }, () => {
  const bound = RIGHT.filter((text) => parse(text).program.bindings.length > 0)
  const digestOf = (text: string) => {
    const read = readProgram(text, inBoth)
    return read.ok ? read.plan.digest : read.problems
  }
  const digests = new Map(bound.map((text) => [text, digestOf(text)]))
  fc.assert(
    fc.property(fc.constantFrom(...bound), fc.stringMatching(/^[a-z]{1,6}$/), (text, stem) => {
      const labels = parse(text).program.bindings.map(({ label }) => label.text)
      const renamed = labels.reduce(
        // Where the label is bound, walked on from, or returned: never as a word of a slot.
        (said, label, index) =>
          said.replaceAll(new RegExp(`(?<![\\w.])${label}(?=\\.|\\[|\\{| =|$)`, 'gm'), `x_${stem}${index}`),
        text,
      )
      expect(renamed).not.toBe(text)
      expect(digestOf(renamed)).toEqual(digests.get(text))
    }),
    { numRuns: RUNS },
  )
})

const everything = () => true
const spaces = new Spaces()
const spaceOf = (waves: readonly Wave[]) => spaces.of(waves, model)
const set = WORLDS[0]
const NAMES = [...(set?.byId.values() ?? [])].flatMap(({ catalog }) =>
  [...indexOf(catalog).entities.values()]
    .filter(({ abstract }) => !abstract)
    .map(({ name }) => `${catalog.id}:${name}`),
)

/** The waves of a session that opens with these seeds. */
function wavesOf(seeds: readonly string[]): readonly Wave[] {
  if (!set) throw new Error('no world')
  const decision = decide(null, openingOf(set, [...seeds]), presentOf(set, 1))
  if (!('next' in decision)) throw new Error('nothing was there before')
  return decision.next.waves
}

const tableOf = (waves: readonly Wave[]) =>
  teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: everything })

describe('seeds', () => {
  const someSeeds = fc.subarray(NAMES, { minLength: 1 })

  test('give one table in any order, however often', { timeout: 600_000 }, () => {
    const twice = someSeeds.chain((seeds) =>
      fc.tuple(
        fc.constant(seeds),
        fc.shuffledSubarray([...seeds, ...seeds], {
          minLength: seeds.length * 2,
          maxLength: seeds.length * 2,
        }),
      ),
    )
    fc.assert(
      fc.property(twice, ([seeds, again]) => {
        expect(tableOf(wavesOf(again))).toBe(tableOf(wavesOf(seeds)))
      }),
      { numRuns: RUNS },
    )
  })

  test('are taught in rows that check', { timeout: 600_000 }, () => {
    const known = new Map<string, readonly string[]>()
    fc.assert(
      fc.property(someSeeds, (seeds) => {
        const waves = wavesOf(seeds)
        const table = tableOf(waves)
        // There are far fewer subsets than cases.
        const wrong = known.get(table) ?? wrongRows(table, waves)
        known.set(table, wrong)
        expect(wrong).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})

function wrongRows(table: string, waves: readonly Wave[]): readonly string[] {
  const scope: Scope = { space: spaceOf(waves), model, allows: everything, ref: 's0' }
  const rows = table.split('\n').slice(1, -1)
  return rows.flatMap((row) => {
    const [expression = ''] = row.split('\t')
    return checkText(expression, scope, true).problems.map(({ code }) => `${code}: ${row}`)
  })
}
