import type { Span } from '../../src/base/diagnostic.ts'
import { indexOf } from '../../src/catalog/lookup.ts'
import type { Type } from '../../src/catalog/model.ts'
import { OPERATORS } from '../../src/language/check/rows/operators.ts'
import { parse } from '../../src/language/syntax/parse.ts'
import type {
  Arguments,
  Expression,
  FieldPath,
  Name,
  Predicate,
  Value,
} from '../../src/language/syntax/tree.ts'
import { library, shop } from '../language/sessions.ts'

/** What can be wrong with a program. */
export const KINDS = [
  'name',
  'enum',
  'unknown argument',
  'cardinality',
  'type',
  'other API',
  'missing argument',
  'budget',
] as const

export type Kind = (typeof KINDS)[number]

/** One way to break a program: its text with the span replaced is wrong, whatever a checker may say. */
export interface Break {
  readonly span: Span
  readonly text: string
}

/** A place whose text is a name of something, or one of some options: any slip of it is wrong. */
interface Place {
  readonly kind: 'name' | 'enum' | 'unknown argument'
  readonly span: Span
  readonly text: string
}

const catalogs = [shop, library]
const OPTIONS = new Set(
  catalogs.flatMap(({ entities, capabilities }) =>
    [
      ...entities.flatMap(({ fields }) => fields),
      ...capabilities.flatMap(({ parameters }) => parameters),
    ].flatMap(({ type }) => options(type)),
  ),
)
/** Everything that has a name: a slip must not be one of these. */
const NAMES = new Set([
  ...OPTIONS,
  ...OPERATORS.keys(),
  ...catalogs.flatMap((catalog) =>
    catalog.entities.flatMap((entity) => [
      entity.name,
      ...indexOf(catalog).slotNamesOf(entity.name),
      ...indexOf(catalog)
        .capabilitiesOf(entity.name)
        .flatMap(({ name, label }) => [name, label]),
    ]),
  ),
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'asc',
  'desc',
  'search',
  'get',
  'query',
])

function options(type: Type): readonly string[] {
  if (type.kind === 'array') return options(type.items)
  return type.kind === 'select' || type.kind === 'multi_select' ? type.options : []
}

