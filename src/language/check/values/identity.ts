import type { Fix } from '../../../base/diagnostic.ts'
import { digitsAsText, isRecord } from '../../../base/json.ts'
import { standsOut } from '../../../base/suggest.ts'
import { parametersOf } from '../../../catalog/lookup.ts'
import type { Capability, Slot } from '../../../catalog/model.ts'
import { coerce } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import type { Arguments, Entry, Name, Value } from '../../syntax/tree.ts'
import { entityBrand } from '../model/brands.ts'
import type { CheckedArgument, CheckedValue, Target, Want } from '../model/checked.ts'
import { listed, type Context } from '../model/context.ts'
import { resolveRowValue, type RowValue } from './row-values.ts'
import { takesIdentity } from '../model/methods.ts'
import { capabilitiesOf, nameOf, slotName, symbolOf } from '../model/resolve.ts'
import { keySlots } from '../model/shape.ts'
import { refusesFlow } from './flow.ts'
import { fittingOf, wantOf } from '../model/want.ts'

export interface Identity {
  /** One argument for each key slot, in the key's order. */
  readonly key: readonly CheckedArgument[]
  /** The other arguments: options of the get. */
  readonly others: readonly Entry[]
}

/** An entity with arguments in parentheses, as written. */
interface WrittenIdentity {
  readonly name: Name
  readonly arguments: Arguments
  /** The get whose options may be among the arguments. */
  readonly get?: Capability | undefined
}

/** The arguments of `e3(…)`: exactly the entity's key, positional if it has one slot, and options of the get; or problems. */
export function checkIdentity(
  context: Context,
  target: Target,
  written: WrittenIdentity,
): Identity | undefined {
  const { arguments: args, name, get } = written
  const slots = keySlots(target)
  if (args.positional.length === 0 && args.named.length === 0) {
    context.report(
      problem(
        'empty_get',
        {
          entity: nameOf(context.scope, target),
          key: isIdentified(context, target) ? quotedNames(slots) : [],
          methods: pathless(context, target),
        },
        { span: args.span },
      ),
    )
    return undefined
  }
  const [only, ...more] = args.positional
  if (only) {
    const key = more.length > 0 ? undefined : positionalKey(context, target, slots, only)
    const others = args.named.filter(({ name: { text } }) =>
      isOption(target, slotName(context.scope, text, target) ?? text, get),
    )
    if (key === 'wrong' || (key === undefined && more.length > 0) || others.length < args.named.length) {
      reportKey(context, target, args, name)
      return undefined
    }
    return key && { key, others }
  }
  return namedKey(context, target, slots, written)
}

function positionalKey(
  context: Context,
  target: Target,
  slots: readonly Slot[],
  value: Value,
): readonly CheckedArgument[] | 'wrong' | undefined {
  const [slot, second] = slots
  if (!slot) return 'wrong'
  if (value.kind === 'hole') return slots.map((one) => ({ slot: one, value: { kind: 'hole' } }))
  if (second === undefined) {
    const fitted = context.checkValue(context, value, keyWant(target, slot))
    return fitted && [{ slot, value: fitted }]
  }
  if (value.kind === 'bare' || value.kind === 'path') {
    const holder = resolveRowValue(context, value)
    if (holder === 'broken') return undefined
    if (holder) return keyFromRow(context, target, slots, holder)
  }
  if (value.kind !== 'text' && value.kind !== 'bare' && value.kind !== 'path') return 'wrong'
  const literal = value.kind === 'text' ? value.value : value.text
  const fitted = coerce({ kind: 'reference', entity: target.entity.name }, literal, fittingOf(target))
  const key = fitted.ok ? digitsAsText(fitted.value) : null
  if (!isRecord(key)) return 'wrong'
  const parts = new Map(Object.entries(key))
  return slots.map((one) => ({ slot: one, value: { kind: 'literal', value: parts.get(one.name) ?? '' } }))
}

/** A row of the entity, or a reference to it, supplies the whole key. */
function keyFromRow(
  context: Context,
  target: Target,
  slots: readonly Slot[],
  holder: RowValue,
): readonly CheckedArgument[] | undefined {
  const want: Want = {
    name: target.entity.name,
    type: { kind: 'reference', entity: target.entity.name },
    brands: [entityBrand(target)],
    owner: target,
    required: true,
  }
  if (refusesFlow(context, holder, want)) return undefined
  const partOf = (slot: Slot): CheckedValue => ({ ...holder.value, path: [...holder.value.path, slot.name] })
  return slots.map((slot) => ({ slot, value: partOf(slot) }))
}

function namedKey(
  context: Context,
  target: Target,
  slots: readonly Slot[],
  { arguments: args, name, get }: WrittenIdentity,
): Identity | undefined {
  const given = new Map<string, Entry>()
  const others: Entry[] = []
  for (const entry of args.named) {
    const wire = slotName(context.scope, entry.name.text, target) ?? entry.name.text
    const slot =
      slots.find((one) => one.name === wire) ?? (slots.length === 1 && wire === 'id' ? slots[0] : undefined)
    if (slot && given.has(slot.name)) {
      context.report(problem('duplicate_argument', { name: entry.name.text }, { span: entry.name.span }))
      return undefined
    }
    if (slot) given.set(slot.name, entry)
    else if (isOption(target, wire, get)) others.push(entry)
    else {
      reportKey(context, target, args, name)
      return undefined
    }
  }
  if (given.size < slots.length) {
    reportKey(context, target, args, name)
    return undefined
  }
  const key: CheckedArgument[] = []
  for (const slot of slots) {
    const entry = given.get(slot.name)
    const value = entry && context.checkValue(context, entry.value, keyWant(target, slot))
    if (value) key.push({ slot, value })
  }
  return key.length < slots.length ? undefined : { key, others }
}

