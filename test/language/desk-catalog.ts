import type {
  Capability,
  ServedCatalog,
  Entity,
  Field,
  Parameter,
  Role,
  Type,
} from '../../src/catalog/model.ts'

/** A catalog with what the shop lacks: rival queries, unions, a get without an id, an entity without a get. */

const text: Type = { kind: 'string', semantics: 'short' }

export function field(name: string, type: Type = text): Field {
  return { name, type, required: false, path: [name] }
}

export function parameter(
  name: string,
  type: Type = text,
  required = false,
  role: Role = 'plain',
): Parameter {
  return { name, type, required, role }
}

export function entity(name: string, fields: readonly Field[], changes: Partial<Entity> = {}): Entity {
  return {
    name,
    key: ['id'],
    implicitIdentity: false,
    abstract: false,
    aliases: [],
    fields,
    relations: [],
    terms: [],
    ...changes,
  }
}

export function capability(
  name: string,
  of: string,
  kind: Capability['kind'],
  changes: Partial<Capability> = {},
): Capability {
  const reads = kind === 'get' || kind === 'query' || kind === 'search'
  return {
    name,
    entity: of,
    kind,
    label: name.replace(`${of.toLowerCase()}_`, '').replaceAll('_', '-'),
    parameters: [],
    openInput: false,
    effect: reads ? 'read' : 'write',
    omitAggregateScope: false,
    call: {
      kind: 'http',
      request: {
        method: reads ? 'GET' : 'POST',
        path: [
          { type: 'literal', value: name },
          ...(kind === 'query' || kind === 'search' || kind === 'create'
            ? []
            : [{ type: 'var', name: 'id', suffix: '', encode: 'segment' } as const]),
        ],
        bodyFormat: 'json',
        response: { single: kind === 'get', scalar: false },
      },
    },
    unsupported: [],
    terms: [],
    ...changes,
  }
}

const pathless: Capability['call'] = {
  kind: 'http',
  request: {
    method: 'GET',
    path: [{ type: 'literal', value: 'me' }],
    bodyFormat: 'json',
    response: { single: true, scalar: false },
  },
}

const edit: Type = {
  kind: 'union',
  variants: [
    {
      name: 'replace',
      constructorSymbol: 'v101',
      tag: { field: 'op', value: 'replace_block' },
      fields: [parameter('ref', text, true), parameter('text')],
    },
    { name: 'clear', tag: { field: 'op', value: 'clear_all' }, fields: [] },
  ],
}

export const desk: ServedCatalog = {
  id: 'desk',
  version: 1,
  origin: 'https://desk.example',
  otherOrigins: [],
  aliases: ['helpdesk'],
  auth: { scheme: 'none' },
  unsupported: [],
  entities: [
    entity('Ticket', [
      field('id'),
      field('title'),
      field('owner', { kind: 'reference', entity: 'Agent' }),
      field('place', { kind: 'object', open: false, fields: [parameter('city')] }),
      field('closed', { kind: 'boolean' }),
    ]),
    entity('Agent', [field('id'), field('name')], { aliases: ['Clerk'] }),
    entity('Badge', [field('id'), field('level', { kind: 'integer' })], {
      relations: [
        {
          name: 'tickets',
          target: 'Ticket',
          many: true,
          via: { kind: 'query', capability: 'ticket_by_badge', bindings: [{ parameter: 'badge' }] },
        },
      ],
    }),
  ],
  capabilities: [
    capability('ticket_get', 'Ticket', 'get'),
    capability('ticket_by_owner', 'Ticket', 'query', {
      parameters: [parameter('owner', { kind: 'reference', entity: 'Agent' }, true, 'scope')],
    }),
    capability('ticket_by_badge', 'Ticket', 'query', {
      parameters: [parameter('badge', { kind: 'reference', entity: 'Badge' }, true, 'scope')],
    }),
    capability('ticket_apply', 'Ticket', 'action', {
      parameters: [parameter('edits', { kind: 'array', items: edit }, true), parameter('first', edit)],
    }),
    capability('ticket_merge', 'Ticket', 'action', { unsupported: ['multipart'] }),
    capability('ticket_tag', 'Ticket', 'update', { parameters: [parameter('label')], openInput: true }),
    capability('agent_get', 'Agent', 'get'),
    capability('agent_me', 'Agent', 'get', { call: pathless }),
    capability('agent_query', 'Agent', 'query'),
    capability('badge_revoke', 'Badge', 'action'),
    capability('badge_revoke_now', 'Badge', 'action', { label: 'revoke-now' }),
  ],
}
