import { describe, expect, test } from 'vitest'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { SessionRecord } from '../../src/session/record.ts'
import { decide, type Decision, isExtendedBy, type Opening, sameKey } from '../../src/session/reuse.ts'
import { catalogOf, openingOf, presentOf, RECORD_LIFE_MS, ROW_LIFE_MS, setOf } from './worlds.ts'

const set = setOf(catalogOf('git', ['Issue', 'Label', 'User']), catalogOf('mail', ['Message', 'User']))

function opened(names: readonly string[], world: CatalogSet = set): SessionRecord {
  return recordOf(decide(null, openingOf(world, names), presentOf(world)))
}

function recordOf(decision: Decision): SessionRecord {
  if (decision.kind === 'have_unknown') throw new Error('wanted a record')
  return decision.kind === 'repeat' ? decision.record : decision.next
}

function symbolsOf(record: SessionRecord, ...worlds: readonly CatalogSet[]): string[] {
  const models = new Map(
    worlds.flatMap(({ byId }) =>
      [...byId.values()].map((pinned) => [pinned.digest, pinned.catalog] as const),
    ),
  )
  const space = symbolSpace(record.waves, (digest) => {
    const model = models.get(digest)
    if (!model) throw new Error(digest)
    return model
  })
  return space.entities.map(
    (exposed) => `${exposed.symbol}=${exposed.catalog}:${exposed.entity}${exposed.live ? '' : ' dead'}`,
  )
}

describe('open', () => {
  test('makes the first wave and the first row', () => {
    const decision = decide(
      null,
      openingOf(set, ['mail:Message', 'git:Issue', 'git:User']),
      presentOf(set, 5),
    )
    const record = recordOf(decision)
    expect(decision.kind).toBe('open')
    expect(record).toMatchObject({ revision: 1, intent: 'goal', expiresAt: 5 + RECORD_LIFE_MS })
    expect(record.row).toMatchObject({
      generation: 1,
      session: 'session 1',
      openedAt: 5,
      expiresAt: 5 + ROW_LIFE_MS,
    })
    expect(record.row.key).toMatchObject({ entry_id: 'git', entities: ['Issue', 'User'], principal: null })
    expect(symbolsOf(record, set)).toEqual(['e1=git:Issue', 'e2=git:User', 'e3=mail:Message'])
  })

  test('gives the same record for any order of seeds', () => {
    expect(opened(['mail:User', 'git:User', 'git:Issue'])).toEqual(
      opened(['git:Issue', 'git:User', 'mail:User']),
    )
  })
})

describe('repeat and extend', () => {
  test('repeats where everything is taught', () => {
    const record = opened(['git:Issue', 'mail:User'])
    expect(decide(record, openingOf(set, ['mail:User', 'git:Issue']), presentOf(set))).toEqual({
      kind: 'repeat',
      record,
    })
    expect(decide(record, openingOf(set, ['git:Issue']), presentOf(set))).toEqual({ kind: 'repeat', record })
  })

  test('appends only what is missing', () => {
    const decision = decide(
      opened(['git:Issue']),
      openingOf(set, ['git:Issue', 'git:User', 'mail:User']),
      presentOf(set, 9),
    )
    const record = recordOf(decision)
    expect(decision.kind).toBe('extend')
    expect(record).toMatchObject({
      revision: 2,
      row: { generation: 1, session: 'session 1', expiresAt: 9 + ROW_LIFE_MS },
    })
    expect(record.waves[1]?.picks.map(({ catalog, entities }) => [catalog, entities])).toEqual([
      ['git', ['User']],
      ['mail', ['User']],
    ])
    expect(symbolsOf(record, set)).toEqual(['e1=git:Issue', 'e2=git:User', 'e3=mail:User'])
  })

  test('keeps one meaning for the same name in two catalogs', () => {
    expect(symbolsOf(opened(['git:User', 'mail:User']), set)).toEqual(['e1=git:User', 'e2=mail:User'])
  })
})

describe('the reuse key', () => {
  const key = opened(['git:Issue']).row.key
  test.each([
    ['tenant_scope', { tenant_scope: ['other'] }],
    ['entry_id', { entry_id: 'mail' }],
    ['catalog_cgs_hash', { catalog_cgs_hash: 'f'.repeat(64) }],
    ['entities', { entities: ['Issue', 'User'] }],
    ['principal', { principal: 'ann' }],
    ['plugin_generation_id', { plugin_generation_id: 'teaching-0' }],
    ['logical_session_id', { logical_session_id: '00000000-0000-8000-8000-000000000000' }],
  ])('differs by %s', (_field, change) => expect(sameKey(key, { ...key, ...change })).toBe(false))

  test('is equal to itself', () => expect(sameKey(key, structuredClone(key))).toBe(true))
  test('has exactly the seven fields', () => expect(Object.keys(key)).toHaveLength(7))
})

