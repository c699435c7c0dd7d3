import type { Fix, Span } from '../../../base/diagnostic.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Capability } from '../../../catalog/model.ts'
import type { Target } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { entityIn, symbolOf } from '../model/resolve.ts'

/** A name with its value, as written. */
interface Written {
  readonly wire: string
  readonly span: Span
}

/**
 * `owner=acme, repo=shop` as `repository=e6(owner=acme, repo=shop)`: the fix if the parts of a compound key stand side by
 * side where the capability takes the reference.
 */
export function foldedKey(
  context: Context,
  target: Target,
  capability: Capability,
  written: readonly Written[],
): Fix | undefined {
  for (const { name, type } of capability.parameters) {
    if (type.kind !== 'reference' || written.some(({ wire }) => wire === name)) continue
    const key = indexOf(target.catalog).entities.get(type.entity)?.key ?? []
    const referred = entityIn(target.catalog, target.digest, type.entity)
    const parts = written.filter(({ wire }) => key.includes(wire))
    if (!referred || key.length < 2 || new Set(parts.map(({ wire }) => wire)).size < key.length) continue
    const [start, end] = [
      Math.min(...parts.map((one) => one.span.start)),
      Math.max(...parts.map((one) => one.span.end)),
    ]
    const strangers = written.some(
      (one) => one.span.start > start && one.span.end < end && !key.includes(one.wire),
    )
    if (strangers || parts.length > key.length) continue
    return {
      edits: [
        { span: { start, end: start }, text: `${name}=${symbolOf(context.scope, referred)}(` },
        { span: { start: end, end }, text: ')' },
      ],
    }
  }
  return undefined
}
