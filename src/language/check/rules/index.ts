import type { CallRule, ProgramRule } from './site.ts'
import { noHoles } from './holes.ts'
import { knownArguments } from './known-arguments.ts'
import { requiredArguments } from './required-arguments.ts'
import { supported } from './supported.ts'
import { uniqueArguments } from './unique-arguments.ts'
import { uniqueLabels } from './unique-labels.ts'

/** Every rule about a call, in the order of their reports. */
export const CALL_RULES: readonly CallRule[] = [supported, uniqueArguments, knownArguments, requiredArguments]

/** Every rule about a program as it is written, before any name is resolved. */
export const PROGRAM_RULES: readonly ProgramRule[] = [uniqueLabels, noHoles]
