import type { Json } from '../base/canonical.ts'

/**
 * A read right before a call, with the caller's rights: its result fills variables of the request. Steps run in order, and
 * a later step may use the result of an earlier one.
 */
export type Preflight =
  /** Gets the target of the call: each field as `prefix_field`. */
  | { readonly kind: 'target'; readonly get: string; readonly prefix: string }
  /** Gets the row of a reference argument; skipped if the argument is absent. */
  | {
      readonly kind: 'reference'
      readonly parameter: string
      readonly get: string
      readonly found: readonly Found[]
    }
  /** Finds the one row of a list whose field equals an argument; skipped if that argument, or `when`, is absent. */
  | {
      readonly kind: 'pick'
      readonly when?: string
      readonly query: string
      readonly bindings: readonly { readonly parameter: string; readonly value: PreflightValue }[]
      readonly field: string
      readonly equals: string
      readonly found: readonly Found[]
    }
  /** The ids of the target's labels, with the ids of the named labels added and removed. */
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

/** A field of the row that was read, and the variable that it fills. */
export interface Found {
  readonly variable: string
  readonly field: string
}

export type PreflightValue =
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: Json }
  /** The value at these object keys of the row that `prefix` names. */
  | { readonly kind: 'target'; readonly prefix: string; readonly path: readonly string[] }

/** The capabilities of the reads before a call. */
export function readsOf(steps: readonly Preflight[]): readonly string[] {
  return steps.map((step) => ('get' in step ? step.get : step.query))
}

/** The arguments that the reads before a call use. */
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

/** The variables that the reads before a call can fill; `prefix_` for all that start with it. */
export function filledBy(steps: readonly Preflight[]): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'target') return [`${step.prefix}_`]
    return step.kind === 'labels' ? [step.variable] : step.found.map(({ variable }) => variable)
  })
}
