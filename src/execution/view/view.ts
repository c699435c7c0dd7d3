import type { ExactJson, Json } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Capability, Entity, ServedCatalog } from '../../catalog/model.ts'
import { needsTarget } from '../../catalog/target.ts'
import type { View, ViewBinding, ViewNode } from '../../catalog/view.ts'
import { type Invocation, whereOf } from '../invocation.ts'
import { upTo } from '../completeness.ts'
import { checkedValue } from '../read/operand.ts'
import { digitsAsText, ownValue, recordOf } from '../../base/json.ts'
import { rowValue } from '../row.ts'
import { problem } from '../problems.ts'
import { asText } from '../http/request/text.ts'
import { type CallContext, getRow, readRows } from '../source.ts'
import { neededOf, type NodeRows, type Unread, type Values, type ViewRead, viewRow } from './row.ts'
import { renderViewTemplate } from './template.ts'

type NodeRead = ({ readonly ok: true } & NodeRows) | Unread

type Nodes = { readonly ok: true; readonly value: ReadonlyMap<string, NodeRows> } | Unread

interface Reading {
  readonly context: CallContext
  readonly view: View
  readonly invocation: Invocation
  readonly scope: Values
}

/**
 * Reads the one row of a view: each node as soon as what it is bound to is there, by exactly the capability that it names
 * and with the caller's right to that one. What is counted is read to its end, within the run's budget.
 */
export async function readView(context: CallContext, view: View, invocation: Invocation): Promise<ViewRead> {
  const admitted = await context.world.admit(invocation)
  if (!admitted.ok) return admitted
  const scope = scopeOf(view, invocation, admitted.value)
  if (!scope.ok) return scope
  const reading = { context, view, invocation, scope: scope.value }
  const started = new Map<string, Promise<NodeRead>>()
  for (const node of view.nodes) {
    const earlier = [...started].filter(([id]) => node.bindings.some(({ value }) => mayUse(value, id)))
    started.set(
      node.id,
      gathered(earlier).then((nodes) => readNode(reading, node, nodes)),
    )
  }
  const nodes = await gathered([...started])
  return nodes.ok ? viewRow(view, invocation, scope.value, nodes.value) : nodes
}

async function gathered(started: readonly (readonly [string, Promise<NodeRead>])[]): Promise<Nodes> {
  const nodes = new Map<string, NodeRows>()
  const problems: Problem[] = []
  const reads = await Promise.all(started.map(([, one]) => one))
  for (const [index, read] of reads.entries()) {
    if (read.ok) nodes.set(started[index]?.[0] ?? '', read)
    else problems.push(...read.problems)
  }
  const distinct = problems.filter((one, at) => problems.indexOf(one) === at)
  const why = reads.find((read) => !read.ok)?.why
  return distinct.length > 0 ? { ...failed(distinct), ...(why && { why }) } : ok(nodes)
}

/** A template may name any node before it. */
function mayUse(value: ViewBinding, node: string): boolean {
  return value.kind === 'template' || (value.kind === 'field' && value.node === node)
}

/** What the view is asked for with: what the call gives, the key of the row, the catalog's own origin. */
function scopeOf(view: View, invocation: Invocation, { origin }: ServedCatalog): Result<Values> {
  const { identity, arguments: given } = invocation
  const bound = new Set(
    view.nodes.flatMap(({ bindings }) =>
      bindings.flatMap(({ value }) => (value.kind === 'scope' ? [value.name] : [])),
    ),
  )
  const values: (readonly [string, Json])[] = []
  const missing: Problem[] = []
  for (const { name, key, injected } of view.scope) {
    const own = key !== undefined && identity ? ownValue(identity, key) : undefined
    const value = injected ? new URL(origin).origin : (given.get(name) ?? own)
    if (value !== undefined && value !== null) values.push([name, digitsAsText(value)])
    else if (bound.has(name)) missing.push(problem('argument_missing', { ...whereOf(invocation), name }))
  }
  return missing.length > 0 ? failed(missing) : ok(recordOf(values))
}

