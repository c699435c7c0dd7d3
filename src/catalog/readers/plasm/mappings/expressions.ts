import type { Abi } from '../../../evm/abi.ts'
import { problem } from '../../../problems.ts'
import type { Condition, Expression, MailField } from '../../../calls/http-request.ts'
import { Section } from '../../document/section.ts'
import { jsonOf, shapeOf, type Tree } from '../../document/tree.ts'
import type { Notes } from '../../document/notes.ts'
import { rule } from '../problems.ts'

const EXPRESSIONS = [
  'var', 'const', 'object', 'array', 'if', 'join', 'map', 'format', 'gmail_rfc5322_send_body', 'gmail_rfc5322_reply_send_body',
] as const // prettier-ignore
const KEYS: Readonly<Record<(typeof EXPRESSIONS)[number], readonly string[]>> = {
  var: ['name', 'optional'],
  const: ['value'],
  object: ['fields'],
  array: ['elements'],
  if: ['condition', 'then_expr', 'else_expr'],
  join: ['sep', 'expr'],
  map: ['expr', 'item', 'each'],
  format: ['template', 'vars'],
  gmail_rfc5322_send_body: [],
  gmail_rfc5322_reply_send_body: [],
}

/** Replaces an invalid expression: null is not sent. */
const NULL: Expression = { type: 'const', value: null }

/** The context of an expression: its problems and the unsupported features it uses. */
export interface Setting {
  readonly notes: Notes
  readonly unsupported: Set<string>
  /** The codec of contracts; absent where it is not installed. */
  readonly abi?: Abi
}

/** Reads an expression: `{ type: var, name: id }` and the like. */
export function readExpression(tree: Tree | undefined, where: string, setting: Setting): Expression {
  if (!tree) return NULL
  const read = tagged(tree, where, { types: EXPRESSIONS, keys: KEYS }, setting.notes)
  if (!read) return NULL
  const { section, type } = read
  const inner = (key: string) => readExpression(section.need(key), section.path(key), setting)
  switch (type) {
    case 'var':
      return variable(section)
    case 'const':
      return { type, value: constant(section) }
    case 'object':
      section.need('fields')
      return {
        type,
        fields: section.items('fields').flatMap((pair, index) => readPair(section, pair, index, setting)),
      }
    case 'array':
      section.need('elements')
      return {
        type,
        elements: section
          .items('elements')
          .map((item, index) => readExpression(item, `${section.path('elements')}[${index}]`, setting)),
      }
    case 'if': {
      const condition = readCondition(section.need('condition'), section.path('condition'), setting)
      // oxlint-disable-next-line unicorn/no-thenable -- `then` is data here: no function, so nothing awaits it
      return { type, condition, then: inner('then_expr'), else: inner('else_expr') }
    }
    case 'join':
      return { type, separator: section.text('sep') ?? '', items: inner('expr') }
    case 'map':
      return { type, items: inner('expr'), item: section.needText('item') ?? '', each: inner('each') }
    case 'format':
      return readFormat(section, setting)
    case 'gmail_rfc5322_send_body':
      return { type: 'mail', fields: [...MAIL, ...OPENING].map(mailField) }
    case 'gmail_rfc5322_reply_send_body':
      return { type: 'mail', fields: [...MAIL, ...REPLY].map(mailField) }
  }
}

type MailRow = readonly [MailField, name: string, required?: true]

const MAIL: readonly MailRow[] = [
  ['from', 'from', true],
  ['text', 'plainBody', true],
]
/** Fields of a new message: its recipient and subject. */
const OPENING: readonly MailRow[] = [
  ['to', 'to', true],
  ['subject', 'subject', true],
  ['inReplyTo', 'inReplyTo'],
  ['references', 'references'],
  ['threadId', 'threadId'],
]
/** Fields of the message that a reply answers. */
const REPLY: readonly MailRow[] = [
  ['to', 'to'],
  ['subject', 'subject'],
  ['parentFrom', 'parent_headerFrom'],
  ['parentReplyTo', 'parent_headerReplyTo'],
  ['parentSubject', 'parent_headerSubject'],
  ['parentMessageId', 'parent_headerMessageId'],
  ['parentReferences', 'parent_headerReferences'],
  ['parentThreadId', 'parent_threadId'],
]

