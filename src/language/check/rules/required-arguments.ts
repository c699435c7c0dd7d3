import { nearest } from '../../../base/suggest.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Capability } from '../../../catalog/model.ts'
import { describeType } from '../../../catalog/value.ts'
import { boundBy, gapsOf } from '../../../catalog/variables.ts'
import { problem } from '../../problems.ts'
import type { Target } from '../checked.ts'
import type { CallRule } from '../site.ts'

/** What the request has no text without, when these are given: an optional argument may be needed beside another. */
function gapsWith(target: Target, capability: Capability, given: readonly string[]): readonly string[] {
  const { entities } = indexOf(target.catalog)
  const { request } = capability
  const { always } = boundBy(capability, (name) => entities.get(name))
  return request ? gapsOf(request, new Set([...always, ...given])) : []
}

/** Everything required is given, by the program or by what the call is made on. */
export const requiredArguments: CallRule = ({
  context,
  target,
  capability,
  name: called,
  written,
  supplied,
}) => {
  if (context.teaching) return
  const given = new Set(written.map(({ wire }) => wire))
  const names = capability.parameters.map((parameter) => parameter.name)
  // A slip of its name is told as that, once.
  const isMisspelt = (name: string) =>
    [...given].some((wire) => !names.includes(wire) && nearest(wire, [name]).length > 0)
  const gaps = new Set(gapsWith(target, capability, [...given, ...supplied]))
  const missing = capability.parameters.filter(
    (parameter) =>
      (parameter.required || gaps.has(parameter.name)) &&
      !given.has(parameter.name) &&
      !supplied.has(parameter.name) &&
      !isMisspelt(parameter.name),
  )
  if (missing.length === 0) return
  const list = missing.map((parameter) => `\`${parameter.name}\` (${describeType(parameter.type)})`)
  const of =
    capability.kind === 'query'
      ? `A query of ${target.entity.name}`
      : `\`${capability.label}\` of ${target.entity.name}`
  context.report(problem('missing_argument', { of, missing: list }, { span: called.span }))
}
