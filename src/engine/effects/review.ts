import { canonicalJson, type ExactJson } from '../../base/canonical.ts'
import { recordOf } from '../../base/json.ts'
import { sha256 } from '../../base/hash.ts'
import { visible } from '../../base/text/one-line.ts'
import type { Catalog, Type } from '../../catalog/model.ts'
import { indexOf } from '../../catalog/lookup.ts'
import { isRelative } from '../../catalog/values/date.ts'
import { furtherReads } from '../../execution/read/further.ts'
import { exactNumber, exactValue } from '../../catalog/values/exact.ts'
import type { Argument, Filter, Operand, Operation, Plan, PlanNode } from '../../language/plan/plan.ts'
import type { EarlierRun } from './stored-run.ts'
import type { EffectBound } from './effects.ts'
import { furtherText } from './further-text.ts'

/** Wide enough for most labels; longer ones push their line out. */
const LABEL_WIDTH = 12

/** What of a plan is reviewed before it runs. */
interface Reviewed {
  readonly effects: readonly EffectBound[]
  /** Its reads are reviewed too, since data of one API goes into those of another. */
  readonly reviewsReads?: boolean
  readonly earlier?: EarlierRun | undefined
}

/**
 * A plan as people and models review it: a header with the counts of steps, of those that read and those that write, true
 * warnings only, then a line a step with what it takes its rows from and the reads that it makes for single rows.
 *
 * @param model the catalog model under a digest of the plan
 */
export function reviewText(
  plan: Plan,
  { effects, reviewsReads = false, earlier }: Reviewed,
  planRef: string,
  model: (digest: string) => Catalog,
): string {
  const names = stepNames(plan)
  const further = new Map(plan.nodes.map((node) => [node.id, furtherReads(plan, node, model)]))
  const reads = plan.nodes.filter(
    ({ id, effect }) => effect === 'read' || (effect === 'pure' && further.get(id)?.length !== 0),
  ).length
  const writes = effects.length === 0 ? '' : ` ${effects.length}w`
  const warnings = [...(earlier ? [earlierText(earlier)] : []), ...warningsOf(plan, effects)]
  const label =
    plan.returns.length === 1
      ? (names.get(plan.returns[0]?.node ?? '') ?? '')
      : `parallel(${plan.returns.length})`
  const isReviewed = effects.length > 0 || reviewsReads
  const header = `plan ${isReviewed ? 'review' : 'ok'} · ${plan.nodes.length}n ${reads}r${writes} → ${label} · ${planRef}`
  const steps = plan.nodes.map(
    (node, index) => `${stepLine(node, index, { names, model })}${furtherText(further.get(node.id) ?? [])}`,
  )
  const lines = [
    header,
    ...(warnings.length > 0 ? [`${isReviewed ? 'warn' : 'note'}: ${warnings.join('; ')}`] : []),
    '',
    ...steps,
  ]
  // What a person agrees to must be what stands there.
  return lines.map(visible).join('\n')
}

/** Labels where the program gives them, else a letter for what the step does and a number: never a label of the program. */
function stepNames(plan: Plan): ReadonlyMap<string, string> {
  const labels = new Set(plan.nodes.map(({ label }) => label))
  const counts = new Map<string, number>()
  return new Map(
    plan.nodes.map((node) => {
      if (node.label !== undefined) return [node.id, node.label]
      const letter = { read: 'r', write: 'w', side_effect: 'w', pure: 'c' }[node.effect]
      let count = (counts.get(letter) ?? 0) + 1
      while (labels.has(`${letter}${count}`)) count++
      counts.set(letter, count)
      return [node.id, `${letter}${count}`]
    }),
  )
}

/** What is said of an earlier run of the same program. */
function earlierText({ plan, state }: EarlierRun): string {
  const run = plan === undefined ? 'a run of this program without a plan' : `${plan} of the same program`
  switch (state) {
    case 'running':
      return `${run} is still running`
    case 'interrupted':
      return `${run} was interrupted and may have sent changes: ${plan === undefined ? 'read them first' : `run ${plan} again for what it sent`}`
    case 'unknown':
      return `${run} left changes unknown: read them first`
  }
}

function warningsOf(plan: Plan, effects: readonly EffectBound[]): string[] {
  // Writes run one after another, in this order.
  const writes = effects.map(
    ({ catalog, capability, most, mayExceed }, index) =>
      `${index === 0 ? 'writes' : 'then'} ${catalog}:${capability}${most === 1 ? '' : ` up to ${most} times`}${mayExceed ? ', none if more rows' : ''}`,
  )
  const flows = plan.flows.map(({ from, to }) => `data read from ${from} goes into a write of ${to}`)
  const reads = plan.readFlows.map(({ from, to }) => `data read from ${from} goes into a read of ${to}`)
  return [...writes, ...new Set([...flows, ...reads, ...keptPlaceholders(plan)])]
}

