import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readProgram } from '../../src/language/program.ts'
import { applyFix } from '../../src/language/syntax/fix.ts'
import { readingOf } from '../readings.ts'
import { sessionOf } from '../language/sessions.ts'
import { SHARED_DATA, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/*
 * Programs as a model writes them on a first try, from the table alone. `# entities` (none: all of them), then for each
 * goal `== goal` and the program.
 */

const folder = new URL('./first-try/', import.meta.url)

async function tried(file: string) {
  const [head = '', ...parts] = readFileSync(new URL(file, folder), 'utf8').split(/^== /m)
  const names = head.replace(/^#/, '').trim().split(',').filter(Boolean)
  const path = new URL(`catalogs/${file.replace('.programs', '')}`, SHARED_DATA).pathname
  const { catalog } = await readingOf(path)
  if (!catalog) throw new Error(`no catalog ${path}`)
  const scope = sessionOf([catalog, ...names])
  return parts.map((part) => {
    const program = part.slice(part.indexOf('\n') + 1).trimEnd()
    const read = readProgram(program, scope)
    const fixes = read.ok ? [] : read.problems.flatMap(({ fix }) => (fix ? [applyFix(program, fix)] : []))
    const bad = fixes.filter((fixed) => fixed === program || !readProgram(fixed, scope).ok)
    return { program, refused: !read.ok, isFixed: fixes.length > 0, bad }
  })
}

describe.skipIf(whyNoSharedData)(`first programs${sharedDataNote}`, () => {
  test('are right, or have a fix that checks', async () => {
    const all = (await Promise.all(readdirSync(folder).map(tried))).flat()
    const refused = all.filter((one) => one.refused)
    expect(all.length).toBeGreaterThanOrEqual(150)
    expect(all.flatMap(({ bad }) => bad)).toEqual([])
    expect(refused.filter(({ isFixed }) => isFixed).length / refused.length).toBeGreaterThanOrEqual(0.6)
  })
})
