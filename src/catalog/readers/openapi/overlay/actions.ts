import type { Json } from '../../../../base/canonical.ts'
import type { Problem } from '../../../../base/diagnostic.ts'
import { child, isList } from '../../../../base/json.ts'
import { textAt } from '../schema/keywords.ts'
import { openapiProblem } from '../problems.ts'

/** One action of an Overlay document. */
export interface Action {
  /** Its place in the document, from 1. */
  readonly number: number
  /** An RFC 9535 JSONPath. */
  readonly target: string
  readonly change:
    | { readonly kind: 'remove' }
    | { readonly kind: 'update'; readonly value: Json }
    /** `source`: a JSONPath to the value. */
    | { readonly kind: 'copy'; readonly source: string }
}

/** More actions than this are no correction of a document. */
const MAX_ACTIONS = 1000

/** The actions of an Overlay document (1.0, 1.1), or what is wrong with it. */
export function actionsOf(overlay: Json): readonly Action[] | Problem {
  const version = textAt(overlay, 'overlay') ?? ''
  const written = child(overlay, 'actions')
  if (!/^1\.[01](?:\.|$)/.test(version)) return openapiProblem('overlay_version', { version })
  if (!isList(written) || written.length === 0 || written.length > MAX_ACTIONS)
    return openapiProblem('overlay_actions', { most: MAX_ACTIONS })
  const actions: Action[] = []
  for (const [index, one] of written.entries()) {
    const number = index + 1
    const target = textAt(one, 'target')
    const change = changeOf(one)
    if (target === undefined || !change) return openapiProblem('overlay_action', { number })
    actions.push({ number, target, change })
  }
  return actions
}

function changeOf(action: Json): Action['change'] | undefined {
  if (child(action, 'remove') === true) return { kind: 'remove' }
  const value = child(action, 'update')
  if (value !== undefined) return { kind: 'update', value }
  const source = textAt(action, 'copy')
  return source === undefined ? undefined : { kind: 'copy', source }
}
