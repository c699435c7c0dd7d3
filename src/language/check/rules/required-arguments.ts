import { nearest } from '../../../base/suggest.ts'
import { requestOf } from '../../../catalog/call.ts'
import { indexOf, parametersOf, requiredOf, textParameter } from '../../../catalog/lookup.ts'
import { describeType } from '../../../catalog/values/value.ts'
import { boundBy, gapsOf, hasTexts } from '../../../catalog/variables.ts'
import { problem } from '../../problems.ts'
import { capabilitiesOf, symbolOf } from '../model/resolve.ts'
import { foldedKey } from './folded-key.ts'
import type { CallRule, CallSite } from './site.ts'

/** Variables that the request still needs, given the written arguments: one optional argument may require another. */
function gapsWith({ target, capability, written, supplied }: CallSite): readonly string[] {
  const request = requestOf(capability)
  if (!request || !hasTexts(request)) return []
  const { entities } = indexOf(target.catalog)
  const { always } = boundBy(capability, (name) => entities.get(name))
  return gapsOf(request, new Set([...always, ...supplied, ...written.map(({ wire }) => wire)]))
}

/** Every required argument is given, by the program or by the receiver. */
export const requiredArguments: CallRule = (site) => {
  const { context, target, capability, name: called, written, supplied } = site
  if (context.teaching) return
  const isGiven = (name: string) => supplied.has(name) || written.some(({ wire }) => wire === name)
  // A misspelt name is reported as unknown, not also as missing.
  const isMisspelt = (name: string) =>
    written.some(({ wire }) => !parametersOf(capability).has(wire) && nearest(wire, [name]).length > 0)
  const gaps = gapsWith(site)
  const missing = capability.parameters.filter(
    ({ name, required }) => (required || gaps.includes(name)) && !isGiven(name) && !isMisspelt(name),
  )
  if (missing.length === 0) return
  const list = missing.map((parameter) => `\`${parameter.name}\` (${describeType(parameter.type)})`)
  const of =
    capability.kind === 'query'
      ? `A query of ${target.entity.name}`
      : `\`${capability.label}\` of ${target.entity.name}`
  const fix = foldedKey(context, target, capability, written)
  const search = capability.kind === 'query' ? searchOf(site) : undefined
  context.report(
    problem(
      'missing_argument',
      { of, missing: list, ...(search && { search: search.form }) },
      { span: called.span, ...(fix && { fix }), ...(search && { about: search.about }) },
    ),
  )
}

/** The search of the entity, which needs no more than a text: its form, and the symbols of the rows that teach it. */
function searchOf({ context, target, capability }: CallSite): { form: string; about: string[] } | undefined {
  const { scope } = context
  const found = capabilitiesOf(scope, target).find((one) => {
    const text = textParameter(one)
    return one.kind === 'search' && text && requiredOf(one).every((parameter) => parameter === text)
  })
  const exposed = scope.space.exposureOf(target.catalog.id, target.entity.name)
  if (!found || !exposed) return undefined
  const about = [capability, found].flatMap(({ name }) => scope.space.methodSymbol(exposed, name) ?? [])
  return { form: `${symbolOf(scope, target)}~"…"`, about }
}
