import type { SessionConfigOption } from '@agentclientprotocol/sdk'

/** What happens with a program. The operator's policy holds in each of them. */
export type Mode = 'plan' | 'review' | 'run'

export const DEFAULT_MODE: Mode = 'review'
/** The id of the only option. */
export const MODE_OPTION = 'mode'

const MODES: readonly { readonly value: Mode; readonly name: string; readonly description: string }[] = [
  { value: 'plan', name: 'Plan only', description: 'Check programs and show their plans; run nothing' },
  { value: 'review', name: 'Review', description: 'Run reads; ask before a program changes data' },
  {
    value: 'run',
    name: 'Run',
    description: 'Run programs; ask only where the operator demands that a person confirms',
  },
]

export function isMode(value: unknown): value is Mode {
  return MODES.some((mode) => mode.value === value)
}

/** The complete list of options, as every answer that shows one must have it. */
export function configOptions(mode: Mode): SessionConfigOption[] {
  return [
    {
      id: MODE_OPTION,
      name: 'Programs',
      description: 'What happens with a program',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: MODES.map((one) => ({ ...one })),
    },
  ]
}
