import { isMisspelt } from '../../../base/suggest.ts'
import { parametersOf } from '../../../catalog/lookup.ts'
import { problem } from '../../problems.ts'
import { kinAt, listed } from '../model/context.ts'
import { SYMBOL, wrongSymbol } from '../model/resolve.ts'
import type { CallRule, CallSite, WrittenArgument } from './site.ts'

/** An argument names a parameter; an open input accepts other names unless they look like a misspelt parameter. */
export const knownArguments: CallRule = (site) => {
  for (const argument of site.written) if (!isKnown(site, argument)) reportUnknown(site, argument)
}

/** Whether the call accepts the argument. */
export function isKnown({ capability, supplied }: CallSite, { wire }: WrittenArgument): boolean {
  const parameters = parametersOf(capability)
  if (parameters.has(wire) || supplied.has(wire)) return true
  return capability.openInput && !SYMBOL.test(wire) && !isMisspelt(wire, parameters.keys())
}

function reportUnknown(site: CallSite, argument: WrittenArgument): void {
  const { context, target, capability } = site
  const { name, wire } = argument
  const names = capability.parameters.map((parameter) => parameter.name)
  if (SYMBOL.test(wire)) {
    context.report(wrongSymbol(context.scope, name, `an argument of \`${capability.label}\``, names))
    return
  }
  const of = `\`${capability.label}\` of ${target.entity.name}`
  context.report(() => {
    const place = kinAt(name.span, name.text, names)
    const meant = referenceMeant(site, argument) ?? textMeant(site, argument)
    const fix = meant === undefined ? {} : { fix: { edits: [{ span: name.span, text: meant }] } }
    return problem('unknown_argument', { name: name.text, of, known: listed(names) }, { ...place, ...fix })
  })
}

/** What APIs call the text of a message, a comment or a note. */
const TEXT = /^(?:body|comment|content|description|message|note|text)$/

/** `body` for `text`: the one required argument for a text that is not given. */
function textMeant({ capability, written }: CallSite, { wire }: WrittenArgument): string | undefined {
  if (!TEXT.test(wire)) return undefined
  const [only, more] = capability.parameters.filter(
    ({ name, required }) => required && TEXT.test(name) && !written.some((one) => one.wire === name),
  )
  return more ? undefined : only?.name
}

/** `team` for `team_key`, `team_id` and `teamId`: the reference takes the key. */
function referenceMeant({ capability, written }: CallSite, { wire }: WrittenArgument): string | undefined {
  const stem = wire.replace(/(?:_id|_key|_name|_slug|Id|Key)$/, '')
  return capability.parameters.find(
    ({ name, type }) =>
      name === stem &&
      name !== wire &&
      type.kind === 'reference' &&
      !written.some((one) => one.wire === name),
  )?.name
}
