import { firstFree } from '../../../../base/free-name.ts'
import { snake, wordsOf } from '../../../../base/words/names.ts'
import type { Use } from '../entities/draft.ts'
import { nounOf } from '../entities/places.ts'
import { pathOf } from '../entities/anchors.ts'

/** The method names of one entity's operations. */
export interface Labelled {
  readonly use: Use
  /** `close`, `by-user`. */
  readonly label: string
}

const BY_METHOD: Readonly<Record<string, string>> = {
  GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete', HEAD: 'head', OPTIONS: 'options',
} // prettier-ignore
/** What a method does to a part of a row that several methods share. */
const PART_VERBS: Readonly<Record<string, string>> = {
  GET: 'get', POST: 'add', PUT: 'set', PATCH: 'change', DELETE: 'remove', HEAD: 'check', OPTIONS: 'options',
} // prettier-ignore
const MAX_WORDS = 5

/**
 * Names the operations of an entity, each once. The plain names (`query`, `get`, `create`, `update`, `delete`) go to the
 * operations at the entity's own paths; others are named after their path, their id or what they are found by.
 *
 * @param taken names of fields: a method of the same name would be read as the field
 * @param isShared whether several operations have this path
 */
export function labelled(
  uses: readonly Use[],
  taken: ReadonlySet<string>,
  isShared: (path: string) => boolean,
): readonly Labelled[] {
  const labels = new Map<Use, string>()
  const used = new Set<string>()
  const give = (use: Use, label: string) => {
    labels.set(use, label)
    used.add(label)
  }
  for (const use of uses) {
    const label = isCanonical(use) ? plainLabel(use, uses) : undefined
    if (label !== undefined && !used.has(label)) give(use, label)
  }
  for (const use of uses) {
    if (labels.has(use)) continue
    const isFree = (label: string) => label !== '' && !used.has(label) && !taken.has(label)
    const candidates = [
      ...candidatesOf(use, isShared(pathOf(use.placed))),
      ...(used.has(use.kind) ? [] : [use.kind]),
    ]
    const found = candidates.find(isFree)
    give(use, found ?? numbered(candidates.find((label) => label !== '') ?? use.kind, isFree))
  }
  return uses.map((use) => ({ use, label: labels.get(use) ?? use.kind }))
}

function numbered(label: string, isFree: (label: string) => boolean): string {
  return firstFree(
    label,
    (one) => !isFree(one),
    (plain, number) => `${plain}-${number}`,
  )
}

/** Is it at the entity's own path? */
function isCanonical({ entity, kind, placed, isOnRow }: Use): boolean {
  const { anchor } = entity
  const path = pathOf(placed)
  if (!anchor) return kind !== 'action'
  if (isOnRow) return kind !== 'action' && path === anchor.path
  return kind !== 'action' && kind !== 'get' && path === anchor.collection
}

function plainLabel({ kind, placed }: Use, uses: readonly Use[]): string {
  const isPut = placed.operation.method === 'PUT'
  const isPatched = uses.some(
    (use) => use.placed.operation.method === 'PATCH' && pathOf(use.placed) === pathOf(placed),
  )
  return kind === 'update' && isPut && isPatched ? 'replace' : kind
}

function candidatesOf(use: Use, shared: boolean): readonly string[] {
  const { placed, entity, kind } = use
  const { operation, variables } = placed
  const own = new Set([...wordsOf(snake(entity.name)), ...entity.noun.split(' ')])
  const tail = tailOf(use)
  const verb = PART_VERBS[operation.method] ?? 'do'
  const byId = labelOf(
    wordsOf(operation.operationId ?? '').filter((word) => !own.has(word) && !isFiller(word)),
  )
  const finds = kind === 'query' || kind === 'search' || kind === 'get'
  const last = variables.at(-1)
  // `/piers/by-name/{name}` says it itself.
  const found = last?.noun[0] === 'by' ? last.noun.slice(1) : (last?.noun ?? [])
  const by = finds && !use.isOnRow && last ? [labelOf(['by', ...found])] : []
  const byAll =
    finds && !use.isOnRow && variables.length > 1
      ? [labelOf(['by', ...variables.flatMap(({ noun }) => noun)])]
      : []
  const plainTail = labelOf(tail.filter((word) => !own.has(word)))
  const verbTail = labelOf([verb, ...tail])
  const whole = labelOf([BY_METHOD[operation.method] ?? '', ...wholePath(use)])
  if (kind === 'create')
    return ['create', ...(last ? [labelOf(['create', 'for', ...last.noun])] : []), byId, verbTail, whole]
  const literal = operation.segments.findLast((segment) => segment.kind === 'literal')
  const lastWord = literal?.kind === 'literal' ? labelOf(wordsOf(literal.text)) : ''
  if (placed.isCall) return [lastWord, byId, labelOf(wholePath(use)), whole]
  if (kind === 'action' && !use.isOnRow) {
    return shared ? [byId, verbTail, whole] : [lastWord, byId, verbTail, whole]
  }
  return shared
    ? [...by, verbTail, byId, plainTail, ...byAll, whole]
    : [...by, plainTail, byId, verbTail, ...byAll, whole]
}

function wholePath({ placed }: Use): readonly string[] {
  return placed.operation.segments.flatMap((segment) =>
    segment.kind === 'literal' ? nounOf(segment.text) : [],
  )
}

/** The words of the path after the entity's own path, or all of them. */
function tailOf({ placed, entity }: Use): readonly string[] {
  const { keys, operation } = placed
  const from = entity.anchor
    ? Math.max(keys.indexOf(entity.anchor.path), keys.indexOf(entity.anchor.collection))
    : -1
  const literals = operation.segments
    .slice(from + 1)
    .flatMap((segment) => (segment.kind === 'literal' ? [segment.text] : []))
  return literals.flatMap((text) => wordsOf(text)).filter((word) => !/^(?:v?\d+|api|rest|json)$/.test(word))
}

function isFiller(word: string): boolean {
  return /^(?:a|an|the|api|v\d+|of|for|to|using|rest)$/.test(word)
}

function labelOf(words: readonly string[]): string {
  const label = words
    .slice(-MAX_WORDS)
    .join('-')
    .replaceAll(/[^a-z0-9-]/g, '')
  return /^[a-z]/.test(label) ? label : ''
}