/** A key slot is required; a single one identifies its entity. */
function keyWant(target: Target, slot: Slot): Want {
  const want = wantOf(target, slot)
  const brands =
    target.entity.key.length === 1 ? [...new Set([entityBrand(target), ...want.brands])] : want.brands
  return { ...want, brands, required: true, name: `\`${slot.name}\` of ${target.entity.name}` }
}

/** A parameter of the get that is no part of the key. */
function isOption({ entity }: Target, wire: string, get: Capability | undefined): boolean {
  return get !== undefined && parametersOf(get).has(wire) && !entity.key.includes(wire)
}

function reportKey(context: Context, target: Target, args: Arguments, name: Name): void {
  const given =
    args.named.length > 0
      ? listed(args.named.map((entry) => entry.name.text))
      : [args.positional.length === 1 ? 'one value' : `${args.positional.length} values`]
  const { span } = args.named.length > 0 || args.positional.length > 0 ? args : name
  const known = target.entity.key
  if (!isIdentified(context, target)) {
    const fix = asConditions(context, target, args)
    const params = { entity: nameOf(context.scope, target), given, key: [] }
    context.report(problem('wrong_key', params, { span, ...(fix && { fix }) }))
    return
  }
  context.report(
    problem(
      'wrong_key',
      { entity: nameOf(context.scope, target), given, key: quotedNames(keySlots(target)) },
      { span, nearest: [...known], ...(respelt(context, target, args) ?? spread(target, args)) },
    ),
  )
}

/** `e1(query="…")` as `e1{query="…"}`, if a read takes these conditions. */
function asConditions(
  context: Context,
  target: Target,
  { named, positional, span }: Arguments,
): Fix | undefined {
  const wires = named.map(({ name }) => slotName(context.scope, name.text, target) ?? name.text)
  const takes = ({ kind, parameters }: Capability) =>
    (kind === 'query' || kind === 'search') &&
    wires.every((wire) => parameters.some(({ name }) => name === wire))
  if (positional.length > 0 || !capabilitiesOf(context.scope, target).some(takes)) return undefined
  return {
    edits: [
      { span: { start: span.start, end: span.start + 1 }, text: '{' },
      { span: { start: span.end - 1, end: span.end }, text: '}' },
    ],
  }
}

/** Corrects misspelt names of missing parts. */
function respelt(context: Context, target: Target, { named }: Arguments): { readonly fix: Fix } | undefined {
  const { key } = target.entity
  const wires = named.map(({ name }) => slotName(context.scope, name.text, target) ?? name.text)
  const missing = key.filter((name) => !wires.includes(name))
  const strangers = named.filter((_, index) => !key.includes(wires[index] ?? ''))
  const [only, ...more] = missing
  const edits = strangers.flatMap(({ name }) => {
    // One part is missing and one name is unknown: the name is a misspelling.
    const alone = more.length === 0 && strangers.length === 1 ? only : undefined
    const meant = alone ?? standsOut(name.text, missing)
    return meant === undefined ? [] : [{ span: name.span, text: meant }]
  })
  return edits.length > 0 ? { fix: { edits } } : undefined
}

/** `e1("acme", "shop", 42)` and `e1(acme/shop#42)` with the names of the parts. */
function spread(
  { entity: { key } }: Target,
  { positional, named }: Arguments,
): { readonly fix: Fix } | undefined {
  const [only] = positional
  if (named.length > 0 || !only || key.length < 2) return undefined
  if (positional.length === key.length) {
    const edits = positional.map(({ span: { start } }, index) => ({
      span: { start, end: start },
      text: `${key[index] ?? ''}=`,
    }))
    return { fix: { edits } }
  }
  const text = only.kind === 'text' ? only.value : only.kind === 'bare' ? only.text : ''
  const parts = text.split(/[/#:@]/)
  if (positional.length > 1 || parts.length !== key.length || parts.some((part) => !/^[\w.-]+$/.test(part)))
    return undefined
  return {
    fix: {
      edits: [
        { span: only.span, text: parts.map((part, index) => `${key[index] ?? ''}=${part}`).join(', ') },
      ],
    },
  }
}

function quotedNames(slots: readonly Slot[]): readonly string[] {
  return slots.map((slot) => `\`${slot.name}\``)
}

/** Is anything of the entity called on the row of an id? A singleton has no such call. */
function isIdentified(context: Context, target: Target): boolean {
  return capabilitiesOf(context.scope, target).some((capability) => takesIdentity(target, capability))
}

/** The gets without an id, as a program calls them. */
function pathless(context: Context, target: Target): readonly string[] {
  return capabilitiesOf(context.scope, target)
    .filter((capability) => capability.kind === 'get' && !takesIdentity(target, capability))
    .map((capability) => `\`${symbolOf(context.scope, target)}.${capability.label}()\``)
}
