import { expect, it } from 'vitest'
import { checkReport } from '../../src/catalog/report.ts'
import { readSmall } from './readers/plasm/small.ts'

it('counts what a catalog holds and lacks', () => {
  const reading = readSmall({
    top: 'verison: 1',
    capabilities: '  it: { kind: query, entity: Note }',
    mappings: 'it: { method: POST, path: [{ type: literal, value: notes }], body_format: multipart }',
  })
  expect(checkReport(reading)).toEqual({
    path: 'small',
    id: 'small',
    ok: true,
    entities: 1,
    capabilities: 2,
    supported: 1,
    unsupported: [{ capability: 'it', features: ['multipart'] }],
    warnings: [
      {
        file: 'domain.yaml',
        line: 2,
        code: 'unknown_key',
        message: 'The catalog has the unknown key `verison`, which is ignored.',
        next: 'Did you mean `version`?',
      },
    ],
    errors: [],
  })
})

it('says that a broken catalog holds nothing', () => {
  const report = checkReport(readSmall({ capabilities: '  it: { kind: get, entity: Nte }' }))
  expect({
    ...report,
    errors: report.errors.map(({ line, message, next }) => ({ line, message, next })),
  }).toEqual({
    path: 'small',
    id: 'small',
    ok: false,
    entities: 0,
    capabilities: 0,
    supported: 0,
    unsupported: [],
    warnings: [],
    errors: [
      {
        line: 14,
        message: '`capabilities.it.entity` refers to an unknown entity: `Nte`.',
        next: 'Did you mean `Note`?',
      },
      {
        line: 14,
        message: 'The capability `it` has no request template.',
        next: 'Add a template under the same name to mappings.yaml.',
      },
    ],
  })
})