const PLACEHOLDER = /\$\{[A-Za-z_][\w.+-]{0,40}\}/g

/** `${name}` in a text that is written, where the program has no such label: often a slip, sometimes what is meant. */
function keptPlaceholders({ nodes }: Plan): readonly string[] {
  return nodes
    .filter(({ effect }) => effect === 'write' || effect === 'side_effect')
    .flatMap(({ operation }) => canonicalJson(operation).match(PLACEHOLDER) ?? [])
    .map((found) => `${found} is sent as text: no label has this name`)
}

/** The names of steps, and the catalogs of their slots. */
interface Showing {
  readonly names: ReadonlyMap<string, string>
  readonly model: (digest: string) => Catalog
}

function stepLine(node: PlanNode, index: number, { names, model }: Showing): string {
  const ordinal = String(index + 1).padStart(2, '0')
  const inputs = node.inputs.map((id) => names.get(id) ?? id)
  const from = inputs.length > 0 ? ` ← ${inputs.join(', ')}` : ''
  return `${ordinal} ${(names.get(node.id) ?? node.id).padEnd(LABEL_WIDTH)} ${operationText(node.operation, node, { names, catalog: node.entity && model(node.entity.digest) })}${from}`
}

/** What the values of one step are shown with. */
interface Shown {
  readonly names: ReadonlyMap<string, string>
  /** Of the step's entity. */
  readonly catalog: Catalog | undefined
}

function operationText(operation: Operation, node: PlanNode, shown: Shown): string {
  const entity = node.entity ? `${node.entity.catalog}.${node.entity.entity}` : ''
  switch (operation.kind) {
    case 'query':
      return `query ${entity} by ${operation.capability}${argumentText(operation.arguments, shown)}${filterText(operation.filters, shown)}${limitText(operation.limit, operation.pageSize)}`
    case 'get':
      return `${operation.unread ? 'key of' : 'get'} ${entity}${argumentText([...operation.identity, ...operation.arguments], shown)}`
    case 'relation':
      return `relation ${operation.relation} → ${entity}${argumentText(operation.arguments, shown)}${filterText(operation.filters, shown)}${limitText(operation.limit)}`
    case 'reference':
      return `reference ${operation.field} → ${entity}`
    case 'reverse':
      return `query ${entity} by ${operation.capability} where ${operation.parameter} is each row${argumentText(operation.arguments, shown)}${filterText(operation.filters, shown)}`
    case 'call':
      return `${node.effect === 'read' ? 'read' : 'WRITE'} ${entity} ${operation.capability}${targetedText(operation, node, shown)}`
    case 'each':
      return `for each row${operation.distinct ? ', each result once' : ''}: ${operation.body.kind === 'data' ? operandText(operation.body.value, shown) : operationText(operation.body, node, shown)}`
    case 'project':
      return `project ${operation.columns.map(columnText).join(', ')}`
    case 'filter':
      return filterText(operation.conditions, shown).trimStart()
    case 'limit':
      return `limit ${operation.count}`
    case 'singleton':
      return 'exactly one row'
    case 'sort':
      return `sort ${operation.path.join('.')} ${operation.descending ? 'desc' : 'asc'}`
    case 'aggregate':
      return `${operation.by ? `group_by ${operation.by.map(columnText).join(', ')}` : 'aggregate'} → {${operation.columns.map((column) => `${column.name}=${column.function}${column.path ? `(${column.path.join('.')})` : ''}`).join(', ')}}`
    case 'render':
      return `render [${operation.columns.join(', ')}] (${operation.template.length} chars, sha256 ${hashOf(operation.template)})`
    case 'data':
      return `data ${operandText(operation.value, shown)}`
    case 'page':
      return `page ${operation.handle}`
  }
}

function argumentText(given: readonly Argument[], shown: Shown): string {
  return given.length === 0
    ? ''
    : ` (${given.map(({ name, type, operand }) => `${name}=${operandText(operand, shown, type)}`).join(', ')})`
}

