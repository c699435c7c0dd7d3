import { Pace } from '../../src/base/slices/pace.ts'
import { renderTemplate } from '../../src/execution/steps/template/template.ts'
import type { Json } from '../../src/base/canonical.ts'
import { failed, ok } from '../../src/base/diagnostic.ts'
import type { PinnedCatalog } from '../../src/catalog/digest.ts'
import type { Catalog, ServedCatalog, Type } from '../../src/catalog/model.ts'
import { whereOf } from '../../src/execution/invocation.ts'
import { problem } from '../../src/execution/problems.ts'
import { DEFAULT_BUDGET, type Budget } from '../../src/execution/budget.ts'
import { execute, type World } from '../../src/execution/executor.ts'
import type { Outcome, RootResult } from '../../src/execution/outcome.ts'
import type { Argument, Effect, Operand, Operation, Plan, PlanNode } from '../../src/language/plan/plan.ts'
import { fetchWire } from './fetch-wire.ts'

const text: Type = { kind: 'string', semantics: 'short' }

/** An argument with a literal value. */
export function arg(name: string, value: Json, type: Type = text): Argument {
  return { name, type, operand: { kind: 'literal', value } }
}

/** An argument that another node fills. */
export function fed(name: string, node: string, path: readonly string[], type: Type = text): Argument {
  return { name, type, operand: { kind: 'node', node, path, text: [node, ...path].join('.') } }
}

/** An argument from the row that `_` stands for. */
export function each(name: string, path: readonly string[], type: Type = text): Argument {
  return { name, type, operand: { kind: 'cursor', path, text: ['_', ...path].join('.') } }
}

/** A node as a test writes it: its inputs and effect are read off its operation. */
export interface Written {
  readonly id: string
  readonly entity?: string
  readonly effect?: Effect
  readonly operation: Operation
}

/** A plan over one catalog that returns its last node, or the named ones. */
export function planOf(
  pinned: PinnedCatalog,
  written: readonly Written[],
  returns = [written.at(-1)?.id ?? ''],
): Plan {
  const nodes = written.map(({ id, entity, effect, operation }): PlanNode => ({
    id,
    span: { start: 0, end: 0 },
    effect: effect ?? effectOf(operation),
    inputs: inputsOf(operation),
    ...(entity !== undefined && { entity: { catalog: pinned.catalog.id, digest: pinned.digest, entity } }),
    shape: 'many',
    operation,
  }))
  return {
    version: 1,
    nodes,
    returns: returns.map((node) => ({ label: node, node })),
    catalogs: [{ catalog: pinned.catalog.id, digest: pinned.digest }],
    digest: '',
    flows: [],
    readFlows: [],
  }
}

function effectOf(operation: Operation): Effect {
  const inner = operation.kind === 'each' ? operation.body : operation
  if (inner.kind === 'call') return 'write'
  return ['query', 'get', 'relation', 'reference', 'reverse', 'page'].includes(inner.kind) ? 'read' : 'pure'
}

function inputsOf(operation: Operation): readonly string[] {
  const source = 'source' in operation && operation.source !== undefined ? [operation.source] : []
  const operands: Operand[] = []
  const inner = operation.kind === 'each' ? operation.body : operation
  if ('arguments' in inner) operands.push(...inner.arguments.map(({ operand }) => operand))
  if ('identity' in inner) operands.push(...inner.identity.map(({ operand }) => operand))
  if ('filters' in inner) operands.push(...inner.filters.map(({ operand }) => operand))
  if (inner.kind === 'data') operands.push(inner.value)
  return [...new Set([...source, ...operands.flatMap(nodesIn)])]
}

function nodesIn(operand: Operand): readonly string[] {
  switch (operand.kind) {
    case 'node':
      return [operand.node]
    case 'text':
      return operand.parts.flatMap((part) => (typeof part === 'string' ? [] : nodesIn(part)))
    case 'list':
      return operand.items.flatMap(nodesIn)
    case 'record':
      return operand.entries.flatMap(([, held]) => nodesIn(held))
    case 'integer':
      return nodesIn(operand.value)
    case 'literal':
    case 'cursor':
      return []
  }
}

export interface Ledger {
  readonly lines: string[]
}

/** What a world differs in; `allows`: the rights that are asked for before each request. */
type WorldChanges = Partial<Omit<World, 'budget'>> & {
  readonly budget?: Partial<Budget>
  readonly allows?: (catalog: string, capability: string) => boolean
}

/** A world around one catalog, with a ledger that can be read. */
export function worldOf(
  { catalog, digest }: PinnedCatalog,
  { allows = () => true, ...more }: WorldChanges = {},
): World & Ledger {
  const lines: string[] = []
  const served: ServedCatalog = { origin: '', otherOrigins: [], auth: { scheme: 'none' }, ...catalog }
  const model = (wanted: string): Catalog => {
    if (wanted !== digest) throw new Error(`no model ${wanted}`)
    return catalog
  }
  return {
    wire: fetchWire,
    render: async ({ template, rows, fuel }) => renderTemplate(template, { rows }, fuel),
    model,
    clock: { now: () => performance.now() },
    pace: new Pace({ now: () => performance.now() }, async () => {}),
    signal: new AbortController().signal,
    admit: async ({ pinned: called, capability }) =>
      allows(called.catalog.id, capability.name)
        ? ok(served)
        : failed([problem('not_allowed', whereOf({ pinned: called, capability }))]),
    tellingRead: ({ entity }, identity) => `${entity}(${Object.values(identity ?? {}).join()})`,
    ledger: {
      begin: () => Promise.resolve(),
      claim: ({ node, row, capability }) => {
        lines.push(`claim ${node}/${row} ${capability}`)
        return Promise.resolve(true)
      },
      settle: ({ node, row }, state) => {
        lines.push(`settle ${node}/${row} ${state}`)
        return Promise.resolve()
      },
    },
    page: () => Promise.resolve(null),
    ...more,
    budget: { ...DEFAULT_BUDGET, ...more.budget },
    lines,
  }
}

/** Runs nodes against a catalog and gives the whole outcome. */
export function run(
  pinned: PinnedCatalog,
  written: readonly Written[],
  more: Parameters<typeof worldOf>[1] = {},
  returns?: readonly string[],
): Promise<Outcome> {
  return execute(planOf(pinned, written, returns ? [...returns] : undefined), worldOf(pinned, more))
}

/** The values of a result's rows. */
export function valuesOf(result: RootResult | undefined): readonly Json[] {
  return (result?.rows ?? []).map(({ values }) => values)
}

export const query = (
  capability: string,
  more: Partial<Extract<Operation, { kind: 'query' }>> = {},
): Operation => ({
  kind: 'query',
  capability,
  arguments: [],
  filters: [],
  ...more,
})
