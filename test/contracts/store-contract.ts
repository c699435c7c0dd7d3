import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/engine/store.ts'
import { sessionContract } from './session-store-contract.ts'
import { entryContract } from './entry-store-contract.ts'
import { transcriptContract } from './transcript-store-contract.ts'
import { HandClock } from './store-fixtures.ts'

export interface Opened {
  readonly store: Store
  readonly clock: HandClock
}

/** Every promise of the store ports, held against one kind of store. */
export function storeContract(kind: string, open: (clock: HandClock) => Promise<Store>): void {
  describe(`the ${kind} store`, () => {
    let opened: Opened

    beforeEach(async () => {
      const clock = new HandClock()
      opened = { store: await open(clock), clock }
    })
    afterEach(() => opened.store.shutDown())

    test('names its kind', () => {
      expect(opened.store.kind).toContain(kind)
    })
    sessionContract(() => opened)
    entryContract(() => opened)
    transcriptContract(() => opened)
  })
}
