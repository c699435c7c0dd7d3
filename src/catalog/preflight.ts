import type { Json } from '../base/canonical.ts'

/**
 * A read that is made right before a call, with the caller's rights: what it finds fills variables of the request that no
 * argument does. In order; a later one may look into what an earlier one got.
 */
export type Preflight =
  /** Gets the row that the call is made on: each field as `prefix_field`. */
  | { readonly kind: 'target'; readonly get: string; readonly prefix: string }
  /** Gets what a reference argument names; nothing where the argument is absent. */
  | {
      readonly kind: 'reference'
      readonly parameter: string
      readonly get: string
      readonly found: readonly Found[]
    }
  /** Finds the one row of a list whose field equals an argument; nothing where that argument, or `when`, is absent. */
  | {
      readonly kind: 'pick'
      readonly when?: string
      readonly query: string
      readonly bindings: readonly { readonly parameter: string; readonly value: PreflightValue }[]
      readonly field: string
      readonly equals: string
      readonly found: readonly Found[]
    }
  /** The ids of the target's labels, with those of the arguments' names put in and taken out. */
  | {
      readonly kind: 'labels'
      readonly add: string
      readonly remove: string
      readonly query: string
      readonly prefix: string
      /** Object keys to the labels in the answer of the row that `prefix` names. */
      readonly path: readonly string[]
      readonly variable: string
    }

/** A field of a found row, and the variable that it fills. */
export interface Found {
  readonly variable: string
  readonly field: string
}

export type PreflightValue =
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: Json }
  /** What stands at these object keys of the row that `prefix` names. */
  | { readonly kind: 'target'; readonly prefix: string; readonly path: readonly string[] }

/** The capabilities that the reads of a call use. */
export function readsOf(steps: readonly Preflight[]): readonly string[] {
  return steps.map((step) => ('get' in step ? step.get : step.query))
}

/** The arguments that the reads of a call look at. */
export function argumentsOf(steps: readonly Preflight[]): readonly string[] {
  return steps.flatMap((step) => {
    switch (step.kind) {
      case 'target':
        return []
      case 'reference':
        return [step.parameter]
      case 'labels':
        return [step.add, step.remove]
      case 'pick': {
        const bound = step.bindings.flatMap(({ value }) => (value.kind === 'parameter' ? [value.name] : []))
        return [step.equals, step.when ?? step.equals, ...bound]
      }
    }
  })
}

/** The variables that the reads of a call can fill, `prefix_` for all that begin so. */
export function filledBy(steps: readonly Preflight[]): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'target') return [`${step.prefix}_`]
    return step.kind === 'labels' ? [step.variable] : step.found.map(({ variable }) => variable)
  })
}
