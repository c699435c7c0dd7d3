import { parametersOf, textParameter } from '../../../catalog/lookup.ts'
import type { Capability, Parameter, Slot } from '../../../catalog/model.ts'
import type { Fix } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Value } from '../../syntax/tree.ts'
import { baseOf } from '../model/base.ts'
import type {
  CheckedArgument,
  CheckedNode,
  CheckedOperation,
  CheckedValue,
  Rows,
  Target,
} from '../model/checked.ts'
import { listed, speakingOf, type Context } from '../model/context.ts'
import { checkIdentity } from '../values/identity.ts'
import { anchorOf, idNamesOf, keyNamesOf, takesIdentity } from '../model/methods.ts'
import { identityValue } from '../values/references.ts'
import { slotName, symbolOf } from '../model/resolve.ts'
import { entityRows, keySlots } from '../model/shape.ts'
import { CALL_RULES } from '../rules/index.ts'
import { isKnown } from '../rules/known-arguments.ts'
import { refusesAsTarget, targetForm } from '../rules/target.ts'
import type { Call, CallSite, WrittenArgument } from '../rules/site.ts'
import { looseValue } from '../values/values.ts'
import { wantOf } from '../model/want.ts'

/** A capability called by name; or problems. */
export function checkCall(outer: Context, call: Call): CheckedNode | undefined {
  const { method, receiver, name, span } = call
  const { owner, capability } = method
  const context = speakingOf(outer, owner, capability)
  const written = writtenArguments(context, call)
  if (!written) return undefined
  const on = receiverOf(context, call, written)
  if (!on) return undefined
  const site: CallSite = { context, target: owner, capability, name, written, supplied: on.supplied, span }
  for (const rule of CALL_RULES) rule(site)
  const args = checkArguments(site, on)
  if (!args) return undefined
  const operation = operationOf(capability, on, args, receiver)
  return { ...operation, rows: rowsOf(owner, capability), span }
}

/** The part of a call that its receiver supplies. */
interface Receiver {
  readonly identity: readonly CheckedArgument[]
  readonly source?: CheckedNode
  /** Parameters that the receiver fills. */
  readonly filled: readonly CheckedArgument[]
  readonly supplied: ReadonlySet<string>
}

function writtenArguments(context: Context, call: Call): readonly WrittenArgument[] | undefined {
  const { owner, capability } = call.method
  const written: WrittenArgument[] = call.arguments.named.map(({ name, value, span }) => ({
    name,
    wire: slotName(context.scope, name.text, owner) ?? name.text,
    value,
    span,
  }))
  const [value, more] = call.arguments.positional
  if (!value) return written
  const [only, second] = capability.parameters
  const text = capability.kind === 'search' && !more ? textParameter(capability) : undefined
  if (text)
    return [
      { name: { text: text.name, span: value.span }, wire: text.name, value, span: value.span },
      ...written,
    ]
  const takesUnion = only && !second && (only.type.kind === 'union' || only.type.kind === 'array')
  if (takesUnion && !more && value.kind === 'constructor') {
    return [
      ...written,
      { name: { text: only.name, span: value.span }, wire: only.name, value, span: value.span },
    ]
  }
  const required = capability.parameters.filter((parameter) => parameter.required)
  const target = required.length === 1 ? required[0] : capability.parameters.length === 1 ? only : undefined
  const at = { start: value.span.start, end: value.span.start }
  const named = target && { edits: [{ span: at, text: `${target.name}=` }] }
  const fix = more ? undefined : (asNamed(value) ?? named)
  const known = listed(capability.parameters.map((parameter) => parameter.name))
  context.report(
    problem(
      'positional_argument',
      { of: `\`${capability.label}\``, known },
      { span: value.span, ...(fix && { fix }) },
    ),
  )
  return undefined
}

/** `{title: "…"}`, the arguments as an object of other languages, without its braces. */
function asNamed(value: Value): Fix | undefined {
  const first = value.kind === 'object' ? value.entries[0] : undefined
  const last = value.kind === 'object' ? value.entries.at(-1) : undefined
  if (value.kind !== 'object' || !first || !last) return undefined
  const { start, end } = value.span
  return {
    edits: [
      { span: { start, end: first.name.span.start }, text: '' },
      ...value.entries.map((entry) => ({
        span: { start: entry.name.span.start, end: entry.value.span.start },
        text: `${entry.name.text}=`,
      })),
      { span: { start: last.span.end, end }, text: '' },
    ],
  }
}

const NOTHING: Receiver = { identity: [], filled: [], supplied: new Set() }

function receiverOf(context: Context, call: Call, written: readonly WrittenArgument[]): Receiver | undefined {
  const { method, receiver } = call
  const { owner, capability } = method
  const identified = takesIdentity(owner, capability) && !method.anchor
  if (!receiver) return identified ? keyInArguments(context, call, written) : NOTHING
  if (refusesAsTarget(context, receiver, call)) return undefined
  const whole = receiver.rows.target
  if (!identified) {
    const anchor = method.anchor ?? (whole && anchorOf(whole, capability))
    if (!anchor || !whole) {
      const span = { start: receiver.span.start, end: call.name.span.start - 1 }
      const fix = { edits: [{ span, text: symbolOf(context.scope, owner) }] }
      context.report(
        problem(
          'takes_no_target',
          { name: capability.label, entity: symbolOf(context.scope, owner) },
          { span: call.name.span, fix },
        ),
      )
      return undefined
    }
    if (written.some(({ wire }) => wire === anchor.name)) return NOTHING
    const value = receiverValue(receiver)
    return value && { identity: [], filled: [{ slot: anchor, value }], supplied: new Set([anchor.name]) }
  }
  return onTarget(owner, capability, receiver, written)
}