describe('recover', () => {
  const record = opened(['git:Issue', 'git:Label', 'mail:User'])

  test('follows idle expiry, and keeps every symbol', () => {
    const decision = decide(record, openingOf(set, ['git:User']), presentOf(set, ROW_LIFE_MS))
    expect(decision).toMatchObject({
      kind: 'recover',
      reason: 'expired',
      changedCatalogs: [],
      lostEntities: [],
    })
    const next = recordOf(decision)
    expect(next).toMatchObject({ revision: 2, row: { generation: 2, session: 'session 2' } })
    expect(next.row.promptHash).not.toBe(record.row.promptHash)
    expect(symbolsOf(next, set)).toEqual(['e1=git:Issue', 'e2=git:Label', 'e3=mail:User', 'e4=git:User'])
  })

  test('does not happen one millisecond earlier', () => {
    expect(decide(record, openingOf(set, ['git:Issue']), presentOf(set, ROW_LIFE_MS - 1)).kind).toBe('repeat')
  })

  test('gives new symbols to what changed, and none twice', () => {
    const changed = setOf(catalogOf('git', ['Issue', 'User'], 2), catalogOf('mail', ['Message', 'User']))
    const decision = decide(record, openingOf(changed, ['git:User']), presentOf(changed))
    expect(decision).toMatchObject({
      kind: 'recover',
      reason: 'catalog_changed',
      changedCatalogs: ['git'],
      lostEntities: [{ catalog: 'git', entity: 'Label' }],
    })
    expect(symbolsOf(recordOf(decision), set, changed)).toEqual([
      'e1=git:Issue dead',
      'e2=git:Label dead',
      'e3=mail:User',
      'e4=git:Issue',
      'e5=git:User',
    ])
  })

  test('retires a catalog that is gone', () => {
    const without = setOf(catalogOf('mail', ['Message', 'User']))
    const decision = decide(record, openingOf(without, ['mail:Message']), presentOf(without))
    expect(decision).toMatchObject({ kind: 'recover', reason: 'catalog_changed', changedCatalogs: ['git'] })
    expect(symbolsOf(recordOf(decision), set, without)).toEqual([
      'e1=git:Issue dead',
      'e2=git:Label dead',
      'e3=mail:User',
      'e4=mail:Message',
    ])
  })

  test.each<[string, Partial<Opening>, object]>([
    ['another teaching version', {}, { teachingVersion: 'teaching-9' }],
    ['another delegated principal', { delegated: 'ann' }, {}],
    ['a reader ahead of a store that went back', { have: 9 }, { lost: 1000 }],
  ])('follows %s', (_why, opening, present) => {
    expect(decide(record, openingOf(set, ['git:Issue'], opening), presentOf(set, 0, present)).kind).toBe(
      'recover',
    )
  })

  test('skips numbers where the store went back in time', () => {
    const decision = decide(
      record,
      openingOf(set, ['git:User'], { have: 9 }),
      presentOf(set, 0, { lost: 1000 }),
    )
    expect(symbolsOf(recordOf(decision), set).at(-1)).toBe('e1004=git:User')
  })

  test('refuses a symbol that was never given, as long as the store shows no loss', () => {
    const ahead = openingOf(set, ['git:User'], { have: 9 })
    expect(decide(record, ahead, presentOf(set))).toEqual({ kind: 'have_unknown', last: 3 })
    expect(decide(null, ahead, presentOf(set))).toEqual({ kind: 'have_unknown', last: 0 })
  })

  test('skips numbers where waves may be lost', () => {
    const present = presentOf(set, 0, { lost: 1000 })
    const decision = decide(record, { ...openingOf(set, ['git:User']), have: 3 }, present)
    expect(decision.kind).toBe('extend')
    expect(symbolsOf(recordOf(decision), set).at(-1)).toBe('e1004=git:User')
    expect(decide(record, { ...openingOf(set, ['git:Issue']), have: 3 }, present).kind).toBe('repeat')
  })

  test('recovers for a reader that does not say what it holds, where waves may be lost', () => {
    const decision = decide(record, openingOf(set, ['git:User']), presentOf(set, 0, { lost: 1000 }))
    expect(decision).toMatchObject({ kind: 'recover', reason: 'store_went_back' })
    expect(symbolsOf(recordOf(decision), set).at(-1)).toBe('e1004=git:User')
  })

  test('skips numbers where a session of the same intent may be lost', () => {
    const decision = decide(null, openingOf(set, ['git:User']), presentOf(set, 0, { lost: 1000 }))
    expect(decision.kind).toBe('open')
    expect(symbolsOf(recordOf(decision), set)).toEqual(['e1001=git:User'])
  })

  test('lets the old symbols live again with their digest', () => {
    const changed = setOf(catalogOf('git', ['Issue', 'Label'], 2), catalogOf('mail', ['Message', 'User']))
    const there = recordOf(decide(record, openingOf(changed, []), presentOf(changed)))
    const back = recordOf(decide(there, openingOf(set, ['git:User']), presentOf(set)))
    expect(symbolsOf(back, set, changed)).toEqual([
      'e1=git:Issue',
      'e2=git:Label',
      'e3=mail:User',
      'e4=git:Issue dead',
      'e5=git:Label dead',
      'e6=git:User',
    ])
  })

  test('goes on from one recovery to the next', () => {
    const once = recordOf(decide(record, openingOf(set, ['git:User']), presentOf(set, ROW_LIFE_MS)))
    const twice = recordOf(decide(once, openingOf(set, []), presentOf(set, 3 * ROW_LIFE_MS)))
    expect(twice).toMatchObject({ revision: 3, row: { generation: 3 } })
    expect(symbolsOf(twice, set)).toEqual(symbolsOf(once, set))
  })
})

