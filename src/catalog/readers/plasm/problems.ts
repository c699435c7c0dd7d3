import { problemsOf } from '../../../base/diagnostic.ts'

interface Kind {
  /** The kind of a capability. */
  readonly kind: string
}

/** Rules of the Plasm format. `Section.broken` puts the place in front of each message. */
export const rule = problemsOf({
  // Entities and values
  key_without_id: {
    message: () => 'A compound key needs `id_field`, `id_from` or `implicit_request_identity`.',
    next: ({ slot }: { slot: string }) => `Add \`id_field: ${slot}\`.`,
  },
  primary_read_unfit: {
    message: () => '`primary_read` must be a get of the entity itself.',
    next: () => 'Name such a get, or remove the key.',
  },
  presentation_unfit: {
    message: () => 'Only strings and blobs have `agent_presentation`.',
    next: () => 'Remove `agent_presentation`.',
  },
  media_unfit: {
    message: () => 'Only blobs have `attachment_media`.',
    next: () => 'Remove `attachment_media`, or make the value a blob.',
  },
  nested_array: {
    message: () => 'The items of an array cannot be arrays.',
    next: () => 'Use `type: json` for nested lists.',
  },
  secret_unnamed: {
    message: () => 'The credential names no secret.',
    next: ({ key }: { key: string }) => `Add \`${key}\` with the name of an environment variable.`,
  },
  read_unfit: {
    message: ({ method }: { method: string }) => `A ${method} request changes data.`,
    next: () => 'Remove `effect: read`.',
  },
  // Contracts
  signature_unread: {
    message: ({ reason }: { reason: string }) => `The signature cannot be read: ${reason}.`,
    next: () => 'Write it as Solidity does: `function balanceOf(address account) view returns (uint256)`.',
  },
  arguments_unfit: {
    message: ({ wanted, found }: { wanted: number; found: number }) =>
      `The signature takes ${wanted} values, and ${found} are given.`,
    next: () => 'Give one expression for each value, in order.',
  },
  logs_unfit: {
    message: ({ kind }: Kind) => `Logs are a list, and a ${kind} gives one row.`,
    next: () => 'Use `kind: query`.',
  },
  place_unknown: {
    message: ({ place, count }: { place: string; count: number }) =>
      `The signature has ${count} values of the type \`${place}\`.`,
    next: () => 'Count from 0: `topic` counts the indexed values of an event, `data` the others.',
  },
  // Relations
  relation_is_reference: {
    message: ({ name }: { name: string }) =>
      `The relation \`${name}\` has the name of a field that is a reference.`,
    next: () => 'Rename one of the two.',
  },
  relation_cardinality: {
    message: ({ kind, wanted }: Kind & { wanted: string }) => `\`${kind}\` needs \`cardinality: ${wanted}\`.`,
    next: () => 'Change the cardinality or the kind.',
  },
  relation_capability_unknown: {
    message: ({ capability }: { capability: string }) => `The capability \`${capability}\` does not exist.`,
    next: () => 'Name a capability of the target.',
  },
  relation_capability_unfit: {
    message: (found: Kind & { name: string; entity: string; kinds: readonly string[]; target: string }) =>
      `\`${found.name}\` must be a ${found.kinds.join(' or ')} of \`${found.target}\` and is a ${found.kind} of \`${found.entity}\`.`,
    next: () => 'Name a capability that fits.',
  },
  relation_parameter_unknown: {
    message: ({ capability, parameter }: { capability: string; parameter: string }) =>
      `\`${capability}\` has no parameter \`${parameter}\`.`,
    next: ({ known }: { known: readonly string[] }) =>
      known.length > 0 ? `Bind one of: ${known.join(', ')}.` : 'Name a capability with parameters.',
  },
  relation_field_unknown: {
    message: ({ entity, field }: { entity: string; field: string }) =>
      `\`${entity}\` has no field \`${field}\`.`,
    next: ({ known }: { known: readonly string[] }) => `Bind one of: ${known.slice(0, 20).join(', ')}.`,
  },
  bindings_empty: {
    message: () => 'The bindings are empty.',
    next: () => 'Bind a parameter to a field of the parent.',
  },
  path_empty: {
    message: () => 'The path is empty.',
    next: () => 'Write `path: [{ key: name }]`.',
  },
  wildcard_not_true: {
    message: () => 'The only value of `wildcard` is `true`.',
    next: () => 'Write `wildcard: true`.',
  },
  // Capabilities and their templates
  preflight_invoke: {
    message: () => '`invoke_preflight` is no longer supported.',
    next: () => 'Write `preflight` steps.',
  },
  input_beside_parameters: {
    message: () => 'An input beside `parameters` must be an object.',
    next: () => 'Write `type: object`, or remove the parameters.',
  },
  input_is_parameter: {
    message: () => 'The body is `input`, which is also a parameter with a plain value.',
    next: () => 'Rename the parameter.',
  },
  reference_differs: {
    message: ({ name, here, field }: { name: string; here: string; field: string }) =>
      `The parameter \`${name}\` refers to \`${here}\`, but the field of that name refers to \`${field}\`.`,
    next: () => 'Refer to the same entity in both.',
  },
  format_variable_unused: {
    message: ({ name }: { name: string }) => `The template does not use \`${name}\`.`,
    next: ({ name }: { name: string }) => `Add \`{${name}}\` to the template, or remove the variable.`,
  },
  url_invalid: {
    message: ({ url }: { url: string }) => `Invalid URL: ${JSON.stringify(url)}.`,
    next: () => 'Write a whole URL such as https://api.example.com/v1.',
  },
  second_request_writes: {
    message: () => 'The second request must be a read.',
    next: () => 'Write `method: GET`.',
  },
  stop_ambiguous: {
    message: () => 'The condition must have either `eq` or `absent: true`.',
    next: () => 'Keep one of the two.',
  },
  // Reads before a capability
  preflight_unfit: {
    message: ({ kind }: Kind) => `A ${kind} cannot have \`preflight\` steps.`,
    next: () => 'Remove `preflight`.',
  },
  preflight_key_unfit: {
    message: ({ step, key }: { step: string; key: string }) => `A step \`${step}\` has no key \`${key}\`.`,
    next: ({ key }: { key: string }) => `Remove \`${key}\`.`,
  },
  preflight_without_target: {
    message: () => 'A create has no target to read first.',
    next: () => 'Remove the step.',
  },
  preflight_not_reference: {
    message: ({ parameter }: { parameter: string }) => `The parameter \`${parameter}\` is not a reference.`,
    next: () => 'Name a parameter of type `entity_ref`.',
  },
  preflight_unscoped: {
    message: () => 'The query has no arguments and would read every row.',
    next: () => 'Bind a parameter of the query.',
  },
  preflight_labels_unfit: {
    message: ({ entity }: { entity: string }) => `\`${entity}\` must have the fields \`id\` and \`name\`.`,
    next: () => 'Name another query.',
  },
  preflight_capability_unfit: {
    message: ({ name, kind, entity }: Kind & { name: string; entity: string }) =>
      `\`${name}\` is a ${kind} of \`${entity}\`.`,
    next: ({ kinds, of }: { kinds: readonly string[]; of: string | undefined }) =>
      `Name a ${kinds.join(' or ')}${of === undefined ? '' : ` of \`${of}\``}.`,
  },
  preflight_variable_reserved: {
    message: ({ name }: { name: string }) => `The variable \`${name}\` is set by the session.`,
    next: () => 'Choose another variable.',
  },
  // Views
  view_kind: {
    message: ({ kind }: Kind) => `A ${kind} cannot answer with a view.`,
    next: () => 'Make the capability a get, a query or a search.',
  },
  view_entity: {
    message: ({ entity }: { entity: string }) => `The view gives rows of \`${entity}\`.`,
    next: ({ entity }: { entity: string }) => `Make the capability one of \`${entity}\`.`,
  },
  view_unanswered: {
    message: ({ capability }: { capability: string; view: string }) =>
      `The template of \`${capability}\` does not use this view.`,
    next: ({ view }: { capability: string; view: string }) =>
      `Write \`transport: view\` and \`view: ${view}\` in the template.`,
  },
  view_node_kind: {
    message: ({ capability, kind }: Kind & { capability: string }) =>
      `\`${capability}\` is a ${kind}, which cannot be a node of a view.`,
    next: () => 'Name a get, a query or a search.',
  },
  view_node_unfit: {
    message: ({ relation, target, entity }: { relation: string; target: string; entity: string }) =>
      `\`${relation}\` leads to \`${target}\`, but the node gives \`${entity}\`.`,
    next: ({ target }: { target: string }) => `Bind a node that gives \`${target}\`.`,
  },
  view_relation_differs: {
    message: ({ key, declared }: { key: string; declared: string }) =>
      `The \`${key}\` of the relation is \`${declared}\`.`,
    next: ({ key, declared }: { key: string; declared: string }) => `Write \`${key}: ${declared}\`.`,
  },
  view_template_too_long: {
    message: ({ most }: { most: number }) => `The template is longer than ${most} characters.`,
    next: () => 'Shorten the template.',
  },
})
