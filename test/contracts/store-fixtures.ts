import type { ServedCatalog } from '../../src/catalog/model.ts'
import type { SessionRecord } from '../../src/session/record.ts'

/** A clock that only tests move. */
export class HandClock {
  #now: number

  constructor(start = 1_800_000_000_000) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

export const ALICE = '["user","alice"]'
export const BOB = '["user","bob"]'
export const HOUR = 3_600_000
export const MONTH = 30 * 24 * HOUR

/** An address of 22 characters, told apart by its first ones. */
export function address(label: string): string {
  return label.padEnd(22, '_')
}

/** The first record at an address: one wave, a row that idles out after an hour. */
export function opened(at: string, now: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    schema: 1,
    address: at,
    logicalSessionId: '7c0bd9a1-0000-8000-8000-000000000000',
    scope: ['tenant', 'acme'],
    intent: 'label the open issues',
    revision: 1,
    waves: [
      {
        revision: 1,
        generation: 1,
        picks: [{ catalog: 'github', digest: 'd1', lens: 'all', entities: ['Issue'] }],
      },
    ],
    row: {
      generation: 1,
      key: {
        tenant_scope: ['tenant', 'acme'],
        entry_id: 'github',
        catalog_cgs_hash: 'd1',
        entities: ['Issue'],
        principal: null,
        plugin_generation_id: 'teaching-2',
        logical_session_id: '7c0bd9a1-0000-8000-8000-000000000000',
      },
      promptHash: 'p1',
      session: '00112233445566778899aabbccddeeff',
      openedAt: now,
      expiresAt: now + HOUR,
    },
    createdAt: now,
    expiresAt: now + MONTH,
    commit: `open ${at}`,
    ...changes,
  }
}

/** The record with one more wave, by a commit of that name. */
export function extended(record: SessionRecord, commit: string, entity = 'Label'): SessionRecord {
  const revision = record.revision + 1
  const wave = {
    revision,
    generation: record.row.generation,
    picks: [{ catalog: 'github', digest: 'd1', lens: 'all' as const, entities: [entity] }],
  }
  return { ...record, revision, waves: [...record.waves, wave], commit }
}

/** The smallest catalog there is. */
export function catalog(id: string): ServedCatalog {
  return {
    id,
    version: 1,
    description: `What ${id} does: ünïcode 😀`,
    origin: 'https://api.example.com',
    otherOrigins: [],
    aliases: [],
    entities: [],
    capabilities: [],
    auth: { scheme: 'none' },
    unsupported: [],
  }
}
