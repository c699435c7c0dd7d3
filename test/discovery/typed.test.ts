import { describe, expect, test } from 'vitest'
import { discover } from '../../src/discovery/discover.ts'
import type { Visible } from '../../src/discovery/search.ts'
import { setOf, sketch } from './catalogs.ts'

const everything: Visible = { mayUseCatalog: () => true, mayUseCapability: () => true }

const tracker = sketch('tracker', {
  Issue: {
    description: 'Something to be mended',
    relations: { comments: 'Comment', reporter: 'Person' },
    can: ['query', 'get', 'close'],
  },
  Comment: { description: 'A remark' },
  Person: { description: 'Somebody' },
  ReleaseNote: { description: 'What changed' },
  ReleasePlan: { description: 'What will change' },
})
const forge = sketch('forge', {
  Issue: { description: 'A defect or a wish', can: ['query', 'get', 'close'] },
  Branch: {},
})
const set = setOf(tracker, forge)

const text = (intent: string, more: object = {}, visible = everything) =>
  discover(set, { intent, typed: true, ...more }, visible).text
const decision = (intent: string, more: object = {}, visible = everything): unknown =>
  JSON.parse(text(intent, more, visible).replace(/^`+json\n|\n`+$/g, ''))

describe('a typed question', () => {
  test('is ready with one entity', () => {
    expect(text('list the branches')).toBe(
      [
        '```json',
        '{',
        '  "decision": "ready",',
        '  "target": {',
        '    "api": "forge",',
        '    "entity": "Branch",',
        '    "description": ""',
        '  },',
        '  "with": []',
        '}',
        '```',
      ].join('\n'),
    )
  })

  test('asks which catalog is meant', () => {
    expect(decision('close an issue')).toEqual({
      decision: 'clarify_api',
      prompt: 'Which `api` is meant by `issue`?',
      options: [
        { api: 'forge', entity: 'Issue', description: 'A defect or a wish' },
        { api: 'tracker', entity: 'Issue', description: 'Something to be mended' },
      ],
    })
  })

  test('does not ask where the goal says', () => {
    expect(decision('close an issue in the tracker')).toMatchObject({
      decision: 'ready',
      target: { api: 'tracker', entity: 'Issue' },
    })
  })

  test('asks which entity is meant', () => {
    expect(decision('show the release')).toEqual({
      decision: 'clarify_entity',
      prompt: 'Which entity is meant by `release`?',
      options: [
        { api: 'tracker', entity: 'ReleaseNote', description: 'What changed' },
        { api: 'tracker', entity: 'ReleasePlan', description: 'What will change' },
      ],
    })
  })

  test('takes the end of a relation', () => {
    expect(decision('get issue comments in the tracker')).toMatchObject({
      decision: 'ready',
      target: { api: 'tracker', entity: 'Comment' },
      with: [
        { api: 'tracker', entity: 'Issue' },
        { api: 'tracker', entity: 'Person' },
      ],
    })
  })

  test('asks about words without an answer', () => {
    expect(decision('issues with sparkles in the tracker')).toEqual({
      decision: 'clarify_qualifier',
      prompt: 'What does `sparkles` say of Issue?',
      target: { api: 'tracker', entity: 'Issue', description: 'Something to be mended' },
      options: [
        { api: 'tracker', entity: 'Comment', description: 'A remark' },
        { api: 'tracker', entity: 'Person', description: 'Somebody' },
      ],
    })
  })

  test('says which words found nothing', () => {
    expect(decision('a cheap flight to Paris')).toEqual({
      decision: 'no_match',
      evidence: ['cheap', 'flight'],
    })
  })

  test('offers no more than asked for', () => {
    expect(decision('close an issue', { max_options: 1 })).toMatchObject({ options: { length: 1 } })
  })
})

describe('an allowlist', () => {
  test('that is empty allows nothing', () => {
    expect(decision('close an issue', { allowed_entry_ids: [] })).toEqual({
      decision: 'no_match',
      evidence: ['issue'],
    })
    expect(discover(set, { intent: 'close an issue', allowed_entry_ids: [] }, everything).text).toBe(
      [
        '_No matching entities._',
        '',
        '_There is no `api` to ask: call discover_capabilities without allowed_entry_ids._',
      ].join('\n'),
    )
  })

  test('of what the caller may not see allows nothing', () => {
    const some = { ...everything, mayUseCatalog: (id: string) => id === 'forge' }
    const found = discover(
      set,
      { intent: 'close an issue', typed: true, allowed_entry_ids: ['tracker'] },
      some,
    )
    expect(found).toMatchObject({ rows: [], problems: [{ code: 'unknown_entry' }] })
    expect(JSON.stringify(found)).not.toContain('mended')
  })

  test('leaves no doubt about the catalog', () => {
    expect(decision('close an issue', { allowed_entry_ids: ['forge'] })).toMatchObject({
      decision: 'ready',
      target: { api: 'forge', entity: 'Issue' },
    })
  })

  test('of rights leaves hidden catalogs unnamed', () => {
    const some = { ...everything, mayUseCatalog: (id: string) => id === 'forge' }
    expect(text('close an issue', {}, some)).not.toContain('tracker')
    expect(discover(set, { intent: 'close an issue' }, some).text).not.toMatch(/tracker|more than one/)
  })
})
