import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** "Did you mean …" where a name is near, else what else to do. */
function meant(nearest: readonly string[], otherwise: string): string {
  return nearest.length > 0 ? `Did you mean ${oneOf(nearest)}?` : otherwise
}

interface At {
  /** Dotted path in the file: `capabilities.order_get.kind`. */
  readonly where: string
}

/** All that can be wrong with a catalog's text. The same code is an error or a warning by where it is raised. */
export const problem = problemsOf({
  // The file
  catalog_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the catalog ${path} cannot be read: ${reason}`,
    next: () => 'Name a folder with domain.yaml and mappings.yaml, or one .yaml file.',
  },
  catalog_unrecognised: {
    message: ({ path }: { path: string; accepted: readonly string[] }) =>
      `the catalog ${path} is of no format that can be read`,
    next: ({ accepted }: { path: string; accepted: readonly string[] }) => `Name ${accepted.join(', or ')}.`,
  },
  catalog_too_large: {
    message: ({ path, maxBytes, bytes }: { path: string; maxBytes: number; bytes: number }) =>
      `${path} may hold at most ${maxBytes} bytes and holds ${bytes}`,
    next: () => 'Split the catalog into several.',
  },
  catalog_is_json: {
    message: ({ path }: { path: string }) => `${path} should be YAML and is named .json`,
    next: () => 'Give the catalog as .yaml (every JSON text is YAML too: renaming the file is enough).',
  },
  catalog_twice: {
    message: ({ id, first, second }: { id: string; first: string; second: string }) =>
      `the catalog id \`${id}\` is given twice: by ${first} and by ${second}`,
    next: () => 'Give one of them another `entry_id`, or leave one out.',
  },
  unknown_backend: {
    message: ({ id }: { id: string }) => `an origin is given for the catalog \`${id}\`, which is not loaded`,
    next: ({ nearest }: { id: string; nearest: readonly string[] }) =>
      meant(nearest, 'Name the id of a loaded catalog.'),
  },
  yaml_syntax: {
    message: ({ detail }: { detail: string }) => `this is not YAML: ${detail}`,
    next: () => 'Repair the text at this line; a YAML checker shows the same place.',
  },
  yaml_too_deep: {
    message: ({ most }: { most: number }) => `values may nest ${most} deep and these nest deeper`,
    next: () => 'Flatten the value.',
  },
  yaml_aliases: {
    message: ({ most }: { most: number }) => `aliases may stand for ${most} nodes in all and stand for more`,
    next: () => 'Write the repeated parts out, or split the catalog.',
  },
  yaml_bad_alias: {
    message: ({ alias }: { alias: string }) => `the alias *${alias}* stands for no complete value above it`,
    next: () => 'Set the anchor before the alias, and outside of the value that uses it.',
  },
  yaml_empty: {
    message: () => 'the file should hold a map and is empty',
    next: () => 'Write the catalog into it.',
  },
  too_many_problems: {
    message: ({ most }: { most: number }) => `there are more than ${most} problems; the rest is not listed`,
    next: () => 'Repair those listed and read the catalog again.',
  },
  // Shapes
  duplicate_key: {
    message: ({ where, key }: At & { key: string }) =>
      `the key \`${key}\` stands twice in ${where}; the later one holds`,
    next: () => 'Remove one of the two.',
  },
  unknown_key: {
    message: ({ where, key }: At & { key: string }) =>
      `the key \`${key}\` is not known in ${where} and is ignored`,
    next: ({ nearest, known }: At & { key: string; nearest: readonly string[]; known: readonly string[] }) =>
      meant(nearest, `Remove it; known here: ${known.join(', ')}.`),
  },
  missing_key: {
    message: ({ where, key }: At & { key: string }) => `${where} should have the key \`${key}\` and has not`,
    next: ({ key }: At & { key: string }) => `Add \`${key}\`.`,
  },
  wrong_shape: {
    message: ({ where, wanted, actual }: At & { wanted: string; actual: string }) =>
      `${where} should be ${wanted} and is ${actual}`,
    next: ({ wanted }: At & { wanted: string; actual: string }) => `Write ${wanted} there.`,
  },
  not_one_of: {
    message: ({ where, value, options }: At & { value: string; options: readonly string[] }) =>
      `${where} should be ${oneOf(options)} and is \`${value}\``,
    next: ({ nearest }: At & { value: string; options: readonly string[]; nearest: readonly string[] }) =>
      meant(nearest, 'Choose one of them.'),
  },
  bad_name: {
    message: ({ where, name }: At & { name: string }) =>
      `${where} is named ${JSON.stringify(name)}, which cannot be a name`,
    next: () => 'Use letters, digits and `_ . $ @ : / -`, at most 128 characters.',
  },
  unknown_name: {
    message: ({ where, what, name }: At & { what: string; name: string }) =>
      `${where} names the ${what} \`${name}\`, which does not exist`,
    next: ({ nearest, what }: At & { what: string; name: string; nearest: readonly string[] }) =>
      meant(nearest, `Declare the ${what}, or name one that exists.`),
  },
  either_or: {
    message: ({ where, keys }: At & { keys: readonly string[] }) =>
      `${where} should have exactly one of ${oneOf(keys)}`,
    next: () => 'Keep one of them.',
  },
  does_not_belong: {
    message: ({ where, key, reason }: At & { key: string; reason: string }) =>
      `${where} may not have \`${key}\`: ${reason}`,
    next: ({ key }: At & { key: string; reason: string }) => `Remove \`${key}\`.`,
  },
  duplicate_name: {
    message: ({ where, what, name }: At & { what: string; name: string }) =>
      `${where} has the ${what} \`${name}\` twice`,
    next: () => 'Rename or remove one of the two.',
  },
  missing_mapping: {
    message: ({ capability }: { capability: string }) =>
      `the capability \`${capability}\` has no request template`,
    next: ({ nearest }: { capability: string; nearest: readonly string[] }) =>
      meant(nearest, 'Add a template under the same name to mappings.yaml.'),
  },
  bad_url: {
    message: ({ where, value }: At & { value: string }) =>
      `${where} should be an http or https URL without user, query and fragment and is ${JSON.stringify(value)}`,
    next: () => 'Write a URL such as https://api.example.com/v1.',
  },
  unsafe_literal: {
    message: ({ where, found, part }: At & { found: string; part: string }) =>
      `${where} writes ${found} into ${part}, which is never sent; the capability is refused`,
    next: ({ part }: At & { found: string; part: string }) =>
      part === 'a path'
        ? 'Write the path that is meant: no dot segments, and spaces, `#` and `\\` percent-encoded.'
        : 'Use letters, digits and `-` in names; no line breaks or other control characters in values.',
  },
  origin_without_calls: {
    message: ({ origin }: { origin: string }) =>
      `auth.origins names ${origin}, which no request template calls`,
    next: () => 'Name an origin (scheme, host, port) that a path of the catalog begins with, or remove it.',
  },
  part_not_done: {
    message: ({ key }: { key: string }) => `\`${key}\` is read and not acted on`,
    next: () => 'Nothing needs doing: the catalog works without what it would add.',
  },
  // Lint
  undeclared_path_variable: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `the path of \`${capability}\` needs \`${name}\`, which nothing declares; it is read as a required text parameter`,
    next: ({ name }: { capability: string; name: string }) =>
      `Declare a parameter \`${name}\` with \`role: scope\`.`,
  },
  orphan_mapping: {
    message: ({ name }: { name: string }) => `the template \`${name}\` belongs to no capability`,
    next: ({ nearest }: { name: string; nearest: readonly string[] }) =>
      meant(nearest, 'Remove it, or declare the capability.'),
  },
  unknown_variable: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `the template of \`${capability}\` needs \`${name}\`, which nobody can supply`,
    next: ({ nearest }: { capability: string; name: string; nearest: readonly string[] }) =>
      meant(nearest, 'Add a parameter of that name, or guard the variable with `if` and `exists`.'),
  },
  unguarded_variable: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `the template of \`${capability}\` always sends \`${name}\`, which is an optional parameter`,
    next: ({ name }: { capability: string; name: string }) =>
      `Guard it: if exists \`${name}\`, else null; or make the parameter required.`,
  },
  unused_parameter: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `the template of \`${capability}\` never uses its parameter \`${name}\``,
    next: () => 'Use the parameter in the template, or remove it.',
  },
  unknown_provides: {
    message: ({ capability, names }: { capability: string; names: readonly string[] }) =>
      `\`${capability}\` provides ${names.map((name) => `\`${name}\``).join(', ')}: no field of its entity has ${names.length === 1 ? 'that name' : 'one of these names'}`,
    next: ({ nearest }: { capability: string; names: readonly string[]; nearest: readonly string[] }) =>
      meant(nearest, 'Name fields only.'),
  },
  select_without_options: {
    message: ({ where }: At) => `${where} is a select without allowed values; it is read as a string`,
    next: () => 'List `allowed_values`, or make it a string.',
  },
  string_without_semantics: {
    message: ({ where }: At) => `${where} is a string without \`string_semantics\`; it is read as short`,
    next: () => 'Add `string_semantics: short` (or markdown, document, html, json_text, blob).',
  },
  step_unknown: {
    message: ({ capability, name }: { capability: string; name: string }) =>
      `the paging of \`${capability}\` counts \`${name}\` by one row a page, since no page size is given`,
    next: () => 'Add a fixed page size (`limit: { fixed: 20 }`), or a `step`.',
  },
  entity_unreachable: {
    message: ({ entity }: { entity: string }) => `no capability belongs to the entity \`${entity}\``,
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
      `\`${entity}\` has two ${kind} capabilities without required parameters, \`${first}\` and \`${second}\`; the first one is taken where none is named`,
    next: () => 'Give one of them a required parameter, or make it a different kind.',
  },
  action_says_nothing: {
    message: ({ capability }: { capability: string }) =>
      `the action \`${capability}\` says neither what it provides nor what it does`,
    next: () => 'Add `provides`, or an `output` of type side_effect with a description.',
  },
  name_clash: {
    message: ({ entity, name }: { entity: string; name: string }) =>
      `\`${name}\` of \`${entity}\` is both the label of a method and the name of a field or relation`,
    next: () => 'Rename one of the two.',
  },
})
