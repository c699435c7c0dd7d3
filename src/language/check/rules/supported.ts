import type { Capability } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { CallRule } from './site.ts'

/** A capability that needs what we lack is refused by name, with what it needs. */
export const supported: CallRule = ({ context, capability, name }) => {
  if (isSupported(capability)) return
  context.report(
    problem(
      'unsupported_capability',
      { name: capability.label, features: capability.unsupported },
      { span: name.span },
    ),
  )
}

/** Can we run it? */
export function isSupported(capability: Capability): boolean {
  return capability.unsupported.length === 0
}
