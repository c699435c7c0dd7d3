import type { CheckedNode, CheckedOperation } from './checked.ts'

/** What a node gives of its source: its rows (fewer, or in another order), other columns of its rows, or rows of its own. */
const GIVES = {
  filter: 'rows',
  limit: 'rows',
  page_size: 'rows',
  singleton: 'rows',
  sort: 'rows',
  project: 'columns',
  aggregate: 'own',
  call: 'own',
  cursor: 'own',
  data: 'own',
  each: 'own',
  get: 'own',
  identity: 'own',
  label: 'own',
  page: 'own',
  query: 'own',
  reference: 'own',
  relation: 'own',
  render: 'own',
  reverse: 'own',
} as const satisfies Record<CheckedOperation['kind'], 'rows' | 'columns' | 'own'>

type KindsThat<Gives> = {
  [Kind in keyof typeof GIVES]: (typeof GIVES)[Kind] extends Gives ? Kind : never
}[keyof typeof GIVES]
/** The operations that give rows or columns of their source. */
type SelectionKind = KindsThat<'rows' | 'columns'>

/** Whether each row of the node is one of its source, with all or some of its columns. Of a checked node or a planned one. */
export function isSelection<Node extends { readonly kind: CheckedNode['kind'] }>(
  node: Node,
): node is Extract<Node, { readonly kind: SelectionKind }> {
  return GIVES[node.kind] !== 'own'
}

/** Whether the rows of the node are rows of its source as they are. */
export function givesSourceRows({ kind }: { readonly kind: CheckedNode['kind'] }): boolean {
  return GIVES[kind] === 'rows'
}
