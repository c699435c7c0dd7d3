import { canonicalJson } from '../base/canonical.ts'
import { indexOf } from './lookup.ts'
import type { Capability, Catalog, Entity } from './model.ts'

/** How an entity differs between two models of a catalog. */
export interface EntityChange {
  readonly entity: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** What of it: `fields +depth, -width; methods ~close`. Empty unless changed. */
  readonly what: string
}

const MAX_NAMES = 8

/** The entities that differ, in the order of the newer model; removed ones last. Prose is no difference. */
export function changesOf(before: Catalog, after: Catalog): readonly EntityChange[] {
  const old = indexOf(before).entities
  const now = indexOf(after).entities
  const changed = after.entities.flatMap((entity): EntityChange[] => {
    const was = old.get(entity.name)
    if (!was) return [{ entity: entity.name, kind: 'added', what: '' }]
    const what = differences(was, entity, before, after)
    return what === '' ? [] : [{ entity: entity.name, kind: 'changed', what }]
  })
  const removed = before.entities
    .filter(({ name }) => !now.has(name))
    .map(({ name }): EntityChange => ({ entity: name, kind: 'removed', what: '' }))
  return [...changed, ...removed]
}

function differences(was: Entity, is: Entity, before: Catalog, after: Catalog): string {
  const methods = (catalog: Catalog, { name }: Entity) =>
    indexOf(catalog)
      .capabilitiesOf(name)
      .map((capability) => [capability.label, plainCapability(capability)] as const)
  const parts = [
    part('fields', named(was.fields), named(is.fields)),
    part('relations', named(was.relations), named(is.relations)),
    part('methods', methods(before, was), methods(after, is)),
    was.key.join() === is.key.join() ? '' : `key ${is.key.join(', ')}`,
  ]
  return parts.filter((one) => one !== '').join('; ')
}

type Pairs = readonly (readonly [name: string, content: string])[]

function named(all: readonly { readonly name: string }[]): Pairs {
  return all.map((one) => [one.name, canonicalJson(withoutProse(one))] as const)
}

/** The fields of an answer are compared as those of the entity. */
function plainCapability({ terms: _terms, provides: _provides, ...capability }: Capability): string {
  return canonicalJson(withoutProse(capability))
}

function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'description')
  return Object.fromEntries(kept.map(([name, held]) => [name, withoutProse(held)]))
}

function part(what: string, before: Pairs, after: Pairs): string {
  const old = new Map(before)
  const now = new Map(after)
  const marks = [
    ...after.filter(([name]) => !old.has(name)).map(([name]) => `+${name}`),
    ...before.filter(([name]) => !now.has(name)).map(([name]) => `-${name}`),
    ...after.filter(([name, text]) => old.has(name) && old.get(name) !== text).map(([name]) => `~${name}`),
  ]
  if (marks.length === 0) return ''
  const shown = marks.slice(0, MAX_NAMES).join(', ')
  return `${what} ${shown}${marks.length > MAX_NAMES ? `, and ${marks.length - MAX_NAMES} more` : ''}`
}

/** One line about the change of an entity. */
export function changeLine({ entity, kind, what }: EntityChange): string {
  return kind === 'changed' ? `${entity}: ${what}` : `${entity}: ${kind}`
}