function onTarget(
  owner: Target,
  capability: Capability,
  receiver: CheckedNode,
  written: readonly WrittenArgument[],
): Receiver {
  const supplied = new Set([...keyNamesOf(owner), ...idNamesOf(owner)])
  const value = receiverValue(receiver)
  const filled: CheckedArgument[] = []
  for (const slot of capability.parameters) {
    if (!value || written.some(({ wire }) => wire === slot.name)) continue
    if (!idNamesOf(owner).has(slot.name) && !isOwnReference(owner, slot)) continue
    filled.push({ slot, value })
    supplied.add(slot.name)
  }
  const base = baseOf(receiver)
  if ((base.kind === 'get' || base.kind === 'identity') && base.identity.length > 0)
    return { identity: base.identity, filled, supplied }
  if (base.kind === 'cursor') return { identity: cursorKey(owner), filled, supplied }
  return { identity: [], source: receiver, filled, supplied }
}

function isOwnReference(owner: Target, { type, required }: Parameter): boolean {
  return required && type.kind === 'reference' && type.entity === owner.entity.name
}

function cursorKey(owner: Target): readonly CheckedArgument[] {
  return keySlots(owner).map((slot) => ({
    slot,
    value: { kind: 'cursor', path: [slot.name], text: `_.${slot.name}` },
  }))
}

/** The identity of the one row that a call is made on, as a value. */
function receiverValue(receiver: CheckedNode): CheckedValue | undefined {
  const base = baseOf(receiver)
  if ((base.kind === 'get' || base.kind === 'identity') && base.identity.length > 0)
    return identityValue(base.identity)
  if (base.kind === 'cursor') return { kind: 'cursor', path: [], text: '_' }
  return {
    kind: 'node',
    node: receiver,
    path: [],
    text: receiver.kind === 'label' ? receiver.label : (receiver.rows.target?.entity.name ?? ''),
  }
}

/** `e1.update(id=4, …)`: a key among the arguments names the target as well. */
function keyInArguments(
  context: Context,
  call: Call,
  written: readonly WrittenArgument[],
): Receiver | undefined {
  const { owner, capability } = call.method
  const declared = parametersOf(capability)
  const isKey = (wire: string) =>
    owner.entity.key.includes(wire) || (wire === 'id' && owner.entity.key.length === 1)
  const parts = written.filter(({ wire }) => isKey(wire))
  if (parts.length === 0 || parts.some(({ wire }) => declared.has(wire) && capability.kind !== 'get')) {
    const form = targetForm(context, owner, capability)
    context.report(
      problem(
        'needs_target',
        { name: capability.label, entity: owner.entity.name, form },
        { span: call.name.span },
      ),
    )
    return undefined
  }
  const named = call.arguments.named.filter(({ name }) => parts.some((part) => part.name === name))
  const identity = checkIdentity(context, owner, {
    name: call.name,
    arguments: { positional: [], named, span: call.arguments.span },
  })
  return identity && { identity: identity.key, filled: [], supplied: keyNamesOf(owner) }
}

function checkArguments(site: CallSite, on: Receiver): readonly CheckedArgument[] | undefined {
  const { context, target, capability } = site
  const args: CheckedArgument[] = [...on.filled]
  let wrong = false
  for (const argument of site.written) {
    const parameter = parametersOf(capability).get(argument.wire)
    const isIdentity =
      !parameter || (on.identity.some(({ slot }) => slot.name === argument.wire) && capability.kind === 'get')
    if (isIdentity && on.supplied.has(argument.wire)) continue
    if (!isKnown(site, argument) || !argument.value) {
      wrong = true
      continue
    }
    const slot: Slot = parameter ?? {
      name: argument.wire,
      type: { kind: 'json', text: true },
      required: false,
    }
    const value = parameter
      ? context.checkValue(context, argument.value, {
          ...wantOf(target, slot),
          ...(capability.kind === 'update' && { once: true }),
        })
      : looseValue(context, argument.value)
    if (value) args.push({ slot, value })
    else wrong = true
  }
  return wrong ? undefined : args
}

function operationOf(
  capability: Capability,
  on: Receiver,
  args: readonly CheckedArgument[],
  receiver: CheckedNode | undefined,
): CheckedOperation {
  switch (capability.kind) {
    case 'query':
    case 'search':
      return { kind: 'query', capability, arguments: args, filters: [] }
    case 'get':
      return {
        kind: 'get',
        capability,
        identity: on.identity.length > 0 ? on.identity : sourceKey(on, receiver),
        arguments: args,
      }
    case 'create':
    case 'update':
    case 'delete':
    case 'action':
      return {
        kind: 'call',
        capability,
        identity: on.identity,
        ...(on.source && { source: on.source }),
        arguments: args,
      }
  }
}

/** A get on a row that was read before: takes its key from that row. */
function sourceKey(on: Receiver, receiver: CheckedNode | undefined): readonly CheckedArgument[] {
  const target = receiver?.rows.target
  if (!on.source || !receiver || !target) return []
  const text = receiver.kind === 'label' ? receiver.label : target.entity.name
  return keySlots(target).map((slot) => ({
    slot,
    value: { kind: 'node', node: receiver, path: [slot.name], text: `${text}.${slot.name}` },
  }))
}

/** The shape of a capability's answer. */
function rowsOf(owner: Target, capability: Capability): Rows {
  if (capability.kind === 'query' || capability.kind === 'search') return entityRows(owner, 'many')
  const rows = entityRows(owner, 'one')
  return capability.effect === 'side_effect' ? { ...rows, nothing: true } : rows
}
