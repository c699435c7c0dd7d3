import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** An argument as messages list it: `` `name` (type) ``. */
const list = (slots: readonly string[]) => slots.join(', ')

const DATES =
  'Write a date like 2024-01-31 or 2024-01-31T12:00:00Z, or now, today, today-7d, now-1h, yesterday, next-week, last-month.'
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['int', 'Write a whole number, like 3.'],
  ['num', 'Write a number, like 1.5.'],
  ['bool', 'Write true or false.'],
  ['uuid', 'Write a UUID: 8-4-4-4-12 hexadecimal digits.'],
  ['date', DATES],
  ['datetime', DATES],
])

/** The text as the start of a sentence; names keep their case. */
const cap = (text: string) =>
  text.replace(/^(?:the|these|this|an?) /, (word) => word.charAt(0).toUpperCase() + word.slice(1))

interface Hint {
  readonly moment?: number
  readonly once?: true
}

/** How a value of a type is written. `once`: no call for each of several values. `moment`: the date that was given, in milliseconds since 1970. */
function howTo(expected: string, actual: string, { moment, once }: Hint): string {
  if (moment !== undefined)
    return `Write a number; if it counts from 1970, this date is ${Math.floor(moment / 1000)} in seconds, ${moment} in milliseconds.`
  if (actual.startsWith('a list') && !expected.startsWith('[') && once) return 'Write one value.'
  if (actual.startsWith('a list') && !expected.startsWith('['))
    return 'Write one value; for several, call once for each: `v = [a, b]`, then `v => …` with `_` in their place.'
  return WRITTEN.get(expected) ?? `Write a value of type ${expected}.`
}