describe('going on', () => {
  const first = opened(['git:Issue'])
  const more = recordOf(decide(first, openingOf(set, ['git:User']), presentOf(set)))

  test.each<[string, boolean, SessionRecord]>([
    ['itself', true, first],
    ['one with more waves', true, more],
    ['one in another row', false, { ...more, row: { ...more.row, generation: 2 } }],
    ['one that taught other things', false, opened(['git:Label'])],
    ['one that taught less', false, { ...first, waves: [] }],
  ])('a record goes on as %s: %s', (_, expected, later) => {
    expect(isExtendedBy(first, structuredClone(later))).toBe(expected)
  })
})

describe('fork', () => {
  const parent = opened(['git:Issue', 'git:Label'])
  const child = (names: readonly string[]) =>
    recordOf(decide(null, openingOf(set, names, { intent: 'part of it', parent }), presentOf(set, 3)))

  test('shares the symbols and goes its own way', () => {
    const own = child(['git:User'])
    expect(own).toMatchObject({
      intent: 'part of it',
      revision: 2,
      parent: { address: parent.address, revision: 1 },
    })
    expect(symbolsOf(own, set)).toEqual(['e1=git:Issue', 'e2=git:Label', 'e3=git:User'])
    expect(symbolsOf(parent, set)).toEqual(['e1=git:Issue', 'e2=git:Label'])
  })

  test('needs no picks of its own', () => {
    expect(child([])).toMatchObject({ revision: 1, row: { generation: 1, openedAt: 3 } })
  })

  test('of a parent that may have lost waves leaves their numbers out, with picks or without', () => {
    const lost = (names: readonly string[]) =>
      recordOf(
        decide(
          null,
          openingOf(set, names, { intent: 'part of it', parent, parentLost: 1000 }),
          presentOf(set),
        ),
      )
    const shared = ['e1=git:Issue', 'e2=git:Label']
    expect(symbolsOf(lost(['git:User']), set)).toEqual([...shared, 'e1003=git:User'])
    const bare = lost([])
    expect([bare.revision, symbolsOf(bare, set)]).toEqual([2, shared])
    const later = recordOf(decide(bare, openingOf(set, ['git:User']), presentOf(set)))
    expect(symbolsOf(later, set)).toEqual([...shared, 'e1003=git:User'])
  })

  test('by a reader ahead of the parent is refused, unless the store shows a loss', () => {
    const ahead = { parent, have: 3 }
    const fork = (opening: Partial<Opening>) =>
      decide(null, openingOf(set, ['git:User'], { ...ahead, ...opening }), presentOf(set))
    expect(fork({})).toEqual({ kind: 'have_unknown', last: 2 })
    const own = recordOf(fork({ parentLost: 1000 }))
    expect(symbolsOf(own, set)).toEqual(['e1=git:Issue', 'e2=git:Label', 'e1003=git:User'])
  })
})
