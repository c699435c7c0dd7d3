import type { Place, Problem } from '../../../base/diagnostic.ts'
import { problem } from '../../problems.ts'
import type { Notes } from './notes.ts'
import { shapeOf, type Entry, type MapTree, type Spot, type Tree } from './tree.ts'

/** Common mistakes that an edit distance does not find. */
const SLIPS: ReadonlyMap<string, string> = new Map([
  ['via_param', 'materialize'],
  ['query_params', 'query'],
  ['qualifier_terms', 'qualifier_names'],
  ['last_page', 'pagination'],
  ['next_cursor', 'pagination'],
])

/** A map with known keys: its methods return values of the expected shape and note problems. */
export class Section {
  readonly tree: MapTree
  readonly where: string
  readonly notes: Notes

  private constructor(tree: MapTree, where: string, notes: Notes) {
    this.tree = tree
    this.where = where
    this.notes = notes
  }

  /** The section; undefined if the value is not a map. Warns of unknown keys. */
  static of(tree: Tree, where: string, known: readonly string[], notes: Notes): Section | undefined {
    if (tree.kind !== 'map') {
      notes.error(
        problem(
          'wrong_shape',
          { where: where || 'the catalog', wanted: 'a map', actual: shapeOf(tree) },
          tree.at,
        ),
      )
      return undefined
    }
    for (const [key, { at }] of tree.entries) {
      if (known.includes(key)) continue
      const nearest = meantKeys(key, known, notes)
      notes.warn(
        problem('unknown_key', { where: where || 'the catalog', key, nearest, known }, { ...at, nearest }),
      )
    }
    return new Section(tree, where, notes)
  }

  /** The value; undefined if it is absent or null. */
  get(key: string): Tree | undefined {
    const tree = this.tree.entries.get(key)?.tree
    return tree?.kind === 'scalar' && tree.value === null ? undefined : tree
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  /** The value; an error if it is absent. */
  need(key: string): Tree | undefined {
    const tree = this.get(key)
    if (!tree)
      this.notes.error(problem('missing_key', { where: this.where || 'the catalog', key }, this.at(key)))
    return tree
  }

  /** The place of a key, or of the whole section if the key is absent. */
  at(key?: string): Spot {
    return (key === undefined ? undefined : this.tree.entries.get(key)?.at) ?? this.tree.at
  }

  /** The place of a nested key, or of the innermost one that exists. */
  within(...keys: readonly string[]): Spot {
    let tree: Tree = this.tree
    let at: Spot = this.tree.at
    for (const key of keys) {
      const entry: Entry | undefined = tree.kind === 'map' ? tree.entries.get(key) : undefined
      if (!entry) return at
      at = entry.at
      tree = entry.tree
    }
    return at
  }

  path(key: string): string {
    return this.where ? `${this.where}.${key}` : key
  }

  text(key: string): string | undefined {
    const tree = this.get(key)
    if (!tree) return undefined
    if (tree.kind === 'scalar' && typeof tree.value === 'string') return tree.value
    this.wrong(key, tree, 'a text')
    return undefined
  }

  /** A text that is not blank; an error if it is absent. */
  needText(key: string): string | undefined {
    if (!this.need(key)) return undefined
    const text = this.text(key)
    if (text === undefined || text.trim() !== '') return text
    this.notes.error(
      problem('wrong_shape', { where: this.path(key), wanted: 'a text', actual: 'blank' }, this.at(key)),
    )
    return undefined
  }

  flag(key: string): boolean {
    const tree = this.get(key)
    if (!tree) return false
    if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return tree.value
    this.wrong(key, tree, '`true` or `false`')
    return false
  }

  count(key: string): number | undefined {
    const tree = this.get(key)
    if (!tree) return undefined
    if (
      tree.kind === 'scalar' &&
      typeof tree.value === 'number' &&
      Number.isSafeInteger(tree.value) &&
      tree.value >= 0
    ) {
      return tree.value
    }
    this.wrong(key, tree, 'a whole number, 0 or more')
    return undefined
  }

  items(key: string): readonly Tree[] {
    const tree = this.get(key)
    if (!tree) return []
    if (tree.kind === 'list') return tree.items
    this.wrong(key, tree, 'a list')
    return []
  }

  texts(key: string): readonly string[] {
    return this.items(key).flatMap((item, index) => {
      if (item.kind === 'scalar' && typeof item.value === 'string') return [item.value]
      const params = {
        where: `${this.path(key)}[${index}]`,
        wanted: 'a text (in quotes)',
        actual: shapeOf(item),
      }
      this.notes.error(problem('wrong_shape', params, item.at))
      return []
    })
  }

  entries(key: string): readonly (readonly [string, Entry])[] {
    const tree = this.get(key)
    if (!tree) return []
    if (tree.kind === 'map') return [...tree.entries]
    this.wrong(key, tree, 'a map')
    return []
  }

  /** One of the options. Any other value is an error, or a warning if there is a fallback. */
  choice<const Option extends string>(
    key: string,
    options: readonly Option[],
    fallback?: Option,
  ): Option | undefined {
    const value = this.text(key)
    if (value === undefined) return fallback
    const found = options.find((option) => option === value)
    if (found !== undefined) return found
    const nearest = this.notes.nearest(value, options)
    const stray = problem(
      'not_one_of',
      { where: this.path(key), value, options, nearest },
      this.#near(key, nearest),
    )
    if (fallback === undefined) this.notes.error(stray)
    else this.notes.warn(stray)
    return fallback
  }

  /** Object keys to a value: `a.b` or `[a, b]`. */
  steps(key: string): readonly string[] | undefined {
    const tree = this.get(key)
    if (!tree) return undefined
    if (tree.kind === 'scalar' && typeof tree.value === 'string')
      return tree.value === '' ? [] : tree.value.split('.')
    return this.texts(key)
  }

  /** Notes a name that does not exist. */
  unknown(key: string, what: string, name: string, options: Iterable<string>): void {
    const nearest = this.notes.nearest(name, options)
    this.notes.error(
      problem('unknown_name', { where: this.path(key), what, name, nearest }, this.#near(key, nearest)),
    )
  }

  /** Notes a name that this section declares for the second time. */
  twice(key: string, what: string, name: string): void {
    this.notes.error(problem('duplicate_name', { where: this.where, what, name }, this.at(key)))
  }

  /** Notes a broken rule of the format: its message names the section that holds the last of these keys. */
  broken(rule: Problem, ...keys: readonly string[]): void {
    const where = [this.where, ...keys.slice(0, -1)].filter((part) => part !== '').join('.')
    const message = `\`${where}\`: ${rule.message}`
    this.notes.error({ ...rule, ...(where !== '' && { message }), ...this.within(...keys) })
  }

  wrong(key: string, tree: Tree, wanted: string): void {
    this.notes.error(
      problem('wrong_shape', { where: this.path(key), wanted, actual: shapeOf(tree) }, tree.at),
    )
  }

  #near(key: string, nearest: readonly string[]): Place {
    return { ...this.at(key), nearest }
  }
}

function meantKeys(key: string, known: readonly string[], notes: Notes): string[] {
  const slip = SLIPS.get(key)
  if (slip !== undefined) return [slip]
  const near = notes.nearest(key, known)
  return near.length > 0
    ? near
    : known.filter((name) => name.length > 3 && (key.startsWith(name) || name.startsWith(key)))
}
