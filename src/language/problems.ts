import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** An argument as messages list it: `` `name` (type) ``. */
const list = (slots: readonly string[]) => slots.join(', ')

const DATES =
  'Write a date as in 2024-01-31 or 2024-01-31T12:00:00Z, or one of the words now, today, yesterday, tomorrow, next-week, last-month'
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['int', 'Write a whole number, as in 3'],
  ['num', 'Write a number, as in 1.5'],
  ['bool', 'Write true or false'],
  ['uuid', 'Write a UUID: 8-4-4-4-12 hexadecimal digits'],
  ['date', DATES],
  ['datetime', DATES],
])

/** How a value of a type is written. */
function howTo(expected: string, actual: string): string {
  if (actual.startsWith('a list') && !expected.startsWith('['))
    return 'Write one value; for several of them read once for each, as in `a = …` and `b = …`'
  return WRITTEN.get(expected) ?? `Write a value of type ${expected}`
}

/** Everything that can be wrong with the meaning of a program, each with what to do about it. */
export const problem = problemsOf({
  // Names
  unknown_entity: {
    message: (p: { name: string }) => `\`${p.name}\` is no entity of this session`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0
        ? 'Call plasm_context with seeds first: this session has no entities'
        : `Use one of ${list(p.known)}, or add the entity with plasm_context`,
  },
  unknown_symbol: {
    message: (p: { name: string }) => `\`${p.name}\` was never given in this session`,
    next: (p: { known: string }) => `Use ${p.known}, or the name itself`,
  },
  dead_symbol: {
    message: (p: { name: string; entity: string; catalog: string }) =>
      `\`${p.name}\` meant ${p.entity} of catalog \`${p.catalog}\`, which has changed since`,
    next: (p: { catalog: string; entity: string }) =>
      `Call plasm_context with the seed {"api": "${p.catalog}", "entity": "${p.entity}"} and use the symbols of its answer`,
  },
  wrong_symbol: {
    message: (p: { name: string; wanted: string; means: string }) =>
      `\`${p.name}\` is ${p.means}, not ${p.wanted}`,
    next: (p: { wanted: string }) => `Write ${p.wanted} here`,
  },
  label_as_entity: {
    message: (p: { label: string }) => `\`${p.label}\` is a label: its rows are read where it is bound`,
    next: (p: { label: string }) =>
      `Put conditions, an id or words behind the entity there; from the rows go on with \`${p.label}.relation\`, \`${p.label}[fields]\`, \`${p.label}.limit(5)\` or \`${p.label} => …\``,
  },
  ambiguous_entity: {
    message: (p: { name: string; options: readonly string[] }) =>
      `\`${p.name}\` is an entity of several catalogs: ${list(p.options)}`,
    next: () => 'Write the symbol of the one that you mean',
  },
  unknown_field: {
    message: (p: { name: string; of: string }) => `\`${p.name}\` is no field of ${p.of}`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0 ? 'Nothing can be named here' : `Use one of ${list(p.known)}`,
  },
  relation_as_column: {
    message: (p: { name: string; target: string }) =>
      `\`${p.name}\` leads to rows of ${p.target}, which stand in no column`,
    next: (p: { name: string }) => `Follow it instead: \`rows.${p.name}\` or \`rows.${p.name}[fields]\``,
  },
  unknown_predicate: {
    message: (p: { name: string; of: string }) =>
      `\`${p.name}\` is neither a field of ${p.of} nor a parameter of its queries`,
    next: (p: { known: readonly string[] }) => `Use one of ${list(p.known)}`,
  },
  unknown_step: {
    message: (p: { name: string; of: string }) =>
      `\`.${p.name}\` is no relation, reference field or method of ${p.of}`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0
        ? 'Nothing can follow these rows but limit, sort, aggregate, group_by and [fields]'
        : `Use one of ${list(p.known)}`,
  },
  not_navigable: {
    message: (p: { name: string; of: string; type: string }) =>
      `\`${p.name}\` of ${p.of} is a value (${p.type}), nothing to go on to`,
    next: (p: { name: string }) => `To see it, project: \`[${p.name}]\``,
  },
  ambiguous_method: {
    message: (p: { name: string; of: string; options: readonly string[] }) =>
      `\`.${p.name}\` of ${p.of} may be ${oneOf(p.options)}`,
    next: () => 'Write the m# or the full name of the one that you mean',
  },
  relation_not_walkable: {
    message: (p: { name: string; of: string }) =>
      `The relation \`${p.name}\` of ${p.of} is only documented: no call gives its rows`,
    next: (p: { instead: string }) => p.instead,
  },
  target_not_exposed: {
    message: (p: { name: string; target: string }) =>
      `\`.${p.name}\` leads to ${p.target}, which this session does not have`,
    next: (p: { catalog: string; target: string }) =>
      `Add it: call plasm_context with the seed {"api": "${p.catalog}", "entity": "${p.target}"}`,
  },
  no_reverse: {
    message: (p: { from: string; to: string }) =>
      `No query of ${p.to} has a parameter that refers to ${p.from}, and no field that could be compared`,
    next: (p: { to: string }) => `Query ${p.to} with the parameters that it has`,
  },
  // Labels and statements
  too_many_steps: {
    message: (p: { steps: number; most: number }) =>
      `The program has ${p.steps} steps, and ${p.most} are the most`,
    next: () => 'Split the work into several programs, or do it for each row with `rows => …`',
  },
  duplicate_label: {
    message: (p: { label: string }) => `\`${p.label}\` is bound twice`,
    next: () => 'Give one of them another name',
  },
  forward_reference: {
    message: (p: { label: string }) => `\`${p.label}\` is used before it is bound`,
    next: () => 'Move its line above this one',
  },
  content_root: {
    message: (p: { label: string }) => `\`${p.label}.content\` is a text, not rows`,
    next: (p: { label: string }) => `Return \`${p.label}\`: its one row shows the content`,
  },
  cursor_outside: {
    message: () => '`_` stands for a row only on the right side of `=>`',
    next: () => 'Bind the rows and write `rows => …`',
  },
  placeholder: {
    message: () => '`$` marks a place that a table leaves open, and cannot be sent',
    next: () => 'Put a real value there',
  },
  ellipsis: {
    message: () => '`..` says in a table that optional arguments were left out, and is no argument',
    next: () => 'Leave it away, or write the arguments',
  },
  // Calls
  no_query: {
    message: (p: { entity: string; what: string }) => `${p.entity} cannot be ${p.what}`,
    next: (p: { instead: string }) => p.instead,
  },
  ambiguous_query: {
    message: (p: { entity: string; options: readonly string[] }) =>
      `Several queries of ${p.entity} fit: ${list(p.options)}`,
    next: () => 'Add a parameter that only one of them has, or call it by name',
  },
  unsupported_capability: {
    message: (p: { name: string; features: readonly string[] }) =>
      `\`${p.name}\` cannot run here: unsupported: ${list(p.features)}`,
    next: () => 'Reach the goal with another capability',
  },
  unknown_argument: {
    message: (p: { name: string; of: string }) => `\`${p.name}\` is no argument of ${p.of}`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0 ? 'Call it without arguments' : `Its arguments: ${list(p.known)}`,
  },
  duplicate_argument: {
    message: (p: { name: string }) => `\`${p.name}\` is given twice`,
    next: () => 'Keep one of them',
  },
  missing_argument: {
    message: (p: { of: string; missing: readonly string[] }) => `${p.of} needs ${list(p.missing)}`,
    next: (p: { missing: readonly string[] }) => `Add ${list(p.missing)}`,
  },
  positional_argument: {
    message: (p: { of: string }) => `${p.of} takes its arguments by name`,
    next: (p: { known: readonly string[] }) => `Write name=value; its arguments: ${list(p.known)}`,
  },
  empty_get: {
    message: (p: { entity: string }) => `\`()\` without an id names no ${p.entity}`,
    next: (p: { key: readonly string[]; methods: readonly string[] }) =>
      `Give its key: ${list(p.key)}${p.methods.length === 0 ? '' : `; without an id there is ${list(p.methods)}`}`,
  },
  wrong_key: {
    message: (p: { entity: string; given: readonly string[] }) =>
      `${list(p.given)} does not identify one ${p.entity}`,
    next: (p: { key: readonly string[] }) => `Give exactly its key: ${list(p.key)}`,
  },
  needs_target: {
    message: (p: { name: string; entity: string }) =>
      `\`${p.name}\` is done to one ${p.entity}, and none is named`,
    next: (p: { form: string }) => `Write ${p.form}`,
  },
  takes_no_target: {
    message: (p: { name: string }) => `\`${p.name}\` is not done to one thing that is there`,
    next: (p: { entity: string; name: string }) =>
      `Call it on the entity itself: \`${p.entity}.${p.name}(…)\``,
  },
  many_target: {
    message: (p: { name: string; entity: string }) =>
      `\`${p.name}\` is done to one ${p.entity}, and these may be many`,
    next: (p: { form: string }) =>
      `For one of them add .limit(1) or .singleton(); for each of them write ${p.form}`,
  },
  takes_no_predicates: {
    message: (p: { name: string }) => `\`${p.name}\` takes no conditions in braces`,
    next: () => 'Write its arguments in parentheses, by name',
  },
  write_gives_no_rows: {
    message: (p: { name: string }) =>
      `\`${p.name}\` answers with no rows, so there is nothing to read from it`,
    next: () => 'Use it on its own, and read the rows with a get or a query',
  },
  write_in_read: {
    message: (p: { name: string; where: string }) =>
      `\`${p.name}\` changes something and cannot stand ${p.where}`,
    next: () => 'Bind it to a label on a line of its own, and use the label',
  },
  // Values
  value_mismatch: {
    message: (p: { slot: string; expected: string; actual: string }) =>
      `${p.slot} wants ${p.expected}, not ${p.actual}`,
    next: (p: { expected: string; actual: string }) => howTo(p.expected, p.actual),
  },
  not_an_option: {
    message: (p: { slot: string; options: string; actual: string }) =>
      `${p.slot} is one of ${p.options}, not ${p.actual}`,
    next: () => 'Write one of these, exactly',
  },
  wrong_reference: {
    message: (p: { slot: string; wanted: string; given: string }) =>
      `${p.slot} refers to ${p.wanted}, not to ${p.given}`,
    next: (p: { wanted: string }) => `Give an id of ${p.wanted}`,
  },
  rows_as_value: {
    message: (p: { text: string; slot: string }) =>
      `\`${p.text}\` is an expression, and ${p.slot} wants a value`,
    next: () =>
      'Bind it to a label on a line of its own, and write the label here; text belongs in double quotes',
  },
  foreign_identity: {
    message: (p: { value: string; given: string; slot: string; wanted: string }) =>
      `\`${p.value}\` identifies ${p.given}, and ${p.slot} wants ${p.wanted}`,
    next: (p: { value: string; wanted: string }) =>
      `Find the ${p.wanted} and give its id; if both share their ids, say so with "\${${p.value}}"`,
  },
  incompatible_value: {
    message: (p: { value: string; type: string; slot: string; expected: string }) =>
      `\`${p.value}\` is ${p.type}, and ${p.slot} wants ${p.expected}`,
    next: (p: { expected: string }) => `Use a field that is ${p.expected}`,
  },
  many_rows: {
    message: (p: { label: string }) => `\`${p.label}\` may have many rows, and one value is wanted`,
    next: (p: { label: string }) =>
      `Bind one row first (\`one = ${p.label}.singleton()\` or \`.limit(1)\`), or do it for each row with \`${p.label} => …\``,
  },
  which_column: {
    message: (p: { label: string; columns: readonly string[] }) =>
      `\`${p.label}\` has several columns: ${list(p.columns)}`,
    next: (p: { label: string; column: string }) => `Say which one: \`${p.label}.${p.column}\``,
  },
  wrong_operator: {
    message: (p: { operator: string; slot: string; type: string }) =>
      `\`${p.operator}\` does not work on ${p.slot} (${p.type})`,
    next: (p: { operators: readonly string[] }) => `Use ${oneOf(p.operators)}`,
  },
  parameter_operator: {
    message: (p: { operator: string; name: string }) =>
      `\`${p.name}\` is a parameter of the API, which knows no \`${p.operator}\``,
    next: (p: { name: string; instead: readonly string[] }) =>
      `Write \`${p.name}=…\`${p.instead.length === 0 ? '' : `, or put the condition on ${list(p.instead)}`}`,
  },
  unknown_variant: {
    message: (p: { name: string; slot: string }) => `\`${p.name}\` is no form of ${p.slot}`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0 ? 'Write a plain value' : `Use one of ${list(p.known)}`,
  },
  // Operators over rows
  wrong_count: {
    message: (p: { operator: string }) => `\`${p.operator}\` takes one whole number above 0`,
    next: (p: { operator: string }) => `Write .${p.operator}(10)`,
  },
  operator_arguments: {
    message: (p: { operator: string }) => `These arguments do not fit \`.${p.operator}\``,
    next: (p: { form: string }) => `Write ${p.form}`,
  },
  unknown_direction: {
    message: (p: { direction: string }) => `\`${p.direction}\` is no direction`,
    next: () => 'Write asc or desc',
  },
  unnamed_aggregate: {
    message: (p: { text: string }) => `\`${p.text}\` needs a column name`,
    next: (p: { text: string; name: string }) => `Write \`${p.name}=${p.text}\``,
  },
  unknown_function: {
    message: (p: { name: string }) => `\`${p.name}\` is no aggregate function`,
    next: () => 'Use count, sum(field), avg(field), min(field) or max(field)',
  },
  template_columns: {
    message: () =>
      'Nobody can tell the columns of these rows before the run, so the template needs to name them',
    next: () => 'Put the fields in brackets before the template: rows[a, b] <<TAG',
  },
  each_body: {
    message: () => 'The right side of `=>` can be a call, a get, a query or a value',
    next: () => 'Bind what this gives, and go on from the label on the next line',
  },
  not_per_row: {
    message: (p: { operator: string }) => `\`${p.operator}\` works over all rows, not once for each`,
    next: () => 'Bind what `=>` gives, and use it on the label',
  },
  // Pages
  foreign_page: {
    message: (p: { handle: string; ref: string }) => `\`${p.handle}\` is no page of session \`${p.ref}\``,
    next: (p: { ref: string }) => `Use a handle that an answer of this session printed: ${p.ref}_pg1 or pg1`,
  },
})