/** The arguments of a call, after the key of the row that it is made on: `(id=one.id, tier="gold")`. */
function targetedText(
  { identity, source, arguments: given }: Extract<Operation, { kind: 'call' }>,
  { entity }: PlanNode,
  shown: Shown,
): string {
  const target = shown.catalog && entity && indexOf(shown.catalog).entities.get(entity.entity)
  const all = [...identity, ...given]
  const unsaid = (source === undefined ? [] : (target?.key ?? [])).filter(
    (name) => !all.some((argument) => argument.name === name),
  )
  if (source === undefined || unsaid.length === 0) return argumentText(all, shown)
  const onRow = unsaid.map((name) => `${name}=${shown.names.get(source) ?? source}.${name}`)
  const rest = all.map(({ name, type, operand }) => `${name}=${operandText(operand, shown, type)}`)
  return ` (${[...onRow, ...rest].join(', ')})`
}

function filterText(filters: readonly Filter[], shown: Shown): string {
  if (filters.length === 0) return ''
  return ` filter ${filters.map((filter) => conditionText(filter, shown)).join(', ')}`
}

/** `as text`: a comparison letter by letter, which is not that of dates or numbers. */
function conditionText({ path, operator, type, operand }: Filter, shown: Shown): string {
  const isByLetter = type.kind === 'string' && (operator.startsWith('<') || operator.startsWith('>'))
  return `${path.join('.')}${operator}${operandText(operand, shown, type)}${isByLetter ? ' as text' : ''}`
}

function limitText(limit: number | undefined, pageSize?: number): string {
  const size = pageSize === undefined ? '' : ` page_size ${pageSize}`
  return limit === undefined ? size : `${size} limit ${limit}`
}

/** The longest literal that a plan shows whole; of longer ones it shows the beginning, the length and a hash. */
const LITERAL = 200

/** Lets a reader who has the whole text verify that it is this one. */
function hashOf(text: string): string {
  return sha256(text).slice(0, 16)
}

/** A text with its beginning alone, its length and a hash where it is long. */
function cut(text: string): string {
  return text.length <= LITERAL
    ? text
    : `${text.slice(0, LITERAL)}… (${text.length} characters, sha256 ${hashOf(text)})`
}

/** The value of an operand that nothing is read for; undefined for others. */
function constantOf(operand: Operand): ExactJson | undefined {
  switch (operand.kind) {
    case 'literal':
      return operand.value
    case 'integer': {
      const held = constantOf(operand.value)
      return typeof held === 'string' ? exactNumber(held) : held
    }
    case 'list': {
      const items = operand.items.map(constantOf).filter((item) => item !== undefined)
      return items.length === operand.items.length ? items : undefined
    }
    case 'record': {
      const entries = operand.entries.flatMap(([key, held]): [string, ExactJson][] => {
        const value = constantOf(held)
        return value === undefined ? [] : [[key, value]]
      })
      return entries.length === operand.entries.length ? recordOf(entries) : undefined
    }
    case 'node':
    case 'cursor':
    case 'text':
      return undefined
  }
}

/** A value as it is sent: an integer is a number also where the plan holds its digits as text. */
function operandText(operand: Operand, shown: Shown, type?: Type): string {
  const { names, catalog } = shown
  const constant = constantOf(operand)
  // Without quotes, since it is the time of the run and no text.
  if (type?.kind === 'date' && typeof constant === 'string' && isRelative(constant, type.format))
    return constant
  if (constant !== undefined) return cut(canonicalJson(type ? exactValue(type, constant, catalog) : constant))
  switch (operand.kind) {
    case 'node':
      return [names.get(operand.node) ?? operand.node, ...operand.path].join('.')
    case 'cursor':
      return ['_', ...operand.path].join('.')
    case 'text':
      return JSON.stringify(
        operand.parts
          .map((part) => (typeof part === 'string' ? cut(part) : `\${${operandText(part, shown)}}`))
          .join(''),
      )
    case 'list': {
      const items = type?.kind === 'array' ? type.items : undefined
      return `[${operand.items.map((item) => operandText(item, shown, items)).join(', ')}]`
    }
    case 'record': {
      const fields = type?.kind === 'object' ? type.fields : []
      const typeOf = (key: string) => fields.find(({ name }) => name === key)?.type
      return `{${operand.entries.map(([key, value]) => `${key}=${operandText(value, shown, typeOf(key))}`).join(', ')}}`
    }
    case 'integer':
      return operandText(operand.value, shown)
    case 'literal':
      throw new Error('a literal is a constant')
  }
}

/** `title`, or `label=title` for a column with a name of its own. */
function columnText({ name, path }: { readonly name: string; readonly path: readonly string[] }): string {
  const field = path.join('.')
  return name === field ? name : `${name}=${field}`
}
