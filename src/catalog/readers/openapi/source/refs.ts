import type { Json } from '../../../../base/canonical.ts'
import { child, isRecord } from '../../../../base/json.ts'

/** A longer chain of references is a cycle or an attack. */
const MAX_HOPS = 32

type JsonObject = { readonly [key: string]: Json }

/** A referenced value. */
export interface Resolved {
  readonly value: Json | undefined
  /** The name of the component that was referred to. */
  readonly name?: string
}

/** Resolves `$ref` inside one document, lazily. References to other documents and dangling ones are noted, never followed. */
export class References {
  readonly #root: Json
  readonly #cache = new Map<string, Json | undefined>()
  /** References that name another document. */
  readonly outside = new Set<string>()
  /** References to nothing. */
  readonly missing = new Set<string>()

  constructor(root: Json) {
    this.#root = root
  }

  /** The value itself, or what its `$ref` leads to. Keys beside `$ref` are ignored. */
  resolve(value: Json | undefined): Resolved {
    let held = value
    let name: string | undefined
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const target = refOf(held)
      if (target === undefined) return { value: held, ...(name !== undefined && { name }) }
      if (!target.startsWith('#')) {
        this.outside.add(target)
        return { value: undefined }
      }
      held = this.#at(target)
      if (held === undefined) {
        this.missing.add(target)
        return { value: undefined }
      }
      name = nameOf(target)
    }
    this.missing.add(refOf(value) ?? '')
    return { value: undefined }
  }

  /** The object that a value is or refers to; an empty one otherwise. */
  record(value: Json | undefined): JsonObject {
    const { value: found } = this.resolve(value)
    return isRecord(found) ? found : {}
  }

  #at(pointer: string): Json | undefined {
    if (this.#cache.has(pointer)) return this.#cache.get(pointer)
    let held: Json | undefined = this.#root
    for (const part of partsOf(pointer)) held = child(held, part)
    this.#cache.set(pointer, held)
    return held
  }
}

/** The reference that a value is; undefined for any other value. */
export function refOf(value: Json | undefined): string | undefined {
  const target = isRecord(value) ? child(value, '$ref') : undefined
  return typeof target === 'string' ? target : undefined
}

function partsOf(pointer: string): readonly string[] {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part, index, all) => part !== '' || all.length > 1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The name of a component; references into other parts of the document name nothing. */
function nameOf(pointer: string): string | undefined {
  return /^#\/(?:components|definitions)\//.test(pointer) ? partsOf(pointer).at(-1) : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
