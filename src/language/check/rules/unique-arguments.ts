import { problem } from '../../problems.ts'
import type { CallRule } from './site.ts'

/** An argument is given once. */
export const uniqueArguments: CallRule = ({ context, written }) => {
  const seen = new Set<string>()
  for (const { wire, name, span } of written) {
    if (seen.has(wire)) context.report(problem('duplicate_argument', { name: name.text }, { span }))
    seen.add(wire)
  }
}
