import { snake } from '../../../base/words/names.ts'
import type { Capability, CapabilityCall, Field, Parameter } from '../../model.ts'
import { isName } from '../name.ts'
import { descriptionOf } from '../json-schema/type.ts'
import { fieldOf } from './answers.ts'
import type { Entities } from './entities.ts'
import type { ListedTemplate, Listing } from './listing.ts'

const text = { kind: 'string', semantics: 'short' } as const
const LISTED: readonly Field[] = [
  fieldOf('uri', text),
  fieldOf('name', text),
  fieldOf('description', text),
  fieldOf('mimeType', text),
  fieldOf('size', { kind: 'integer' }),
]
const READ: readonly Field[] = [
  fieldOf('uri', text),
  fieldOf('mimeType', text),
  fieldOf('text', { kind: 'string', semantics: 'document' }),
  fieldOf('blob', { kind: 'blob' }),
]

/** A server's resources: an entity to list and to get by URI, and a read for each URI template. */
export function capabilitiesOfResources(
  { hasResources, templates }: Listing,
  entities: Entities,
  taken: readonly Capability[],
): {
  readonly entity?: string
  readonly capabilities: readonly Capability[]
} {
  if (!hasResources && templates.length === 0) return { capabilities: [] }
  const entity = entities.has('Resource') ? 'ServerResource' : 'Resource'
  const listed = entities.add(entity, { fields: LISTED, lists: [] })
  const provides = entities.add(entity, { fields: READ, lists: [] })
  const capabilities: Capability[] = [
    {
      ...reading('resources_list', entity, listed),
      kind: 'query',
      label: 'list',
      call: asked({ type: 'resources' }),
    },
    {
      ...reading('resources_read', entity, provides),
      kind: 'get',
      label: 'read',
      call: asked({ type: 'resource' }),
    },
  ]
  const names = new Set([...taken, ...capabilities].map(({ name }) => name))
  for (const template of templates) {
    const capability = capabilityOf(template, entity, provides)
    if (!capability || names.has(capability.name)) continue
    names.add(capability.name)
    capabilities.push(capability)
  }
  return { entity, capabilities }
}

function asked(operation: Extract<CapabilityCall, { kind: 'mcp' }>['operation']): CapabilityCall {
  return { kind: 'mcp', operation }
}

/** A resource is read without an effect, by the protocol. */
function reading(
  name: string,
  entity: string,
  provides: readonly string[],
): Omit<Capability, 'kind' | 'label' | 'call'> {
  return {
    name,
    entity,
    parameters: [],
    openInput: false,
    provides,
    effect: 'read',
    omitAggregateScope: false,
    unsupported: [],
    terms: [],
  }
}

function capabilityOf(
  { name, uriTemplate, description }: ListedTemplate,
  entity: string,
  provides: readonly string[],
): Capability | undefined {
  const words = snake(name)
  const variables = variablesOf(uriTemplate)
  if (!/^[A-Za-z_]\w*$/.test(words) || variables.length === 0 || !variables.every(isName)) return undefined
  const line = descriptionOf({ description })
  return {
    ...reading(`resource_${words}`, entity, provides),
    kind: 'query',
    label: words,
    ...(line !== undefined && { description: line }),
    parameters: variables.map((variable): Parameter => ({
      name: variable,
      type: text,
      required: true,
      role: 'plain',
    })),
    call: asked({ type: 'resource', template: uriTemplate }),
  }
}

/** The variables of a URI template (RFC 6570), each once. */
function variablesOf(template: string): readonly string[] {
  const expressions = template.match(/\{[^{}]*\}/g) ?? []
  const names = expressions.flatMap((expression) =>
    expression
      .slice(1, -1)
      .replace(/^[+#./;?&]/, '')
      .split(','),
  )
  return [...new Set(names.map((name) => name.replace(/(?:\*|:\d+)$/, '').trim()))].filter(
    (name) => name !== '',
  )
}
