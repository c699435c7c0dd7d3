import { Section } from '../document/section.ts'
import type { Notes } from '../document/notes.ts'
import type { Tree } from '../document/tree.ts'

/** The keys of a part of the catalog that has no effect: `map` by name, `list`, known `keys`, or anything. */
type Shape =
  | 'anything'
  | { readonly map: Shape }
  | { readonly list: Shape }
  | { readonly keys: Readonly<Record<string, Shape>> }

const any: Shape = 'anything'
const keys = (...names: readonly string[]): Shape => ({
  keys: Object.fromEntries(names.map((name) => [name, any])),
})

const REQUIREMENT = keys('any_of', 'all_of')
const TEMPLATE = keys('template')

const OAUTH: Shape = {
  keys: {
    provider: any,
    scopes: { map: keys('label', 'notes', 'docs_url') },
    default_scope_sets: { map: keys('description', 'scopes') },
    requirements: { keys: { capabilities: { map: REQUIREMENT }, relations: { map: REQUIREMENT } } },
  },
}

const STEP: Shape = {
  keys: {
    name: any,
    collect: any,
    for_each: any,
    capability: any,
    bind: any,
    items_path: any,
    merge: keys('kind', 'path'),
  },
}

const OVERLAY: Shape = {
  keys: {
    source: { keys: { capability: any, bind: any, steps: { list: STEP } } },
    projection: keys('mode', 'items_path', 'nested_items_path'),
    entity: {
      keys: {
        from_template: any,
        name: TEMPLATE,
        scope_key: TEMPLATE,
        expression_aliases: { list: TEMPLATE },
        static_fields: { map: keys('template', 'value_ref') },
        dynamic_fields: keys(
          'from',
          'skip',
          'wire_name_path',
          'wire_type_path',
          'name',
          'type_map',
          'default',
          'extract',
        ),
      },
    },
    decode: { keys: { scope: keys('params', 'key'), capabilities: any } },
  },
}

/** Warns of unknown keys in parts of the catalog that have no effect. */
export function checkParts(catalog: Section): void {
  const parts = { oauth: OAUTH, schema_overlay: OVERLAY }
  for (const [key, shape] of Object.entries(parts)) {
    const tree = catalog.get(key)
    if (tree) check(tree, key, shape, catalog.notes)
  }
}

function check(tree: Tree, where: string, shape: Shape, notes: Notes): void {
  if (shape === 'anything') return
  if ('list' in shape) {
    const items = tree.kind === 'list' ? tree.items : []
    items.forEach((item, index) => check(item, `${where}[${index}]`, shape.list, notes))
    return
  }
  if (tree.kind !== 'map') return
  if ('keys' in shape) Section.of(tree, where, Object.keys(shape.keys), notes)
  for (const [key, entry] of tree.entries) {
    const inner = 'map' in shape ? shape.map : (new Map(Object.entries(shape.keys)).get(key) ?? any)
    check(entry.tree, `${where}.${key}`, inner, notes)
  }
}
