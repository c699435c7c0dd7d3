import { describe, expect, test } from 'vitest'
import { ask, everything } from './asking.ts'
import { setOf, sketch } from './catalogs.ts'

const tracker = sketch('tracker', {
  Issue: { description: 'Something to be mended', can: ['query', 'get', 'close'] },
  Person: { description: 'Somebody' },
  ReleaseNote: { description: 'What changed' },
  ReleasePlan: { description: 'What will change' },
})
const forge = sketch('forge', {
  Issue: { description: 'Something to be mended', can: ['query', 'get', 'close'] },
  Branch: { description: 'A line of work' },
})
const set = setOf(tracker, forge)

const text = (intent: string, more: object = {}, visible = everything) =>
  ask(set, intent, { typed: true, ...more }, visible).text
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
        '    "fit": "strong",',
        '    "description": "A line of work",',
        '    "also": []',
        '  },',
        '  "with": []',
        '}',
        '```',
      ].join('\n'),
    )
  })

  test('asks which catalog is meant', () => {
    expect(decision('close an issue')).toMatchObject({
      decision: 'clarify_api',
      prompt: 'Which `api` with Issue is meant?',
      options: [
        { api: 'forge', entity: 'Issue' },
        { api: 'tracker', entity: 'Issue' },
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
    expect(decision('show the release')).toMatchObject({
      decision: 'clarify_entity',
      prompt: 'Which entity of tracker is meant?',
      options: [{ entity: 'ReleaseNote' }, { entity: 'ReleasePlan' }],
    })
  })

  test('shows what is nearest where nothing fits', () => {
    expect(decision('post an issue on LinkedIn')).toMatchObject({
      decision: 'no_match',
      evidence: ['LinkedIn'],
      nearest: expect.arrayContaining([
        expect.objectContaining({ api: 'forge', entity: 'Issue', fit: 'weak' }),
        expect.objectContaining({ api: 'tracker', entity: 'Issue', fit: 'weak' }),
      ]),
    })
  })

  test('offers no more than asked for', () => {
    expect(decision('close an issue', { max_options: 1 })).toMatchObject({ options: { length: 1 } })
  })
})

describe('an allowlist', () => {
  test('that is empty allows nothing', () => {
    const none = { allowed_entry_ids: [] }
    expect(decision('close an issue', none)).toEqual({ decision: 'no_match', evidence: [], nearest: [] })
    expect(ask(set, 'close an issue', none).text).toBe(
      [
        '_Nothing fits._',
        '',
        '_There is no `api` to ask: call discover_capabilities without allowed_entry_ids._',
      ].join('\n'),
    )
  })

  test('of what the caller may not see allows nothing', () => {
    const some = { ...everything, mayUseCatalog: (id: string) => id === 'forge' }
    const answer = ask(set, 'close an issue', { typed: true, allowed_entry_ids: ['tracker'] }, some)
    expect(answer).toMatchObject({ rows: [], problems: [{ code: 'unknown_api' }] })
    expect(JSON.stringify(answer)).not.toContain('mended')
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
    expect(ask(set, 'close an issue', {}, some).text).not.toContain('tracker')
  })
})
