import type { Capability } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { CheckedNode, Target } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { symbolOf } from '../model/resolve.ts'
import type { Call } from './site.ts'

/** Reports a target of a method that is not one row: many rows, or a write that returns none. */
export function refusesAsTarget(context: Context, receiver: CheckedNode, call: Call): boolean {
  const { capability, owner } = call.method
  const { span } = call.name
  if (receiver.rows.nothing) {
    const name = receiver.kind === 'label' ? receiver.label : capability.label
    context.report(problem('write_gives_no_rows', { name }, { span: receiver.span }))
    return true
  }
  if (receiver.rows.single) return false
  const source = receiver.rows.target ?? owner
  const form = `\`rows => _.${call.name.text}(…)\``
  const at = { start: receiver.span.end, end: receiver.span.end }
  const fix = { fix: { edits: [{ span: at, text: ' => _' }] } }
  context.report(
    problem('many_target', { name: call.name.text, entity: source.entity.name, form }, { span, ...fix }),
  )
  return true
}

/** How a program calls the capability on one row. */
export function targetForm(context: Context, owner: Target, capability: Capability): string {
  return `\`${symbolOf(context.scope, owner)}(${keyForm(owner, (slot) => slot)}).${capability.label}(…)\``
}

function keyForm(target: Target, value: (slot: string) => string): string {
  const { key } = target.entity
  return key.length === 1 ? value(key[0] ?? 'id') : key.map((slot) => `${slot}=${value(slot)}`).join(', ')
}