/** Type and name errors of programs. */
export const problem = problemsOf({
  // Names
  unknown_entity: {
    message: (p: { name: string }) => `This session has no entity \`${p.name}\`.`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0
        ? 'Call plasm_context with seeds first.'
        : `Use one of ${list(p.known)}, or add the entity with plasm_context.`,
  },
  unknown_symbol: {
    message: (p: { name: string }) => `This session has no symbol \`${p.name}\`.`,
    next: (p: { known: string }) =>
      `Use ${p.known}, or the name itself. If another answer named it, call plasm_context with \`have\`: the last e# of which you hold all rows.`,
  },
  dead_symbol: {
    message: (p: { name: string; entity: string; catalog: string; now: string | undefined }) =>
      `\`${p.name}\` meant ${p.entity} of catalog \`${p.catalog}\`, which ${p.now === undefined ? 'no longer has it' : 'has changed since'}.`,
    next: (p: { entity: string; now: string | undefined }) =>
      p.now === undefined
        ? 'Find what does this now with discover_capabilities, and pass it to plasm_context as a seed.'
        : `Use \`${p.now}\` for ${p.entity}, and the symbols of its rows.`,
  },
  wrong_symbol: {
    message: (p: { name: string; wanted: string; means: string }) =>
      `\`${p.name}\` is ${p.means}, not ${p.wanted}.`,
    next: (p: { wanted: string }) => `Write ${p.wanted} here.`,
  },
  label_as_entity: {
    message: (p: { label: string }) => `\`${p.label}\` is a label, not an entity.`,
    next: (p: { label: string }) =>
      `Put an id or search text on an entity; continue from the rows with \`${p.label}{field=value}\`, \`${p.label}.relation\`, \`${p.label}[fields]\` or \`${p.label} => …\`.`,
  },
  ambiguous_entity: {
    message: (p: { name: string; options: readonly string[] }) =>
      `\`${p.name}\` is an entity of several catalogs: ${list(p.options)}.`,
    next: () => 'Write the symbol of the intended one.',
  },
  unknown_field: {
    message: (p: { name: string; of: string }) => `${cap(p.of)} has no field \`${p.name}\`.`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0 ? 'Remove it; no name is valid here.' : `Use one of ${list(p.known)}.`,
  },
  relation_as_column: {
    message: (p: { name: string; target: string }) =>
      `\`${p.name}\` is a relation to ${p.target}; only a field of a row can be a column.`,
    next: (p: { instead: string }) => `${p.instead}.`,
  },
  unknown_predicate: {
    message: (p: { name: string; of: string }) =>
      `\`${p.name}\` is neither a field of ${p.of} nor a parameter of its queries.`,
    next: (p: { known: readonly string[] }) => `Use one of ${list(p.known)}.`,
  },
  unknown_step: {
    message: (p: { name: string; of: string }) =>
      `${cap(p.of)} has no relation, reference field or method \`.${p.name}\`.`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0
        ? 'Use limit, sort, aggregate, group_by or [fields]; nothing else can follow these rows.'
        : `Use one of ${list(p.known)}.`,
  },
  not_navigable: {
    message: (p: { name: string; of: string; type: string }) =>
      `\`${p.name}\` of ${p.of} is a value (${p.type}) and cannot be followed.`,
    next: (p: { name: string; type: string }) =>
      p.type === 'json'
        ? `Name a place in it as a column, \`[${p.name}.0.name]\`, or loop over its list in a template: \`rows[${p.name}] <<T\`.`
        : `Project it: \`[${p.name}]\`.`,
  },
  called_slot: {
    message: (p: { name: string; of: string; what: string }) =>
      `\`${p.name}\` of ${p.of} is ${p.what}, not a method.`,
    next: (p: { form: string }) => `Write \`${p.form}\`.`,
  },
  ambiguous_method: {
    message: (p: { name: string; of: string; options: readonly string[] }) =>
      `\`.${p.name}\` of ${p.of} is ambiguous: ${oneOf(p.options)}.`,
    next: () => 'Write the m# or the full name of the intended one.',
  },
  relation_not_walkable: {
    message: (p: { name: string; of: string }) => `No call reads the relation \`${p.name}\` of ${p.of}.`,
    next: (p: { instead: string }) => `${p.instead}.`,
  },
  target_not_exposed: {
    message: (p: { name: string; target: string }) =>
      `\`.${p.name}\` leads to ${p.target}, which is not in this session.`,
    next: (p: { catalog: string; target: string }) =>
      `Call plasm_context with the seed {"api": "${p.catalog}", "entity": "${p.target}"}.`,
  },
  no_reverse: {
    message: (p: { from: string; to: string }) => `No parameter or field of ${p.to} refers to ${p.from}.`,
    next: (p: { to: string }) => `Query ${p.to} by its own parameters.`,
  },
  // Labels and statements
  too_many_steps: {
    message: (p: { steps: number; most: number }) =>
      `The program has ${p.steps} steps; the limit is ${p.most}.`,
    next: () => 'Split the work into several programs, or use `rows => …` per row.',
  },
  duplicate_label: {
    message: (p: { label: string }) => `\`${p.label}\` is bound twice.`,
    next: () => 'Rename one of them.',
  },
  forward_reference: {
    message: (p: { label: string }) => `\`${p.label}\` is used before it is bound.`,
    next: () => 'Move its line above this one.',
  },
  content_root: {
    message: (p: { label: string }) => `\`${p.label}.content\` is a text, not rows.`,
    next: (p: { label: string }) => `Return \`${p.label}\`; its one row shows the content.`,
  },
  cursor_outside: {
    message: () => '`_` is valid only on the right side of `=>`.',
    next: () => 'Bind the rows and write `rows => …`.',
  },
  far_cursor: {
    message: () =>
      'Only a column of `_` itself can stand beside rows, and only beside rows that are read directly from it.',
    next: () => 'Write `rows => _.relation[field, _.name]`; for more steps bind the rows in between.',
  },
  placeholder: {
    message: () => '`$` is a placeholder of the table.',
    next: () => 'Write a value in its place.',
  },
  ellipsis: {
    message: () => '`..` is table notation for omitted optional arguments.',
    next: () => 'Remove it, or write the arguments.',
  },
  // Calls
  no_query: {
    message: (p: { entity: string; what: string }) => `${p.entity} cannot be ${p.what}.`,
    next: (p: { instead: string }) => `${p.instead}.`,
  },
  ambiguous_query: {
    message: (p: { entity: string; options: readonly string[] }) =>
      `Several queries of ${p.entity} fit: ${list(p.options)}.`,
    next: () => 'Add a parameter that only one of them has, or call one by name.',
  },
  unsupported_capability: {
    message: (p: { name: string; features: readonly string[] }) =>
      `\`${p.name}\` cannot run: unsupported ${list(p.features)}.`,
    next: () => 'Use another capability.',
  },
  unknown_argument: {
    message: (p: { name: string; of: string }) => `${cap(p.of)} has no argument \`${p.name}\`.`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0
        ? 'It takes none: call it only if it does what you mean without this one.'
        : `Use one of ${list(p.known)}.`,
  },
  duplicate_argument: {
    message: (p: { name: string }) => `\`${p.name}\` is given twice.`,
    next: () => 'Keep one of them.',
  },
  missing_argument: {
    message: (p: { of: string; missing: readonly string[] }) => `${cap(p.of)} needs ${list(p.missing)}.`,
    next: (p: { missing: readonly string[]; search?: string }) =>
      p.search === undefined
        ? `Add ${list(p.missing)}.`
        : `Add ${list(p.missing)}, or search instead: \`${p.search}\`.`,
  },
  positional_argument: {
    message: (p: { of: string }) => `${cap(p.of)} takes named arguments only.`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0
        ? 'It takes none: leave them out.'
        : `Write name=value with one of ${list(p.known)}.`,
  },
  moment_call: {
    message: (p: { name: string }) => `\`${p.name}\` is a word, not a function.`,
    next: (p: { name: string }) => `Write \`${p.name}\`.`,
  },
  empty_get: {
    message: (p: { entity: string }) => `\`()\` without an id identifies no ${p.entity}.`,
    next: (p: { key: readonly string[]; methods: readonly string[] }) => {
      const without = p.methods.length === 0 ? '' : `use ${list(p.methods)}`
      if (p.key.length > 0) return `Give its key: ${list(p.key)}${without && `; without an id, ${without}`}.`
      return without === '' ? 'Read its rows with a query.' : `It has no read by an id: ${without}.`
    },
  },
  wrong_key: {
    message: (p: { entity: string; given: readonly string[]; key: readonly string[] }) =>
      p.key.length === 0
        ? `No ${p.entity} can be named by ${list(p.given)}: it has no key.`
        : `One ${p.entity} is named by ${list(p.key)}, got ${list(p.given)}.`,
    next: (p: { key: readonly string[] }) =>
      p.key.length === 0
        ? 'Read it with conditions in braces, as in `Entity{name=value}`.'
        : `Give ${list(p.key)} and nothing else.`,
  },
  needs_target: {
    message: (p: { name: string; entity: string }) => `\`${p.name}\` needs one ${p.entity}.`,
    next: (p: { form: string }) => `Write ${p.form}.`,
  },
  takes_no_target: {
    message: (p: { name: string }) => `\`${p.name}\` takes no target row.`,
    next: (p: { entity: string; name: string }) =>
      `Call it on the entity itself: \`${p.entity}.${p.name}(…)\`.`,
  },
  many_target: {
    message: (p: { name: string; entity: string }) =>
      `\`${p.name}\` needs one ${p.entity}, got possibly many.`,
    next: (p: { form: string }) =>
      `For each row write ${p.form}; for one of them add \`.limit(1)\` or \`.singleton()\` before it.`,
  },
  takes_no_predicates: {
    message: (p: { name: string }) => `\`${p.name}\` takes no conditions in braces.`,
    next: () => 'Write its arguments in parentheses, by name.',
  },
  write_gives_no_rows: {
    message: (p: { name: string }) => `\`${p.name}\` returns no rows.`,
    next: (p: { instead?: string }) =>
      p.instead === undefined
        ? 'Call it alone, and read rows with a get or a query.'
        : `Read the rows themselves: \`${p.instead}\`.`,
  },
  write_in_read: {
    message: (p: { name: string; where: string }) => `\`${p.name}\` is a write and cannot stand ${p.where}.`,
    next: () => 'Bind it to a label on its own line, and use the label.',
  },
  // Values
  value_mismatch: {
    message: (p: { slot: string; expected: string; actual: string }) =>
      `${cap(p.slot)} must be ${p.expected}, got ${p.actual}.`,
    next: (p: { expected: string; actual: string } & Hint) => howTo(p.expected, p.actual, p),
  },
  not_an_option: {
    message: (p: { slot: string; options: string; actual: string }) =>
      `${cap(p.slot)} must be one of ${p.options}, got ${p.actual}.`,
    next: () => 'Write one of these exactly.',
  },
  wrong_reference: {
    message: (p: { slot: string; wanted: string; given: string }) =>
      `${cap(p.slot)} must refer to ${p.wanted}, got ${p.given}.`,
    next: (p: { wanted: string }) => `Write an id of ${p.wanted}.`,
  },
  rows_as_value: {
    message: (p: { text: string; slot: string }) =>
      `${cap(p.slot)} must be a value, got the expression \`${p.text}\`.`,
    next: () => 'Bind it to a label on its own line and write the label here; put text in double quotes.',
  },
  expression_as_text: {
    message: (p: { text: string; slot: string }) =>
      `${cap(p.slot)} must be a value, but \`${p.text}\` is an expression that cannot stand in one.`,
    next: () =>
      'Write one column (`x.name`), values (`[a, b]`), or text in double quotes ("by ${x.name}"); no expression joins lists or makes one from a relation.',
  },
  foreign_identity: {
    message: (p: { value: string; given: string; slot: string; wanted: string }) =>
      `${cap(p.slot)} must identify ${p.wanted}, but \`${p.value}\` identifies ${p.given}.`,
    next: (p: { value: string; wanted: string }) =>
      `Find the ${p.wanted} and use its id; if both share ids, write "\${${p.value}}".`,
  },
  incompatible_value: {
    message: (p: { value: string; type: string; slot: string; expected: string }) =>
      `${cap(p.slot)} must be ${p.expected}, but \`${p.value}\` is ${p.type}.`,
    next: (p: { expected: string }) => `Use a field that is ${p.expected}.`,
  },
  many_rows: {
    message: (p: { label: string }) => `\`${p.label}\` may have many rows, but one value is needed.`,
    next: (p: { label: string; isOfAll?: boolean }) =>
      p.isOfAll
        ? 'No condition compares with every row of others: return both, and compare them in your answer.'
        : `Bind one row first (\`one = ${p.label}.singleton()\` or \`.limit(1)\`), or use \`${p.label} => …\` per row.`,
  },
  which_column: {
    message: (p: { label: string; columns: readonly string[] }) =>
      `\`${p.label}\` has several columns: ${list(p.columns)}.`,
    next: (p: { label: string; column: string }) => `Name one: \`${p.label}.${p.column}\`.`,
  },
  wrong_operator: {
    message: (p: { operator: string; slot: string; type: string }) =>
      `\`${p.operator}\` does not work on ${p.slot} (${p.type}).`,
    next: (p: { operators: readonly string[] }) => `Use ${oneOf(p.operators)}.`,
  },
  date_as_text: {
    message: (p: { word: string; slot: string }) =>
      `${p.slot} is no field of type date: \`${p.word}\` would be compared letter by letter.`,
    next: (p: { date: string }) => `Write the date as the rows hold it, as in "${p.date}".`,
  },
  null_condition: {
    message: (p: { name: string; of: string }) =>
      `\`${p.name}\` is a parameter and no field of ${p.of}: null can neither be sent nor compared.`,
    next: (p: { name: string }) => `Leave \`${p.name}\` out, or compare a field of the rows with null.`,
  },
  parameter_operator: {
    message: (p: { operator: string; name: string }) =>
      `\`${p.name}\` is an API parameter without \`${p.operator}\`.`,
    next: (p: { name: string; instead: readonly string[] }) =>
      `Write \`${p.name}=…\`${p.instead.length === 0 ? '' : `, or put the condition on ${list(p.instead)}`}.`,
  },
  unknown_variant: {
    message: (p: { name: string; slot: string }) => `${cap(p.slot)} has no variant \`${p.name}\`.`,
    next: (p: { known: readonly string[] }) =>
      p.known.length === 0 ? 'Write a plain value.' : `Use one of ${list(p.known)}.`,
  },
  // Operators over rows
  wrong_count: {
    message: (p: { operator: string }) => `\`${p.operator}\` takes one positive whole number.`,
    next: (p: { operator: string }) => `Write .${p.operator}(10).`,
  },
  page_size_place: {
    /** `reader`: the step after it that reads all rows. */
    message: (p: { reader?: string }) =>
      p.reader === undefined
        ? '`.page_size` is the size of a page of a list read; these rows have no pages of their own.'
        : `\`.page_size\` has no effect here: ${p.reader} reads all rows.`,
    next: (p: { reader?: string }) =>
      p.reader === undefined
        ? 'Write it right after the entity or its conditions; `.limit(10)` keeps only ten rows.'
        : 'Leave it out: an answer that is cut has a page handle; `.limit(10)` keeps only ten rows.',
  },
  operator_arguments: {
    message: (p: { operator: string }) => `Invalid arguments of \`.${p.operator}\`.`,
    next: (p: { form: string }) => `Write ${p.form}.`,
  },
  unknown_direction: {
    message: (p: { direction: string }) => `There is no sort direction \`${p.direction}\`.`,
    next: () => 'Write asc or desc.',
  },
  unnamed_aggregate: {
    message: (p: { text: string }) => `\`${p.text}\` needs a column name.`,
    next: (p: { text: string; name: string }) => `Write \`${p.name}=${p.text}\`.`,
  },
  unknown_function: {
    message: (p: { name: string }) => `There is no aggregate function \`${p.name}\`.`,
    next: () => 'Use count, sum(field), avg(field), min(field) or max(field).',
  },
  template_columns: {
    message: () => 'The columns of these rows are unknown before the run.',
    next: () => 'Name the fields before the template: `rows[a, b] <<TAG`.',
  },
  each_body: {
    message: () => 'The right side of `=>` must be a call, a get or a query.',
    next: () => 'Bind its result, and continue from the label on the next line.',
  },
  empty_loop: {
    message: () => 'The right side of `=>` calls nothing.',
    next: () =>
      'Write a call there, as in `rows => Entity(_.id).method(…)`; for columns of the rows write `rows[name, other.name]`, for text a template `rows[name] <<T`.',
  },
  nothing_to_do: {
    message: () => 'No call is made for this result: it is only literal data.',
    next: () =>
      'Return rows, as in `Entity{field=value}`, or the result of a call; use text, lists and numbers as arguments of calls.',
  },
  not_per_row: {
    message: (p: { operator: string }) => `\`${p.operator}\` works on all rows, not per row.`,
    next: () => 'Bind the result of `=>`, and apply it to the label.',
  },
  // Pages
  foreign_page: {
    message: (p: { handle: string; ref: string }) => `The session \`${p.ref}\` has no page \`${p.handle}\`.`,
    next: (p: { ref: string }) => `Use a handle from an answer of this session: ${p.ref}_pg1 or pg1.`,
  },
})