function mailField([field, name, required]: MailRow): readonly [MailField, Expression] {
  return [field, required ? { type: 'var', name } : ifGiven(name)]
}

/** Our extension `optional` leaves out what is not given. */
function variable(section: Section): Expression {
  const name = section.needText('name') ?? ''
  return section.flag('optional') ? ifGiven(name) : { type: 'var', name }
}

function ifGiven(name: string): Expression {
  const value: Expression = { type: 'var', name }
  // oxlint-disable-next-line unicorn/no-thenable -- `then` is data here: no function, so nothing awaits it
  return { type: 'if', condition: { type: 'exists', var: name }, then: value, else: NULL }
}

function constant(section: Section) {
  const entry = section.tree.entries.get('value')
  if (!entry) section.need('value')
  return entry ? jsonOf(entry.tree) : null
}

function readPair(
  section: Section,
  pair: Tree,
  index: number,
  setting: Setting,
): (readonly [string, Expression])[] {
  const where = `${section.path('fields')}[${index}]`
  const [key, value] = pair.kind === 'list' ? pair.items : []
  if (
    pair.kind !== 'list' ||
    pair.items.length !== 2 ||
    key?.kind !== 'scalar' ||
    typeof key.value !== 'string'
  ) {
    section.wrong(`fields[${index}]`, pair, 'a pair: `[name, expression]`')
    return []
  }
  return [[key.value, readExpression(value, where, setting)]]
}

const HOLE = /\{([^{}]*)\}/g

function readFormat(section: Section, setting: Setting): Expression {
  const template = section.needText('template') ?? ''
  const vars = section
    .entries('vars')
    .map(([name, { tree }]) => [name, readExpression(tree, section.path(`vars.${name}`), setting)] as const)
  const holes = new Set([...template.matchAll(HOLE)].map((match) => match[1] ?? ''))
  const names = vars.map(([name]) => name)
  for (const hole of holes)
    if (!names.includes(hole)) section.unknown('template', 'format variable', hole, names)
  for (const name of names) {
    if (!holes.has(name)) section.broken(rule('format_variable_unused', { name }), 'vars')
  }
  return { type: 'format', template, vars }
}

const CONDITIONS = ['exists', 'equals', 'bool'] as const
const CONDITION_KEYS = { exists: ['var'], equals: ['left', 'right'], bool: ['expr'] } as const

function readCondition(tree: Tree | undefined, where: string, setting: Setting): Condition {
  const never: Condition = { type: 'bool', value: NULL }
  const read = tree && tagged(tree, where, { types: CONDITIONS, keys: CONDITION_KEYS }, setting.notes)
  if (!read) return never
  const { section, type } = read
  const inner = (key: string) => readExpression(section.need(key), section.path(key), setting)
  switch (type) {
    case 'exists':
      return { type, var: section.needText('var') ?? '' }
    case 'equals':
      return { type, left: inner('left'), right: inner('right') }
    case 'bool':
      return { type, value: inner('expr') }
  }
}

interface Tags<Type extends string> {
  readonly types: readonly Type[]
  /** The other keys of a map of each type. */
  readonly keys: Readonly<Record<Type, readonly string[]>>
}

/** A map whose `type` decides which other keys it has. */
export function tagged<const Type extends string>(
  tree: Tree,
  where: string,
  { types, keys }: Tags<Type>,
  notes: Notes,
): { readonly section: Section; readonly type: Type } | undefined {
  if (tree.kind !== 'map') {
    notes.error(
      problem('wrong_shape', { where, wanted: 'a map with a `type`', actual: shapeOf(tree) }, tree.at),
    )
    return undefined
  }
  const said = tree.entries.get('type')?.tree
  const type = said?.kind === 'scalar' ? types.find((known) => known === said.value) : undefined
  const section = Section.of(
    tree,
    where,
    ['type', ...(type === undefined ? allKeys(keys) : keys[type])],
    notes,
  )
  if (section?.need('type') === undefined) return undefined
  if (type !== undefined) return { section, type }
  section.choice('type', types)
  return undefined
}

function allKeys(keys: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.values(keys).flat()
}
