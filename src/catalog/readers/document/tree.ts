import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Alias,
  type LineCounter,
  type Node,
  type YAMLMap,
} from 'yaml'
import type { Json } from '../../../base/canonical.ts'
import { readYaml } from '../../../base/bounded-yaml.ts'
import { problem } from '../../problems.ts'
import type { Notes } from './notes.ts'

/** The place of a value; `line` is 1-based. */
export interface Spot {
  readonly file: string
  readonly line: number
}

/** YAML as plain values with their places. Aliases share one value, so that they cost no memory. */
export type Tree =
  | (Placed & { readonly kind: 'scalar'; readonly value: string | number | boolean | null })
  | (Placed & { readonly kind: 'list'; readonly items: readonly Tree[] })
  | MapTree

interface Placed {
  readonly at: Spot
  /** The number of nodes below, counting aliases each time. */
  readonly size: number
  /** The levels of lists and maps, through aliases too. */
  readonly height: number
}

export interface MapTree extends Placed {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, Entry>
}

export interface Entry {
  readonly at: Spot
  readonly tree: Tree
}

/** The deepest nesting; real catalogs stay under 25. */
const DEEPEST = 100
/** The limit of nodes that all aliases of a file may expand to. */
const MAX_ALIASED = 500_000

/**
 * Reads one file of YAML 1.2. Notes syntax errors, duplicate keys (a warning: the last value is used), and nesting and
 * aliases over the limits. Undefined if there is no usable value.
 */
export function readTree(file: string, text: string, notes: Notes): Tree | undefined {
  const read = readYaml(text, DEEPEST, { uniqueKeys: false })
  if ('tooDeepAt' in read) {
    notes.error(problem('yaml_too_deep', { most: DEEPEST }, { file, line: read.tooDeepAt }))
    return undefined
  }
  const { document, lines } = read
  for (const { pos, message } of document.errors) {
    const { line } = lines.linePos(pos[0])
    notes.error(problem('yaml_syntax', { detail: message.slice(0, 200) }, { file, line }))
  }
  if (document.errors.length > 0) return undefined
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    notes.error(problem('yaml_empty', {}, { file, line: 1 }))
    return undefined
  }
  const tree = new Converter(file, lines, notes).convert(document.contents, file)
  if (tree.height <= DEEPEST) return tree
  notes.error(problem('yaml_too_deep', { most: DEEPEST }, tree.at))
  return undefined
}

class Converter {
  readonly #file: string
  readonly #lines: LineCounter
  readonly #notes: Notes
  readonly #anchors = new Map<string, Tree>()
  #aliased = 0

  constructor(file: string, lines: LineCounter, notes: Notes) {
    this.#file = file
    this.#lines = lines
    this.#notes = notes
  }

  convert(node: Node | null, where: string): Tree {
    const at = this.#spot(node)
    if (isAlias(node)) return this.#alias(node, at)
    const tree = this.#plain(node, at, where)
    if (node && 'anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, tree)
    return tree
  }

  #plain(node: Node | null, at: Spot, where: string): Tree {
    if (isMap(node)) return this.#map(node, at, where)
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.convert(nodeOf(item), `${where}[${index}]`))
      return { kind: 'list', at, ...extentOf(items), items }
    }
    const value: unknown = isScalar(node) ? node.value : null
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return { kind: 'scalar', at, size: 1, height: 0, value }
    }
    return typeof value === 'bigint'
      ? { kind: 'scalar', at, size: 1, height: 0, value: Number(value) }
      : nothing(at)
  }

  #map(node: YAMLMap, at: Spot, where: string): Tree {
    const entries = new Map<string, Entry>()
    for (const { key, value } of node.items) {
      const keyNode = nodeOf(key)
      const keyAt = this.#spot(keyNode)
      const name = this.#key(keyNode, keyAt, where)
      if (name === undefined) continue
      if (entries.has(name)) this.#notes.warn(problem('duplicate_key', { where, key: name }, keyAt))
      entries.set(name, {
        at: keyAt,
        tree: this.convert(nodeOf(value), where ? `${where}.${name}` : name),
      })
    }
    const trees = [...entries.values()].map(({ tree }) => tree)
    return { kind: 'map', at, ...extentOf(trees), entries }
  }

  #key(node: Node | null, at: Spot, where: string): string | undefined {
    if (isScalar(node) && ['string', 'number', 'boolean'].includes(typeof node.value))
      return String(node.value)
    this.#notes.error(
      problem('wrong_shape', { where, wanted: 'a map with text keys', actual: 'another key' }, at),
    )
    return undefined
  }

  #alias(node: Alias, at: Spot): Tree {
    const tree = this.#anchors.get(node.source)
    if (!tree) {
      this.#notes.error(problem('yaml_bad_alias', { alias: node.source }, at))
      return nothing(at)
    }
    const before = this.#aliased
    this.#aliased += tree.size
    if (this.#aliased <= MAX_ALIASED) return tree
    if (before <= MAX_ALIASED) this.#notes.error(problem('yaml_aliases', { most: MAX_ALIASED }, at))
    return nothing(at)
  }

  #spot(node: Node | null): Spot {
    const offset = node?.range?.[0]
    return { file: this.#file, line: offset === undefined ? 1 : this.#lines.linePos(offset).line }
  }
}

function nodeOf(value: unknown): Node | null {
  return isNode(value) ? value : null
}

function nothing(at: Spot): Tree {
  return { kind: 'scalar', at, size: 1, height: 0, value: null }
}

function extentOf(parts: readonly Tree[]): Pick<Placed, 'size' | 'height'> {
  return {
    size: parts.reduce((sum, part) => sum + part.size, 1),
    height: parts.reduce((most, part) => Math.max(most, part.height), 0) + 1,
  }
}

/** The shape of a value, for messages. */
export function shapeOf(tree: Tree): string {
  if (tree.kind === 'map') return 'a map'
  if (tree.kind === 'list') return 'a list'
  if (tree.value === null) return 'empty'
  if (typeof tree.value === 'string')
    return tree.value.length > 40 ? 'a long text' : `the text ${JSON.stringify(tree.value)}`
  return `the ${typeof tree.value} ${tree.value}`
}

/** The value as JSON. */
export function jsonOf(tree: Tree): Json {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'list') return tree.items.map(jsonOf)
  return Object.fromEntries([...tree.entries].map(([key, entry]) => [key, jsonOf(entry.tree)]))
}
