import { describe, expect, it } from 'vitest'
import { checkReport } from '../../src/catalog/report.ts'
import { readingOf } from '../readings.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

const pathsOf = (kind: 'catalogs' | 'fixtures') => sharedCatalogs(kind).map(([, path]) => path)
const catalogs = pathsOf('catalogs')
const fixtures = pathsOf('fixtures')

describe.skipIf(whyNoSharedData)(`catalogs by other authors${sharedDataNote}`, async () => {
  const readings = await Promise.all(catalogs.map((path) => readingOf(path)))
  const reports = readings.map(checkReport)

  it('all load without an error', () => {
    expect(reports.flatMap(({ id, errors }) => errors.map((error) => ({ id, error })))).toEqual([])
    expect(reports.every(({ ok }) => ok)).toBe(true)
  })

  it('run all capabilities but two', () => {
    const capabilities = reports.reduce((sum, report) => sum + report.capabilities, 0)
    const supported = reports.reduce((sum, report) => sum + report.supported, 0)
    expect({ capabilities, supported }).toEqual({ capabilities: 690, supported: 688 })
  })

  it('name a known feature for each that does not run', () => {
    const features = new Set<string>(
      reports.flatMap(({ unsupported }) => unsupported.flatMap((entry) => entry.features)),
    )
    // Two capabilities require a parameter that their requests do not send.
    expect([...features].toSorted()).toEqual(['unsent_parameter'])
  })

  it('keep all of the largest', () => {
    const github = reports.find(({ id }) => id === 'github')
    expect(github?.capabilities).toBe(91)
    expect(github?.unsupported).toEqual([])
  })

  it('are warned of keys that do nothing', () => {
    const unknown = reports.flatMap(({ warnings }) => warnings.filter(({ code }) => code === 'unknown_key'))
    const keys = unknown.map(({ message }) => /key `(\w+)`/.exec(message)?.[1] ?? message)
    expect(keys.toSorted()).toEqual([
      'last_page',
      'last_page',
      'last_page',
      'next_cursor',
      'next_cursor',
      'query_params',
    ])
    expect(unknown.every(({ file, line }) => file !== undefined && line !== undefined && line > 1)).toBe(true)
  })
})

const broken = (path: string) => path.endsWith('relation_unknown_target_test')

describe.skipIf(whyNoSharedData)(`fixtures by other authors${sharedDataNote}`, () => {
  it.each(fixtures.filter((path) => !broken(path)))('%s', async (path) => {
    const { errors, catalog } = await readingOf(path)
    expect(errors).toEqual([])
    expect(catalog?.entities.length).toBeGreaterThan(0)
  })

  it.each(fixtures.filter(broken))('%s, which is broken on purpose', async (path) => {
    const { errors } = await readingOf(path)
    expect(errors.map(({ code, line }) => ({ code, line }))).toEqual([{ code: 'unknown_name', line: 16 }])
  })
})