async function readNode(reading: Reading, node: ViewNode, earlier: Nodes): Promise<NodeRead> {
  if (!earlier.ok) return earlier
  const { context, view, invocation } = reading
  const { pinned } = invocation
  const { catalog } = pinned
  const index = indexOf(catalog)
  const capability = index.capabilities.get(node.capability)
  const entity = capability && index.entities.get(capability.entity)
  if (!capability || !entity)
    throw new Error(`the view names ${node.capability}, which ${catalog.id} does not have`)
  const bound = boundValues(reading, node, capability, earlier.value)
  if (!bound.ok) return bound
  if (capability.kind !== 'get') {
    const { wanted, needs } = neededOf(view, node.id)
    const read = await readRows(context, {
      invocation: { pinned, capability, arguments: bound.value },
      filters: [],
      wanted,
      ...(needs && { needs }),
    })
    if (read.failed) return { ...failed(read.problems), why: read.failed }
    // Of what is not counted, the first row is enough.
    const missing = wanted === Infinity ? read.missing : upTo(wanted, read.rows.length, read.missing)
    return { ok: true, rows: read.rows, problems: read.problems, missing }
  }
  const target = byIdentity(capability, entity, bound.value, reading)
  if (!target.ok) return target
  const got = await getRow(context, target.value)
  return got.ok ? { ok: true, rows: [got.row], problems: got.problems ?? [], missing: got.missing } : got
}

/** The values that a node is bound to, by name and fitted to its parameters. */
function boundValues(
  { context, invocation, scope }: Reading,
  { bindings }: ViewNode,
  capability: Capability,
  nodes: ReadonlyMap<string, NodeRows>,
): Result<ReadonlyMap<string, ExactJson>> {
  const { pinned } = invocation
  const values = new Map<string, ExactJson>()
  const problems: Problem[] = []
  for (const { name, value } of bindings) {
    const found = valueOf(value, scope, nodes)
    if ('reason' in found) {
      const reason = `\`${name}\` of \`${capability.name}\`: ${found.reason}`
      problems.push(problem('template_wrong', { ...whereOf(invocation), reason }))
      continue
    }
    if (found.value === undefined || found.value === null) continue
    const where = whereOf({ pinned, capability })
    const slot = capability.parameters.find((parameter) => parameter.name === name)
    const fitted = slot
      ? checkedValue(slot, found.value, { catalog: pinned.catalog, where, run: context })
      : ok(found.value)
    if (fitted.ok) values.set(name, fitted.value)
    else problems.push(...fitted.problems)
  }
  return problems.length > 0 ? failed(problems) : ok(values)
}

function valueOf(
  binding: ViewBinding,
  scope: Values,
  nodes: ReadonlyMap<string, NodeRows>,
): { readonly value: Json | undefined } | { readonly reason: string } {
  switch (binding.kind) {
    case 'scope':
      return { value: ownValue(scope, binding.name) }
    case 'literal':
      return { value: binding.value }
    case 'field': {
      const [row] = nodes.get(binding.node)?.rows ?? []
      return { value: row && rowValue(row, [binding.field]) }
    }
    case 'template': {
      const rows = [...nodes].map(
        ([
          id,
          {
            rows: [row],
          },
        ]) => [id, row?.values ?? {}] as const,
      )
      const rendered = renderViewTemplate(binding.template, { ...scope, ...recordOf(rows) })
      return 'text' in rendered ? { value: rendered.text } : rendered
    }
  }
}

/** The get of a node: what is bound to a slot of the key identifies the row, the rest are arguments. */
function byIdentity(
  capability: Capability,
  entity: Entity,
  bound: ReadonlyMap<string, ExactJson>,
  { invocation: { pinned } }: Reading,
): Result<Invocation> {
  const { key } = entity
  const [only] = key
  const slotOf = (name: string) => (name === 'id' && key.length === 1 && only !== undefined ? only : name)
  const named = new Map([...bound].map(([name, value]) => [slotOf(name), value] as const))
  const missing = key.filter((slot) => !named.has(slot))
  if (missing.length > 0 && needsTarget(pinned.catalog, capability)) {
    const where = whereOf({ pinned, capability })
    return failed(missing.map((name) => problem('argument_missing', { ...where, name })))
  }
  const identity = Object.fromEntries(key.map((slot) => [slot, asText(named.get(slot) ?? null)] as const))
  return ok({
    pinned,
    capability,
    arguments: new Map([...bound].filter(([name]) => !key.includes(slotOf(name)))),
    ...(missing.length === 0 && key.length > 0 && { identity }),
  })
}
