import type { Abi } from '../../../evm/abi.ts'
import { requestOf } from '../../../call.ts'
import { problem } from '../../../problems.ts'
import type { Capability, CapabilityKind } from '../../../model.ts'
import type { Method } from '../../../calls/http-request.ts'
import { checkContractKind } from './contracts.ts'
import { readInput } from './inputs.ts'
import { checkName } from '../domain/names.ts'
import { Section } from '../../document/section.ts'
import { readTemplate, type ReadTemplate } from './templates.ts'
import type { Entry, Tree } from '../../document/tree.ts'
import { proseOf, type Values } from '../domain/values.ts'
import { rule } from '../problems.ts'

/**
 * Our extensions: `effect` corrects what a capability is taken for, `idempotency_header` names the header for an idempotency
 * key, `status_outcomes` what error statuses mean.
 */
const KEYS = [
  'kind', 'entity', 'description', 'parameters', 'input_schema', 'provides', 'output', 'preflight',
  'scope_aggregate_key_policy', 'discovery', 'effect', 'idempotency_header', 'status_outcomes',
] // prettier-ignore
const INTERCHANGE_KEYS = ['name', 'domain', 'mapping']
const KINDS = ['query', 'search', 'get', 'create', 'update', 'delete', 'action', 'singleton'] as const

/** A capability, with the parts that only the reader needs. */
export interface ReadCapability {
  readonly capability: Capability
  readonly section: Section
  readonly template: ReadTemplate
}

/** The parts of the catalog that are needed to read a capability. */
export interface Around {
  readonly values: Values
  /** The templates by capability; absent in the interchange form, where each capability has its own. */
  readonly mappings?: ReadonlyMap<string, Entry>
  /** Labels by capability. */
  readonly labels: ReadonlyMap<string, string>
  /** Features of the catalog's auth that are not supported. */
  readonly lacks: readonly string[]
  /** The codec of contracts. */
  readonly abi?: Abi
}

/** Reads one capability with its request template: `order_get: { kind: get, entity: Order }`. */
export function readCapability(
  name: string,
  { tree, at }: Entry,
  around: Around,
  catalog: Section,
): ReadCapability | undefined {
  const { notes } = catalog
  const where = `capabilities.${name}`
  if (!checkName(name, where, at, notes)) return undefined
  const interchange = around.mappings === undefined
  const read = Section.of(tree, where, interchange ? [...KEYS, ...INTERCHANGE_KEYS] : KEYS, notes)
  if (!read) return undefined
  if (read.tree.entries.has('invoke_preflight')) read.broken(rule('preflight_invoke', {}), 'invoke_preflight')
  const kind = readKind(read)
  const entity = read.needText(interchange ? 'domain' : 'entity')
  if (entity !== undefined && !around.values.entities.has(entity))
    read.unknown('entity', 'entity', entity, around.values.entities)
  const mapping = mappingOf(name, read, around)
  const unsupported = new Set<string>()
  const setting = { notes, unsupported, ...(around.abi && { abi: around.abi }) }
  const template = mapping ? readTemplate(mapping.tree, mapping.where, setting) : { call: null, origins: [] }
  if (kind === undefined || entity === undefined) return undefined
  const capability = assemble(read, { name, kind, entity, call: template.call, unsupported }, around)
  return { capability, section: read, template }
}

function readKind(read: Section): CapabilityKind | undefined {
  const kind = read.need('kind') && read.choice('kind', KINDS)
  return kind === 'singleton' ? 'get' : kind
}

function mappingOf(
  name: string,
  read: Section,
  around: Around,
): { readonly tree: Tree; readonly where: string } | undefined {
  if (around.mappings) {
    const entry = around.mappings.get(name)
    if (entry) return { tree: entry.tree, where: name }
    const nearest = read.notes.nearest(name, around.mappings.keys())
    read.notes.error(problem('missing_mapping', { capability: name, nearest }, { ...read.at(), nearest }))
    return undefined
  }
  const tree = read.need('mapping')
  const mapping = tree && Section.of(tree, read.path('mapping'), ['template'], read.notes)
  const template = mapping?.need('template')
  return template && mapping ? { tree: template, where: mapping.path('template') } : undefined
}

