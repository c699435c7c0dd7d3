import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** "Did you mean …" when a similar name exists, else the given sentence. */
function meant(nearest: readonly string[], otherwise: string): string {
  return nearest.length > 0 ? `Did you mean ${oneOf(nearest)}?` : otherwise
}

/** A place in the file as a message begins with it. */
function at(where: string): string {
  return where === '' || where === 'the catalog' ? 'The catalog' : `\`${where}\``
}

interface At {
  /** Dotted path in the file: `capabilities.order_get.kind`. */
  readonly where: string
}

/** Problems of a catalog's text. The reader that states one decides whether it is an error or a warning. */
export const problem = problemsOf({
  // The file
  catalog_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot read the catalog ${path}: ${reason}.`,
    next: ({ accepted }: { accepted: readonly string[] }) =>
      accepted.length === 0
        ? 'Report this with the catalog: Plasmid itself failed.'
        : `Give ${accepted.join(', or ')}.`,
  },
  catalog_unrecognised: {
    message: ({ path }: { path: string; accepted: readonly string[] }) =>
      `The catalog ${path} has an unknown format.`,
    next: ({ accepted }: { path: string; accepted: readonly string[] }) => `Give ${accepted.join(', or ')}.`,
  },
  catalog_too_large: {
    message: ({ path, maxBytes, bytes }: { path: string; maxBytes: number; bytes: number }) =>
      `The catalog ${path} has ${bytes} bytes, over the limit of ${maxBytes}.`,
    next: () => 'Split the catalog into several.',
  },
  catalog_part_too_large: {
    message: ({ name, most }: { name: string; most: number }) =>
      `\`${name}\` alone would fill more than ${most} characters of the catalog.`,
    next: () => 'Shorten it in the document: no agent can use so many members or values.',
  },
  catalog_is_json: {
    message: ({ path }: { path: string }) => `The catalog ${path} must be YAML, but is named .json.`,
    next: () => 'Rename the file to .yaml; JSON is valid YAML.',
  },
  source_locked: {
    message: ({ url, status }: { url: string; status: number; isSent: boolean }) =>
      `${url} asks for a credential: it answers ${status}.`,
    next: ({ isSent }: { url: string; status: number; isSent: boolean }) =>
      isSent
        ? 'Check the secret that `--auth` names: it was sent, and refused.'
        : 'Set the secret as an environment variable, and add `--auth env:NAME` with its name.',
  },
  endpoint_silent: {
    message: ({ url, reason }: { url: string; reason: string }) =>
      `The GraphQL server at ${url} did not give its schema: ${reason}.`,
    next: () => 'Check the address and the credential, or give the schema as a file.',
  },
  catalog_twice: {
    message: ({ id, first, second }: { id: string; first: string; second: string }) =>
      `Two catalogs have the id \`${id}\`: ${first} and ${second}.`,
    next: () => 'Change the `entry_id` of one, or load only one.',
  },
  correction_unused: {
    message: ({ what, name }: { what: string; name: string; nearest: readonly string[] }) =>
      `The configuration corrects the ${what} \`${name}\`, which the catalog does not have.`,
    next: ({ nearest }: { what: string; name: string; nearest: readonly string[] }) =>
      meant(nearest, 'Remove the correction, or use a name that `plasmid catalog show` lists.'),
  },
  correction_unfit: {
    message: ({ name, reason }: { name: string; reason: string }) =>
      `The configuration corrects the entity \`${name}\`, but ${reason}.`,
    next: () => 'Change the correction: `plasmid catalog show` lists names and fields.',
  },
  overlay_misplaced: {
    message: ({ path, accepts }: { path: string; accepts: string }) =>
      `The overlay ${path} corrects OpenAPI documents, and the catalog is ${accepts}.`,
    next: () => 'Remove `overlay` from the entry, and use `entities` and `capabilities` instead.',
  },
  catalog_too_slow: {
    message: ({ path, seconds }: { path: string; seconds: number }) =>
      `Reading the catalog ${path} took longer than ${seconds} seconds.`,
    next: () => 'Convert YAML to JSON, or split the catalog into several.',
  },
  catalog_out_of_memory: {
    message: ({ path, most }: { path: string; most: number }) =>
      `Reading the catalog ${path} needs more than ${most} MiB of memory.`,
    next: () => 'Split the catalog into several.',
  },
  catalog_not_fetched: {
    message: ({ path }: { path: string }) => `The data directory holds no copy of ${path}.`,
    next: () => 'Run `plasmid remove` and `plasmid add` for this catalog again.',
  },
  unknown_backend: {
    message: ({ id }: { id: string }) => `A backend is set for the catalog \`${id}\`, which is not loaded.`,
    next: ({ nearest }: { id: string; nearest: readonly string[] }) =>
      meant(nearest, 'Use the id of a loaded catalog.'),
  },
  yaml_syntax: {
    message: ({ detail }: { detail: string }) => `Invalid YAML: ${detail}.`,
    next: () => 'Correct the YAML at this line.',
  },
  yaml_too_deep: {
    message: ({ most }: { most: number }) => `Values nest deeper than ${most} levels.`,
    next: () => 'Flatten the value.',
  },
  yaml_aliases: {
    message: ({ most }: { most: number }) => `Aliases expand to more than ${most} nodes.`,
    next: () => 'Use fewer aliases, or split the catalog.',
  },
  yaml_bad_alias: {
    message: ({ alias }: { alias: string }) =>
      `The alias \`*${alias}\` refers to no complete value above it.`,
    next: () => 'Define the anchor before the alias, outside the value that uses it.',
  },
  yaml_empty: {
    message: () => 'The file is empty.',
    next: () => 'Write a catalog into it: a map.',
  },
  too_many_problems: {
    message: ({ most }: { most: number }) => `There are more than ${most} problems; the rest are not listed.`,
    next: () => 'Correct the listed problems and check the catalog again.',
  },
  // Shapes
  duplicate_key: {
    message: ({ where, key }: At & { key: string }) =>
      `${at(where)} has the key \`${key}\` twice; the last one applies.`,
    next: () => 'Remove one of the two.',
  },
  unknown_key: {
    message: ({ where, key }: At & { key: string }) =>
      `${at(where)} has the unknown key \`${key}\`, which is ignored.`,
    next: ({ nearest, known }: At & { key: string; nearest: readonly string[]; known: readonly string[] }) =>
      meant(nearest, `Remove it; valid keys: ${known.join(', ')}.`),
  },
  missing_key: {
    message: ({ where, key }: At & { key: string }) => `${at(where)} lacks the key \`${key}\`.`,
    next: ({ key }: At & { key: string }) => `Add \`${key}\`.`,
  },
  wrong_shape: {
    message: ({ where, wanted, actual }: At & { wanted: string; actual: string }) =>
      `${at(where)} must be ${wanted}, got ${actual}.`,
    next: ({ wanted }: At & { wanted: string; actual: string }) => `Write ${wanted} there.`,
  },
  not_one_of: {
    message: ({ where, value, options }: At & { value: string; options: readonly string[] }) =>
      `${at(where)} must be ${oneOf(options)}, got \`${value}\`.`,
    next: ({ nearest }: At & { value: string; options: readonly string[]; nearest: readonly string[] }) =>
      meant(nearest, 'Use one of these values.'),
  },
  bad_name: {
    message: ({ where, name }: At & { name: string }) =>
      `${at(where)} has an invalid name: ${JSON.stringify(name)}.`,
    next: () => 'Use letters, digits and `_ . $ @ : / -`, at most 128 characters.',
  },
  unknown_name: {
    message: ({ where, what, name }: At & { what: string; name: string }) =>
      `${at(where)} refers to an unknown ${what}: \`${name}\`.`,
    next: ({ nearest, what }: At & { what: string; name: string; nearest: readonly string[] }) =>
      meant(nearest, `Declare the ${what}, or use one that exists.`),
  },
  either_or: {
    message: ({ where, keys }: At & { keys: readonly string[] }) =>
      `${at(where)} must have exactly one of ${oneOf(keys)}.`,
    next: () => 'Keep one of them.',
  },
  does_not_belong: {
    message: ({ where, key, reason }: At & { key: string; reason: string }) =>
      `${at(where)} must not have \`${key}\`: ${reason}.`,
    next: ({ key }: At & { key: string; reason: string }) => `Remove \`${key}\`.`,
  },
  duplicate_name: {
    message: ({ where, what, name }: At & { what: string; name: string }) =>
      `${at(where)} has the ${what} \`${name}\` twice.`,
    next: () => 'Rename or remove one of the two.',
  },
  missing_mapping: {
    message: ({ capability }: { capability: string }) =>
      `The capability \`${capability}\` has no request template.`,
    next: ({ nearest }: { capability: string; nearest: readonly string[] }) =>
      meant(nearest, 'Add a template under the same name to mappings.yaml.'),
  },
  bad_url: {
    message: ({ where, value }: At & { value: string }) =>
      `${at(where)} must be an http or https URL without user, query and fragment, got ${JSON.stringify(value)}.`,
    next: () => 'Write a URL such as https://api.example.com/v1.',
  },
  unsafe_literal: {
    message: ({ where, found, part }: At & { found: string; part: string }) =>
      `${at(where)} writes ${found} into ${part}, which is unsafe to send; the capability is disabled.`,
    next: ({ part }: At & { found: string; part: string }) =>
      part === 'a path'
        ? 'Write the path without dot segments; percent-encode spaces, `#` and `\\`.'
        : 'Use letters, digits and `-` in names; no line breaks or other control characters in values.',
  },
  origin_without_calls: {
    message: ({ origin }: { origin: string }) =>
      `\`auth.origins\` lists ${origin}, which no request template calls.`,
    next: () => 'Use an origin (scheme, host, port) that a path of the catalog begins with, or remove it.',
  },
  part_not_done: {
    message: ({ key }: { key: string }) => `\`${key}\` is not supported and has no effect.`,
    next: () => 'No action is needed; the catalog works without it.',
  },
  transaction_refused: {
    message: ({ where }: At) =>
      `${at(where)} changes data, which takes a transaction that its owner signs; the capability is disabled.`,
    next: () => 'Use a `view` or `pure` function with the kind `get`, `query` or `search`.',
  },
  codec_missing: {
    message: ({ count }: { count: number }) =>
      `The package \`viem\` is not installed, and ${count === 1 ? 'a capability reads' : `${count} capabilities read`} contracts with it.`,
    next: () => 'Run `npm install viem` beside Plasmid, and start it again.',
  },
  // MCP servers
  tools_unread: {
    message: ({ server, count }: { server: string; count: number }) =>
      `The MCP server \`${server}\` lists ${count} tools or templates that cannot be used: without a name, with the name of another, or beyond the limit.`,
    next: () => 'Correct the lists of the server; the others work.',
  },
  unknown_tool: {
    message: ({ server, name }: { server: string; name: string }) =>
      `\`reads\` of the MCP server \`${server}\` names \`${name}\`, which is no tool of it.`,
    next: () => 'Use the names of its tools.',
  },
  // Lint
  undeclared_path_variable: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `The path of \`${capability}\` uses the undeclared parameter \`${name}\`; it is read as required text.`,
    next: ({ name }: { capability: string; name: string }) =>
      `Declare a parameter \`${name}\` with \`role: scope\`.`,
  },
  orphan_mapping: {
    message: ({ name }: { name: string }) => `No capability uses the template \`${name}\`.`,
    next: ({ nearest }: { name: string; nearest: readonly string[] }) =>
      meant(nearest, 'Remove it, or declare the capability.'),
  },
  unknown_variable: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `The template of \`${capability}\` uses \`${name}\`, which has no source.`,
    next: ({ nearest }: { capability: string; name: string; nearest: readonly string[] }) =>
      meant(nearest, 'Add a parameter of that name, or guard the variable with `if` and `exists`.'),
  },
  unguarded_variable: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `The template of \`${capability}\` always sends \`${name}\`, which is an optional parameter.`,
    next: ({ name }: { capability: string; name: string }) =>
      `Guard it (if exists \`${name}\`, else null), or make the parameter required.`,
  },
  unused_parameter: {
    message: (of: { capability: string; name: string; required: boolean }) =>
      `The template of \`${of.capability}\` never uses its ${of.required ? 'required ' : ''}parameter \`${of.name}\`; ${of.required ? 'the capability cannot be called' : 'it is not offered'}.`,
    next: () => 'Use the parameter in the template, or remove it.',
  },
  unknown_provides: {
    message: ({ capability, names }: { capability: string; names: readonly string[] }) =>
      `\`${capability}\` provides ${oneOf(names, 'and')}, which its entity does not have.`,
    next: ({ nearest }: { capability: string; names: readonly string[]; nearest: readonly string[] }) =>
      meant(nearest, 'List only fields of the entity.'),
  },
  select_without_options: {
    message: ({ where }: At) => `${at(where)} is a select without allowed values; it is read as a string.`,
    next: () => 'List `allowed_values`, or make it a string.',
  },
  string_without_semantics: {
    message: ({ where }: At) => `${at(where)} is a string without \`string_semantics\`; it is read as short.`,
    next: () => 'Add `string_semantics: short` (or markdown, document, html, json_text, blob).',
  },
  step_unknown: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `The paging of \`${capability}\` has no page size, so \`${name}\` advances by one row per page.`,
    next: () => 'Add a fixed page size (`limit: { fixed: 20 }`), or a `step`.',
  },
  entity_unreachable: {
    message: ({ entity }: { entity: string }) => `The entity \`${entity}\` has no capabilities.`,
    next: () => 'Add a capability, or mark the entity `abstract: true`.',
  },
  two_plain_reads: {
    message: ({
      entity,
      kind,
      first,
      second,
    }: {
      entity: string
      kind: string
      first: string
      second: string
    }) =>
      `\`${entity}\` has two ${kind} capabilities without required parameters, \`${first}\` and \`${second}\`; the first one is the default.`,
    next: () => 'Add a required parameter to one of them, or change its kind.',
  },
  action_says_nothing: {
    message: ({ capability }: { capability: string }) =>
      `The action \`${capability}\` declares neither \`provides\` nor an output.`,
    next: () => 'Add `provides`, or an `output` of type side_effect with a description.',
  },
  get_is_write: {
    message: ({ capability }: { capability: string }) =>
      `\`${capability}\` is a write although it is a GET, which changes nothing in most APIs.`,
    next: () => 'If it changes nothing, add `effect: read`; programs then need no reviewed plan for it.',
  },
  value_unread: {
    message: ({ capability, entity, format }: { capability: string; entity: string; format: string }) =>
      `\`${capability}\` answers with ${format}, which no field of \`${entity}\` reads.`,
    next: () => 'Give the field that holds it `path: []`.',
  },
  name_clash: {
    message: ({ entity, name }: { entity: string; name: string }) =>
      `\`${name}\` of \`${entity}\` names both a method and a field or relation.`,
    next: () => 'Rename one of the two.',
  },
})