/** All the ways of one kind in which the program can be broken; `pick` chooses between equals. */
export function breaksOf(program: string, kind: Kind, pick: (most: number) => number): readonly Break[] {
  switch (kind) {
    case 'name':
    case 'enum':
      return slips(placesOf(program), kind, pick)
    case 'unknown argument':
      return [...slips(placesOf(program), kind, pick), ...strangers(program)]
    case 'cardinality':
      return found(program, /\.singleton\(\)/g, '')
    case 'type':
      return [
        ...found(program, /(?<=(?:quantity|number|pages|stock)[=<>])\d+/g, 'lots'),
        ...found(program, /(?<=price<)\d+/g, 'cheap'),
        ...found(program, /(?<=limit\()\d+/g, '0'),
        ...found(program, /(?<=(?:joined_after|on)=)\d{4}-\d\d-\d\d/g, 'whenever'),
        ...found(program, /(?<=gift=)true/g, 'perhaps'),
      ]
    case 'other API':
      return [
        ...found(program, /(?<=[=[ ])(?:Customer|Product)\([^)]*\)/g, 'Book(x1)'),
        ...found(program, /(?<==)(?:Copy|Book)\([^)]*\)/g, 'Customer(c7)'),
        ...found(program, /(?<=order=)e2\(o1\)/g, 'e7(o1)'),
      ]
    case 'missing argument':
      return [
        ...found(
          program,
          /(?<=[({, ])(?:quantity=\d+|name="Ada", |products=\[[^\]]*\], |order=e2\(o1\))/g,
          '',
        ),
        ...found(
          program,
          /(?<=[({])(?:customer=Customer\(c7\),? ?|book=Book\(x1\)|branch=north, |order_id=o1, )/g,
          '',
        ),
      ]
    case 'budget':
      return [
        { span: { start: program.length, end: program.length }, text: `\nProduct${'.limit(9)'.repeat(500)}` },
        { span: { start: program.length, end: program.length }, text: ` ;; ${'x'.repeat(65_536)}` },
      ]
  }
}

function found(program: string, pattern: RegExp, text: string): readonly Break[] {
  return [...program.matchAll(pattern)].map((match) => ({
    span: { start: match.index, end: match.index + match[0].length },
    text,
  }))
}

/** An argument that nothing takes, in every call. */
function strangers(program: string): readonly Break[] {
  return [...program.matchAll(/\.(?:update|create|restock|cancel|forecast)\([^)]*=/g)].map((match) => {
    const at = match.index + match[0].indexOf('(') + 1
    return { span: { start: at, end: at }, text: 'zigzag=1, ' }
  })
}

function slips(places: readonly Place[], kind: Kind, pick: (most: number) => number): readonly Break[] {
  return places
    .filter((place) => place.kind === kind)
    .flatMap(({ span, text }) => {
      for (let tries = 0; tries < 20; tries++) {
        const slip = misspelt(text, pick)
        if (!NAMES.has(slip) && slip !== text) return [{ span, text: slip }]
      }
      return []
    })
}

/** A slip of the finger or of the memory: a letter left out, doubled, swapped, or another one; another case; a plural. */
function misspelt(name: string, pick: (most: number) => number): string {
  const at = pick(name.length - 1)
  const [before, letter, after] = [name.slice(0, at), name[at] ?? '', name.slice(at + 1)]
  switch (pick(5)) {
    case 0:
      return name.length > 2 ? before + after : `${name}${name.at(-1) ?? ''}`
    case 1:
      return before + letter + letter + after
    case 2:
      return before + (after[0] ?? '') + letter + after.slice(1)
    case 3:
      return name.endsWith('s') ? name.slice(0, -1) : `${name}s`
    case 4:
      return name.includes('_')
        ? name.replaceAll(/_(.)/g, (_, next: string) => next.toUpperCase())
        : name.toUpperCase()
    default:
      return `${before}${letter === 'k' ? 'w' : 'k'}${after}`
  }
}

/** Every place of the program whose text is a name or an option. */
function placesOf(text: string): readonly Place[] {
  const { program } = parse(text)
  const places: Place[] = []
  const add = (kind: Place['kind'], { text: name, span }: Name) => {
    // Symbols are no words: one slip makes another symbol.
    if (!/^[emp]\d+$|^_$/.test(name)) places.push({ kind, span, text: name })
  }
  const field = (path: FieldPath) => path.names.slice(0, 1).forEach((name) => add('name', name))
  const value = (one: Value): void => {
    if (one.kind === 'bare' && OPTIONS.has(one.text))
      places.push({ kind: 'enum', span: one.span, text: one.text })
    if (one.kind === 'list') one.items.forEach(value)
    if (one.kind !== 'call') return
    add('name', one.name)
    args(one.arguments, 'name')
  }
  const args = (held: Arguments, kind: Place['kind']) => {
    held.positional.forEach(value)
    for (const entry of held.named) {
      add(kind, entry.name)
      value(entry.value)
    }
  }
  const conditions = (predicates: readonly Predicate[]) => {
    for (const predicate of predicates) {
      // Before a dot an entity may be meant by its name as well, in any case.
      const name = predicate.field.names.at(-1)
      if (name) add('name', name)
      if (predicate.value) value(predicate.value)
    }
  }
  const expression = (node: Expression): void => {
    if (node.kind === 'each') {
      expression(node.source)
      expression(node.body)
    }
    if (node.kind !== 'rows') return
    const { head } = node
    if (head.kind === 'name') add('name', head.name)
    if (head.kind === 'get') {
      add('name', head.entity)
      args(head.arguments, 'name')
    }
    if (head.kind === 'query' || head.kind === 'search') {
      add('name', head.entity)
      conditions(head.predicates)
    }
    for (const segment of node.segments) {
      if (segment.kind === 'step') {
        add('name', segment.name)
        conditions(segment.predicates ?? [])
      }
      if (segment.kind === 'project') segment.fields.forEach(field)
      if (segment.kind === 'reverse') {
        add('name', segment.entity)
        conditions(segment.predicates)
      }
      if (segment.kind !== 'call') continue
      add('name', segment.name)
      if (!OPERATORS.has(segment.name.text)) args(segment.arguments, 'unknown argument')
    }
  }
  for (const binding of program.bindings) expression(binding.value)
  program.roots.forEach(expression)
  return places
}
