import type { Capability, ServedCatalog, Type } from '../../../src/catalog/model.ts'
import { capability, entity, field, parameter } from '../../language/desk-catalog.ts'

/** Small catalogs for facts that speak of shapes, not of an API: written here, one idea a catalog. */

const text: Type = { kind: 'string', semantics: 'short' }
const integer: Type = { kind: 'integer' }
const number: Type = { kind: 'number' }
const to = (target: string): Type => ({ kind: 'reference', entity: target })
const one = (...options: string[]): Type => ({ kind: 'select', options })

function catalog(
  id: string,
  entities: ServedCatalog['entities'],
  capabilities: ServedCatalog['capabilities'],
): ServedCatalog {
  return {
    id,
    version: 1,
    origin: `https://${id}.example`,
    otherOrigins: [],
    aliases: [],
    auth: { scheme: 'none' },
    unsupported: [],
    entities,
    capabilities,
  }
}

const get = (of: string) => capability(`${of.toLowerCase()}_get`, of, 'get')
const query = (of: string, changes: Partial<Capability> = {}) =>
  capability(`${of.toLowerCase()}_query`, of, 'query', changes)

/** Animals with orders and tags. */
export const pets = catalog(
  'pets',
  [
    entity('Order', [
      field('id'),
      field('petId', to('Pet')),
      field('quantity', integer),
      field('status', one('placed', 'approved', 'delivered')),
    ]),
    entity('Pet', [field('id'), field('name'), field('status', one('available', 'pending', 'sold'))], {
      relations: [
        {
          name: 'tags',
          target: 'Tag',
          many: true,
          via: { kind: 'query', capability: 'tag_query', bindings: [{ parameter: 'pet' }] },
        },
      ],
    }),
    entity('Tag', [field('id'), field('name')]),
  ],
  [
    get('Order'),
    query('Order', {
      parameters: [parameter('status', one('placed', 'approved', 'delivered'), false, 'filter')],
    }),
    get('Pet'),
    query('Pet', {
      parameters: [parameter('status', one('available', 'pending', 'sold'), false, 'filter')],
    }),
    capability('pet_delete', 'Pet', 'delete'),
    query('Tag', { parameters: [parameter('pet', to('Pet'), true, 'scope')] }),
  ],
)

/** One entity of each odd shape that facts name. */
export const shapes = catalog(
  'shapes',
  [
    entity('A', [field('id'), field('b_id', to('B'))]),
    entity('Account', [
      field('id'),
      field('name'),
      field('revenue', number),
      field('region', one('EMEA', 'APAC')),
    ]),
    entity('B', [field('id')]),
    entity('Book', [field('id'), field('library', to('Library'))]),
    entity('Document', [field('id')]),
    entity('Library', [field('region'), field('code')], { key: ['region', 'code'] }),
    entity('Message', [field('id')]),
    entity('Parent', [field('id')]),
    entity('Child', [field('id')]),
    entity('Ticket', [field('owner'), field('repo'), field('n')], { key: ['owner', 'repo', 'n'] }),
    entity('Visit', [field('id'), field('pet_ref', to('Widget'))]),
    entity('Widget', [field('id')]),
    entity('X', [field('id')]),
  ],
  [
    get('A'),
    get('Account'),
    query('Account'),
    query('Book', { parameters: [parameter('library', to('Library'), false, 'filter')] }),
    get('Document'),
    capability('document_suggest', 'Document', 'action', {
      parameters: [
        parameter(
          'input',
          {
            kind: 'union',
            variants: [
              {
                name: 'insert',
                constructorSymbol: 'v111',
                tag: { field: 'op', value: 'insert' },
                fields: [parameter('content', { kind: 'string', semantics: 'markdown' })],
              },
            ],
          },
          true,
        ),
      ],
    }),
    capability('document_comment', 'Document', 'action', {
      parameters: [parameter('text', { kind: 'string', semantics: 'markdown' }, true)],
    }),
    get('Library'),
    query('Message', {
      parameters: [
        parameter('includeSpamTrash', { kind: 'boolean' }, false, 'filter'),
        parameter('q', text, false, 'filter'),
        parameter('ids', { kind: 'array', items: text }, false, 'filter'),
        parameter('number', number, false, 'filter'),
        parameter('count', integer, false, 'filter'),
        parameter('since', { kind: 'date', format: 'rfc3339' }, false, 'filter'),
        parameter('data', { kind: 'json' }, false, 'filter'),
      ],
    }),
    get('Parent'),
    capability('child_of_parent', 'Child', 'query', {
      label: 'children',
      parameters: [parameter('parent', to('Parent'), true, 'scope')],
    }),
    get('Ticket'),
    get('Visit'),
    query('Visit', { parameters: [parameter('pet_ref', to('Widget'), false, 'filter')] }),
    get('Widget'),
    get('X'),
    capability('x_method', 'X', 'action', { parameters: [parameter('p2'), parameter('k')] }),
  ],
)

const ofE = [
  get('E'),
  query('E', { parameters: [parameter('a', text, false, 'filter')] }),
  capability('e_search', 'E', 'search', { parameters: [parameter('q', text, false, 'search')] }),
  capability('e_m', 'E', 'action', { parameters: [parameter('a')] }),
  capability('e_update', 'E', 'update', { parameters: [parameter('x'), parameter('a')] }),
  capability('e_create', 'E', 'create', { parameters: [parameter('body')] }),
]

/** The `E` and `F` of facts that hold for any catalog. */
export const any = catalog(
  'any',
  [
    entity(
      'E',
      ['id', 'a', 'b', 'x', 'name', 'message', 'owner']
        .map((name) => field(name))
        .concat(field('score', number)),
      {
        relations: [
          {
            name: 'rel',
            target: 'F',
            many: true,
            via: { kind: 'query', capability: 'f_query', bindings: [{ parameter: 'e' }] },
          },
        ],
      },
    ),
    entity('F', [field('id')]),
  ],
  [...ofE, get('F'), query('F', { parameters: [parameter('e', to('E'), false, 'filter')] })],
)

/** `E` with a method whose name fits two capabilities. */
export const rivals = catalog(
  'rivals',
  [entity('E', [field('id')])],
  [
    get('E'),
    capability('e_update', 'E', 'update', { parameters: [parameter('x')] }),
    capability('e_update_all', 'E', 'action', { label: 'update', parameters: [parameter('x')] }),
  ],
)

/** `E` with a key of two parts. */
export const compound = catalog(
  'compound',
  [entity('E', [field('k1'), field('k2')], { key: ['k1', 'k2'] })],
  [get('E'), capability('e_m', 'E', 'action')],
)

/** Two catalogs that both create a `Product`. */
export const [acme, other] = ['acme', 'other'].map((id) =>
  catalog(
    id,
    [entity('Product', [field('id'), field('name')])],
    [
      get('Product'),
      query('Product'),
      capability('product_create', 'Product', 'create', { parameters: [parameter('name')] }),
    ],
  ),
)
