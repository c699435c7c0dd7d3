import { problemsOf } from '../../../base/diagnostic.ts'

/** Problems of OpenAPI documents. */
export const openapiProblem = problemsOf({
  openapi_version: {
    message: ({ version }: { version: string }) =>
      `The document has the version ${JSON.stringify(version)}; 2.0, 3.0 and 3.1 are read.`,
    next: () => 'Convert the document to OpenAPI 3.1.',
  },
  openapi_no_operations: {
    message: () => 'The document has no operation that can be called.',
    next: () => 'Give a document with `paths`.',
  },
  openapi_json: {
    message: ({ detail }: { detail: string }) => `Invalid JSON: ${detail}.`,
    next: () => 'Correct the JSON.',
  },
  openapi_too_deep: {
    message: ({ most }: { most: number }) => `The document nests deeper than ${most} levels.`,
    next: () => 'Move nested schemas to components and refer to them.',
  },
  openapi_yaml_too_large: {
    message: ({ bytes, most }: { bytes: number; most: number }) =>
      `The document has ${bytes} bytes of YAML, over the limit of ${most}.`,
    next: () => 'Convert it to JSON, which is read up to 50 MiB.',
  },
  overlay_version: {
    message: ({ version }: { version: string }) =>
      `The overlay has the version ${JSON.stringify(version.slice(0, 40))}; 1.0 and 1.1 are applied.`,
    next: () => 'Give an OpenAPI Overlay document with `overlay: 1.0.0` or `1.1.0`.',
  },
  overlay_actions: {
    message: ({ most }: { most: number }) => `The overlay has no \`actions\`, or more than ${most}.`,
    next: () => 'List the changes under `actions`.',
  },
  overlay_action: {
    message: ({ number }: { number: number }) =>
      `Action ${number} of the overlay lacks \`target\`, or \`update\`, \`copy\` and \`remove\`.`,
    next: () => 'Give the action a `target` and one of the others.',
  },
  overlay_path: {
    message: ({ number, path }: { number: number; path: string }) =>
      `The target of action ${number} of the overlay is not a JSONPath: ${path.slice(0, 200)}.`,
    next: () => "Write it as in RFC 9535, for instance `$.paths['/pets'].get`.",
  },
  overlay_incompatible: {
    message: ({ number, target }: { number: number; target: string }) =>
      `Action ${number} of the overlay does not fit what it selects (${target.slice(0, 200)}).`,
    next: () =>
      'Update objects with objects, lists with elements and scalars with scalars; `copy` has to select one value.',
  },
  overlay_unmatched: {
    message: ({ number, target }: { number: number; target: string }) =>
      `Action ${number} of the overlay selects nothing in the document: ${target.slice(0, 200)}.`,
    next: () => 'Correct its `target`, or remove the action.',
  },
  reference_outside: {
    message: ({ count, first }: { count: number; first: string }) =>
      `${count === 1 ? 'One reference leads' : `${count} references lead`} to other documents, which are never read: ${first}.`,
    next: () => 'Bundle the document into one file to add what is described elsewhere.',
  },
  reference_missing: {
    message: ({ count, first }: { count: number; first: string }) =>
      `${count === 1 ? 'One reference leads' : `${count} references lead`} to nothing in the document, or in a circle: ${first}.`,
    next: () => 'Correct the reference in the document.',
  },
  server_missing: {
    message: () => 'The document names no server with an address that can be called.',
    next: () => 'Set `server` of the catalog in the configuration, or give `--server URL`.',
  },
  schemes_left: {
    message: ({ schemes }: { schemes: string }) =>
      `Some operations need other credentials than the rest: ${schemes}.`,
    next: () => 'Add the document a second time under another id, with `auth` for these operations.',
  },
  webhooks_left: {
    message: ({ count }: { count: number }) =>
      `The document describes ${count === 1 ? 'one webhook' : `${count} webhooks`}, which the API calls itself.`,
    next: () => 'No action is needed; webhooks cannot be called.',
  },
  operation_left: {
    message: ({ operation, reason }: { operation: string; reason: string }) =>
      `\`${operation}\` cannot be called: ${reason}.`,
    next: () => 'Correct the document if the operation is needed.',
  },
})
