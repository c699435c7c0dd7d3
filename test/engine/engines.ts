import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import type { Gateway } from '../../src/engine/contract.ts'
import { createEngine } from '../../src/engine/gateway.ts'
import { DEFAULT_LIMITS, type Parts } from '../../src/engine/parts.ts'
import type { Store } from '../../src/engine/store.ts'
import { DEFAULT_BUDGET } from '../../src/execution/budget.ts'
import { renderTemplate } from '../../src/execution/steps/template/template.ts'
import { memoryStore } from '../../src/adapters/stores/memory.ts'
import { workspacesOf } from '../../src/access/workspace.ts'
import { fixtureCatalog, setOf } from './fixtures.ts'

/** An engine on a memory store, with a clock and catalogs that the test moves. */
export interface TestEngine {
  readonly gateway: Gateway
  readonly store: Store
  /** A second engine on the same store, as another process would be. */
  readonly another: () => Gateway
  /** An engine whose answers never reach their reader. */
  readonly losing: () => Gateway
  readonly advance: (ms: number) => void
  readonly swap: (set: CatalogSet) => void
}

export function testEngine(changes: Partial<Parts> = {}): TestEngine {
  let now = 1_000_000
  let set = fixtureSet()
  let ids = 0
  const clock = { now: () => now }
  const store = changes.store ?? memoryStore({ clock })
  const parts: Parts = {
    store,
    isShared: false,
    catalogs: { current: () => set },
    workspaces: workspacesOf({ trust: 'direct', workspaces: [] }),
    wire: { send: () => Promise.reject(new Error('no call is expected here')) },
    wordTable: loadWordTable,
    clock,
    pause: () => Promise.resolve(),
    render: async ({ template, rows, fuel }) => renderTemplate(template, { rows }, fuel),
    secrets: ['a secret of this deployment'],
    newId: () => `id${++ids}`,
    every: () => () => undefined,
    limits: DEFAULT_LIMITS,
    budget: DEFAULT_BUDGET,
    emit: () => undefined,
    effectPolicy: () => 'review',
    loopPolicy: () => 'stop',
    readFlowPolicy: () => 'allow',
    ...changes,
  }
  return {
    gateway: delivering(createEngine(parts).gateway),
    store,
    another: () => delivering(createEngine(parts).gateway),
    losing: () => createEngine(parts).gateway,
    advance: (ms) => void (now += ms),
    swap: (next) => void (set = next),
  }
}

let read: CatalogSet | undefined

/** Our own catalogs, read once for all engines. */
function fixtureSet(): CatalogSet {
  read ??= setOf(fixtureCatalog('shop'), fixtureCatalog('library'))
  return read
}

/** As a surface that writes every answer in full. */
function delivering(gateway: Gateway): Gateway {
  return {
    ...gateway,
    context: async (caller, input, options) => {
      const reply = await gateway.context(caller, input, options)
      if (reply.ok) await reply.markDelivered?.()
      return reply
    },
  }
}