interface Head extends Pick<Capability, 'name' | 'kind' | 'entity' | 'call'> {
  /** Features that are not supported; the functions below add to it. */
  readonly unsupported: Set<string>
}

function assemble(read: Section, head: Head, around: Around): Capability {
  const { name, kind, entity, call, unsupported } = head
  const input = readInput(read, kind, around.values)
  const output = readOutput(read)
  const provides = read.has('provides') ? read.texts('provides') : undefined
  for (const feature of around.lacks) unsupported.add(feature)
  // A second answer completes one row: that of a get.
  const request = requestOf({ call })
  if (request?.response.auxiliary && kind !== 'get') unsupported.add('auxiliary_merge')
  if (call?.kind === 'evm') checkContractKind(read, kind, call.operation, { notes: read.notes, unsupported })
  const description = proseOf(read)
  const discovery = read.get('discovery')
  const words =
    discovery &&
    Section.of(discovery, read.path('discovery'), ['operation_terms', 'target_terms'], read.notes)
  const policy = read.choice('scope_aggregate_key_policy', ['retain', 'omit_when_redundant'], 'retain')
  const idempotencyHeader = read.text('idempotency_header')
  const statusOutcomes = readStatusOutcomes(read)
  return {
    name,
    entity,
    kind,
    label: around.labels.get(name) ?? name,
    ...(description !== undefined && { description }),
    parameters: input.parameters,
    openInput: input.open,
    ...(provides && { provides }),
    effect:
      readEffect(read, request?.method) ?? effectOf(kind, request?.method, output !== undefined, provides),
    ...(output !== undefined && { sideEffect: output }),
    omitAggregateScope: policy === 'omit_when_redundant',
    call,
    unsupported: [...unsupported].toSorted(),
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
    ...(statusOutcomes && { statusOutcomes }),
    terms: words ? [...words.texts('operation_terms'), ...words.texts('target_terms')] : [],
  }
}

/** `{303: done, 503: not_done}`. */
function readStatusOutcomes(read: Section): Capability['statusOutcomes'] {
  const entries = read.entries('status_outcomes')
  const outcomes = entries.flatMap(([status, { tree }]) => {
    const outcome = tree.kind === 'scalar' ? OUTCOMES.find((one) => one === tree.value) : undefined
    if (outcome !== undefined && /^[345]\d\d$/.test(status)) return [[status, outcome] as const]
    const wanted = 'a status from 300 to 599 with `done` or `not_done`'
    read.wrong(`status_outcomes.${status}`, tree, wanted)
    return []
  })
  return outcomes.length === 0 ? undefined : Object.fromEntries(outcomes)
}

const OUTCOMES = ['done', 'not_done'] as const

/** `effect: read`: the operator knows that the call changes nothing, whatever its kind and output say. */
function readEffect(read: Section, method: Method | undefined): 'read' | undefined {
  const effect = read.choice('effect', ['read'])
  if (effect === undefined || method === undefined || READING.includes(method)) return effect
  read.broken(rule('read_unfit', { method }), 'effect')
  return undefined
}

/** Requests that may change nothing: by their definition, or as searches with a body. */
const READING: readonly Method[] = ['GET', 'HEAD', 'POST']

function effectOf(
  kind: CapabilityKind,
  method: string | undefined,
  sideEffect: boolean,
  provides: readonly string[] | undefined,
): Capability['effect'] {
  if (kind === 'query' || kind === 'search' || kind === 'get') return 'read'
  if (sideEffect || (kind === 'delete' && !provides?.length)) return 'side_effect'
  return kind === 'action' && method === 'GET' ? 'read' : 'write'
}

const OUTPUT_KEYS = [
  'type', 'description', 'entity_type', 'max_count', 'success_indicators', 'schema', 'decoder', 'idempotent',
] // prettier-ignore
const OUTPUTS = ['side_effect', 'entity', 'collection', 'status', 'custom'] as const

/** The description of a side effect; undefined for every other output. */
function readOutput(read: Section): string | undefined {
  const tree = read.get('output')
  const output = tree && Section.of(tree, read.path('output'), OUTPUT_KEYS, read.notes)
  if (!output?.need('type') || output.choice('type', OUTPUTS) !== 'side_effect') return undefined
  return output.needText('description')?.trim() ?? ''
}
