import { child } from '../../../base/json.ts'
import { oneLine } from '../../../base/text/one-line.ts'
import { OPERATOR_NAMES } from '../../../base/operators.ts'
import { pascal, wordsOf } from '../../../base/words/names.ts'
import { singular } from '../../../base/words/singular.ts'
import type { Capability, CapabilityKind, Parameter } from '../../model.ts'
import { isName } from '../name.ts'
import { SchemaReader } from '../json-schema/type.ts'
import { answerRows } from './answers.ts'
import type { Entities } from './entities.ts'
import type { ListedTool } from './listing.ts'
import { type NameParts, partsOf, sharedPrefix } from './words.ts'

/** Labels with another meaning in programs. */
const TAKEN: ReadonlySet<string> = new Set([...OPERATOR_NAMES, 'content', 'page'])
/** In characters: of a description, and of a sentence that says too little alone. */
const DESCRIPTION = 300
const SHORT_SENTENCE = 24
const LABEL = /^(?![emp]\d+$)_*[A-Za-z]\w*$/

/** Verbs of a search, and the parameter that takes its words. */
const SEARCHES = new Set(['search', 'find', 'query', 'lookup'])
const WORDS = /^(?:q|query|search|search_?term|search_?query|text|keywords?|term)$/i
const CREATES = new Set(['create', 'add', 'insert', 'register', 'new'])

/** The entity of tools that share no noun with another and whose answers have no known shape. */
const COMMON = 'Tools'

/**
 * The tools as capabilities. Tools whose names share a noun belong to one entity: `read_file` and `write_file` are `read`
 * and `write` of `File`.
 *
 * @param isRead whether the operator has declared that a tool changes nothing
 */
export function capabilitiesOfTools(
  tools: readonly ListedTool[],
  entities: Entities,
  isRead: (tool: ListedTool) => boolean,
): readonly Capability[] {
  const named = namedTools(tools)
  const clashing = repeated(named.map(({ entity, label }) => `${entity} ${label}`))
  const names = new Set<string>()
  return named.flatMap(({ tool, entity, label, parts }) => {
    const name = capabilityName(tool.name)
    if (names.has(name)) return []
    names.add(name)
    const own = clashing.has(`${entity} ${label}`) ? labelOf(tool.name) : label
    return [capabilityOf(tool, { name, entity, label: own, parts, isRead: isRead(tool) }, entities)]
  })
}

interface NamedTool {
  readonly tool: ListedTool
  readonly parts: NameParts
  readonly entity: string
  readonly label: string
}

function namedTools(tools: readonly ListedTool[]): readonly NamedTool[] {
  const split = tools.map(({ name }) => wordsOf(name))
  const prefix = sharedPrefix(split)
  const all = tools.map((tool, at) => ({ tool, parts: partsOf((split[at] ?? []).slice(prefix)) }))
  const shared = repeated(all.map(({ parts }) => nounOf(parts)))
  return all.map(({ tool, parts }) => {
    const { words, noun } = parts
    const own = nounOf(parts)
    if (!isName(own) || (tool.outputSchema === undefined && !shared.has(own)))
      return { tool, parts, entity: COMMON, label: labelOf(words.join('_')) }
    const rest = words.filter((_, at) => at !== noun)
    return { tool, parts, entity: own, label: labelOf((rest.length > 0 ? rest : words).join('_')) }
  })
}

/** The noun of a tool as the name of an entity; the tool's own name if it has none. */
function nounOf({ words, noun }: NameParts): string {
  return pascal(noun === undefined ? words.join(' ') : singular(words[noun] ?? ''))
}

/** A label that programs can write. */
function labelOf(text: string): string {
  const plain = text.replaceAll(/\W+/g, '_')
  const label = LABEL.test(plain) ? plain : `call_${plain}`
  return TAKEN.has(label) ? `${label}_` : label
}

function capabilityName(name: string): string {
  return isName(name) ? name : name.slice(0, 120).replaceAll(/[^\p{L}\p{N}_$@.:/-]/gu, '_')
}

function repeated(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text, at) => texts.indexOf(text) !== at))
}

interface Naming {
  readonly name: string
  readonly entity: string
  readonly label: string
  readonly parts: NameParts
  readonly isRead: boolean
}

function capabilityOf(
  tool: ListedTool,
  { name, entity, label, parts, isRead }: Naming,
  entities: Entities,
): Capability {
  const reader = new SchemaReader(tool.inputSchema)
  const read = reader.parameters(tool.inputSchema)
  const answer = answerRows(tool.outputSchema)
  const provides = entities.add(entity, answer)
  const words = isRead ? wordsParameter(parts, read.parameters) : undefined
  const description = sentenceOf(tool.description)
  const lacks = read.lost.some(({ required }) => required) ? ['parameter_name'] : []
  return {
    name,
    entity,
    kind: kindOf(parts, isRead, words),
    label,
    ...(description !== undefined && { description }),
    parameters: read.parameters.map((one) => (one === words ? { ...one, role: 'search' } : one)),
    openInput: child(tool.inputSchema, 'additionalProperties') === true,
    provides,
    effect: isRead ? 'read' : 'write',
    omitAggregateScope: false,
    call: {
      kind: 'mcp',
      operation: { type: 'tool', name: tool.name, ...(answer.rows && { rows: answer.rows }) },
    },
    unsupported: lacks,
    terms: [],
  }
}

/** The first sentence of a description, on one line; more than one if the first is short. */
function sentenceOf(text: string): string | undefined {
  const line = oneLine(text, DESCRIPTION)
  const end = /(?<=[\p{L}\p{N})"'`]{3})[.!?:;](?= )|(?<=\p{L})[。；：]/gu
  for (const { index } of line.matchAll(end)) if (index >= SHORT_SENTENCE) return line.slice(0, index)
  return line === '' ? undefined : line
}

function verbOf({ words, verb }: NameParts): string {
  return verb === undefined ? '' : (words[verb] ?? '')
}

/** The parameter that takes the words of a search. */
function wordsParameter(parts: NameParts, parameters: readonly Parameter[]): Parameter | undefined {
  if (!SEARCHES.has(verbOf(parts))) return undefined
  return parameters.find(({ name, required, type }) => required && type.kind === 'string' && WORDS.test(name))
}

function kindOf(parts: NameParts, isRead: boolean, words: Parameter | undefined): CapabilityKind {
  if (isRead) return words ? 'search' : 'query'
  return CREATES.has(verbOf(parts)) ? 'create' : 'action'
}
