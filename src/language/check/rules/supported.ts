import type { Capability } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { CallRule } from './site.ts'

/** Refuses a capability with unsupported features, and names them. */
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

/** Whether the capability is supported. */
export function isSupported(capability: Capability): boolean {
  return capability.unsupported.length === 0
}
