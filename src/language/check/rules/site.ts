import type { Span } from '../../../base/diagnostic.ts'
import type { Capability } from '../../../catalog/model.ts'
import type { Arguments, Name, Program, Value } from '../../syntax/tree.ts'
import type { CheckedNode, Target } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import type { Method } from '../model/methods.ts'

/** One argument as written, with the parameter that it names where there is one. */
export interface WrittenArgument {
  readonly name: Name
  /** The wire name of the written one. */
  readonly wire: string
  readonly value: Value | undefined
  readonly span: Span
}

/** A use of a capability: the input of the rules about calls. */
export interface CallSite {
  readonly context: Context
  readonly target: Target
  readonly capability: Capability
  /** Its name in the program. */
  readonly name: Name
  readonly written: readonly WrittenArgument[]
  /** Names that the receiver supplies. */
  readonly supplied: ReadonlySet<string>
  readonly span: Span
}

/** A rule about calls. Reports problems to the context and returns nothing. */
export type CallRule = (site: CallSite) => void

/** A call as written: method, receiver (absent: the entity itself) and arguments. */
export interface Call {
  readonly method: Method
  readonly receiver?: CheckedNode
  readonly arguments: Arguments
  readonly name: Name
  readonly span: Span
}

/** A rule about the program as it is written. */
export type ProgramRule = (context: Context, program: Program) => void
