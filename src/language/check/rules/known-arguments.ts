import type { Fix } from '../../../base/diagnostic.ts'
import { nearest } from '../../../base/suggest.ts'
import { parametersOf } from '../../../catalog/lookup.ts'
import { problem } from '../../problems.ts'
import { listed, nameAt } from '../model/context.ts'
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
  return capability.openInput && !SYMBOL.test(wire) && nearest(wire, parameters.keys()).length === 0
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
  const place = nameAt(name.span, name.text, names)
  const fix = place.nearest ? {} : { fix: without(site, argument) }
  context.report(
    problem('unknown_argument', { name: name.text, of, known: listed(names) }, { ...place, ...fix }),
  )
}

/** Removes the argument and the comma next to it. */
function without({ written }: CallSite, { span }: WrittenArgument): Fix {
  const next = written.find((other) => other.span.start > span.start)
  const before = written.findLast((other) => other.span.start < span.start)
  const start = next ? span.start : (before?.span.end ?? span.start)
  return { edits: [{ span: { start, end: next?.span.start ?? span.end }, text: '' }] }
}
