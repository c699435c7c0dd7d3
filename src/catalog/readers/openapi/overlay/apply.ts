import type { Json } from '../../../../base/canonical.ts'
import type { Problem } from '../../../../base/diagnostic.ts'
import { walk } from '../../../../base/json.ts'
import { openapiProblem } from '../problems.ts'
import { type Action, actionsOf } from './actions.ts'
import { merged } from './merge.ts'
import { type Place, placesOf, withoutAt, withValueAt } from './places.ts'

/** A document after an overlay, and the actions that selected nothing. */
interface Overlaid {
  readonly document: Json
  readonly warnings: readonly Problem[]
}

/**
 * Applies an Overlay document, action after action, each to what the one before it made.
 *
 * Gives `overlay_version`, `overlay_actions`, `overlay_action`, `overlay_path` or `overlay_incompatible`; the warnings are
 * `overlay_unmatched`.
 */
export function applyOverlay(document: Json, overlay: Json): Overlaid | Problem {
  const actions = actionsOf(overlay)
  if ('code' in actions) return actions
  const warnings: Problem[] = []
  let next = document
  for (const action of actions) {
    const { number, target } = action
    const places = placesOf(next, target)
    if (!places) return openapiProblem('overlay_path', { number, path: target })
    if (places.length === 0) warnings.push(openapiProblem('overlay_unmatched', { number, target }))
    const changed = changedAt(places, next, action)
    if ('problem' in changed) return changed.problem
    next = changed.document
  }
  return { document: next, warnings }
}

function changedAt(
  places: readonly Place[],
  document: Json,
  { number, target, change }: Action,
): { readonly document: Json } | { readonly problem: Problem } {
  const incompatible = { problem: openapiProblem('overlay_incompatible', { number, target }) }
  const update = change.kind === 'copy' ? valueAt(document, change.source) : change
  if (!update) return incompatible
  let next = document
  // The last first: the elements of a list that loses some keep their places.
  for (const place of places.toReversed()) {
    if (update.kind === 'remove') {
      if (place.length === 0) return incompatible
      next = withoutAt(next, place)
      continue
    }
    const value = merged(walk(next, place) ?? null, update.value)
    if (value === undefined) return incompatible
    next = withValueAt(next, place, value)
  }
  return { document: next }
}

/** The value that one JSONPath selects; undefined if it selects none or several. */
function valueAt(document: Json, path: string): Extract<Action['change'], { kind: 'update' }> | undefined {
  const [place, ...more] = placesOf(document, path) ?? []
  const value = place && more.length === 0 ? walk(document, place) : undefined
  return value === undefined ? undefined : { kind: 'update', value }
}
