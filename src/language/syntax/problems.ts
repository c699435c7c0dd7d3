import { problemsOf } from '../../base/diagnostic.ts'

type Found = { readonly found: string }
type Named = { readonly name: string }

/** Syntax errors of programs. */
export const syntaxProblem = problemsOf({
  program_empty: {
    message: () => 'Expected a program, got no statements.',
    next: () => 'Send one expression, or bindings and a last line that names what to return.',
  },
  program_too_long: {
    message: (at: { bytes: number; most: number }) =>
      `Expected a program of at most ${at.most} bytes, got ${at.bytes}.`,
    next: () => 'Split the work into several programs.',
  },
  too_many_tokens: {
    message: (at: { most: number }) => `Expected at most ${at.most} names, values and signs, got more.`,
    next: () => 'Split the work into several programs.',
  },
  too_deep: {
    message: (at: { most: number }) => `Expected at most ${at.most} levels of nesting, got more.`,
    next: () => 'Bind the inner parts to labels on separate lines.',
  },
  no_roots: {
    message: () => 'Expected a last line that names what to return, got only bindings.',
    next: () =>
      'Add a line with the labels to return, separated by commas. A line that begins with `[`, `{` or `.` continues the one above.',
  },
  keyword: {
    message: ({ name }: Named) => `The language has no keyword \`${name}\`.`,
    next: ({ name }: Named) =>
      name === 'return'
        ? 'Omit it; the last line is what the program returns.'
        : name === 'await' || name === 'new'
          ? 'Omit it; every step waits for the rows that it needs.'
          : name === 'for'
            ? 'For each row write `rows => _.method(…)`, where `_` is the row.'
            : 'Omit it; `label = expression` binds.',
  },
  reserved_label: {
    message: ({ name }: Named) => `Expected a free label, got the reserved name \`${name}\`.`,
    next: () => 'Choose another label: not `_`, `page`, `return`, nor `e`, `m` or `p` with a number.',
  },
  label_shape: {
    message: ({ name }: Named) => `Expected a label of ASCII letters, digits and \`_\`, got \`${name}\`.`,
    next: () => 'Rename the label here and where it is used.',
  },
  flattened: {
    message: ({ found }: Found) => `Expected the end of the statement, got \`${found}\` on the same line.`,
    next: () => 'Put each binding and the final roots on its own line.',
  },
  binding_of_several: {
    message: () => 'Expected one expression after `label =`, got a comma.',
    next: () => 'Bind each expression to its own label; commas separate roots only.',
  },
  expected_expression: {
    message: ({ found }: Found) => `Expected an expression, got ${found}.`,
    next: () =>
      'Write an entity, a label or `page(handle)` here, and text in double quotes. Names consist of ASCII letters, digits and `_`.',
  },
  expected_value: {
    message: ({ found }: Found) => `Expected a value, got ${found}.`,
    next: () => 'Write a value, or omit the whole entry.',
  },
  expected_name: {
    message: ({ found }: Found) => `Expected a name, got ${found}.`,
    next: () => 'Write a name of letters, digits, `_` and inner `-`.',
  },
  expected_entry: {
    message: ({ found }: Found) => `Expected \`name=value\`, got ${found}.`,
    next: () => 'Write `name=value`; put text with commas in double quotes or a heredoc.',
  },
  expected_operator: {
    message: ({ name }: Named) => `Expected an operator after \`${name}\`, got none.`,
    next: () => 'Write one of `=`, `!=`, `<`, `<=`, `>`, `>=`, `~` and a value.',
  },
  operator_spelling: {
    message: (at: { found: string; wanted: string }) => `Expected \`${at.wanted}\`, got \`${at.found}\`.`,
    next: (at: { found: string; wanted: string }) => `Write \`${at.wanted}\`.`,
  },
  and_operator: {
    message: ({ found }: Found) => `Expected \`,\` between conditions, got \`${found}\`.`,
    next: () =>
      'Separate conditions with commas (all must hold), or quote the text if it belongs to the value.',
  },
  unexpected: {
    message: (at: { found: string; wanted: string }) => `Expected ${at.wanted}, got ${at.found}.`,
    next: () =>
      'Put text with spaces, commas or brackets in double quotes; steps follow with a dot: `rows.sort(x).limit(3)[x]`.',
  },
  line_continues: {
    message: ({ found }: Found) =>
      `A line that begins with \`${found}\` continues the line above, which cannot be continued that way.`,
    next: ({ found }: Found) =>
      found === '.'
        ? 'Begin the line with a label or an entity.'
        : `Bind it, as in \`x = ${found}…\`, or put it on the line of its rows.`,
  },
  missing_comma: {
    message: () => 'Expected `,` between two entries, got none.',
    next: () => 'Add the comma.',
  },
  missing_closer: {
    message: (at: { opener: string; closer: string }) =>
      `Expected \`${at.closer}\` for this \`${at.opener}\`, got none.`,
    next: (at: { closer: string }) => `Add \`${at.closer}\`.`,
  },
  wrong_closer: {
    message: (at: { found: string; closer: string }) => `Expected \`${at.closer}\`, got \`${at.found}\`.`,
    next: (at: { closer: string }) => `Write \`${at.closer}\`.`,
  },
  extra_closer: {
    message: ({ found }: Found) => `Expected the end of the statement, got an unmatched \`${found}\`.`,
    next: () => 'Remove it.',
  },
  semicolon: {
    message: () => 'Expected a line break to end the statement, got `;`.',
    next: () => 'Omit `;` and put each statement on its own line.',
  },
  unterminated_text: {
    message: (at: { quote: string }) => `Expected a closing \`${at.quote}\`, got the end of the line.`,
    next: (at: { quote: string }) => `Close the text with \`${at.quote}\`.`,
  },
  newline_in_text: {
    message: () => 'Expected quoted text on one line, got a line break inside it.',
    next: () => 'Write multi-line text as a heredoc: `<<TAG`, the lines, and `TAG` alone on the last line.',
  },
  heredoc_untagged: {
    message: () => 'Expected a tag after `<<`, got none.',
    next: () => 'Write `<<TAG` at the end of the line and close with a line that holds only `TAG`.',
  },
  heredoc_opener: {
    message: ({ name }: Named) => `Expected the end of the line after \`<<${name}\`, got more text.`,
    next: ({ name }: Named) => `Start the text on the line after \`<<${name}\`.`,
  },
  unterminated_heredoc: {
    message: ({ name }: Named) =>
      `Expected a line that holds only \`${name}\` to close \`<<${name}\`, got the end of the program.`,
    next: ({ name }: Named) =>
      `Put \`${name}\` on its own line, followed only by \`)\`, \`]\`, \`}\` or \`,\`; the first such line closes.`,
  },
  colon_after_name: {
    message: ({ name, found }: Named & Found) =>
      `Expected \`(\`, \`{\` or \`~\` after \`${name}\`, got \`${found}\`.`,
    next: ({ name }: Named) => `Write \`${name}(id)\` to get one, \`${name}{field=value}\` to list.`,
  },
  get_wrapper: {
    message: ({ name }: Named) => `\`${name}(…)\` is not needed; an entity with an id is a get.`,
    next: () => 'Write the entity alone, as in `Entity(id)`.',
  },
  ellipsis_not_last: {
    message: () => 'Expected nothing after `..`, got another argument.',
    next: () => 'Remove `..`, or put it last.',
  },
  empty_fields: {
    message: ({ found }: Found) => `Expected a field name, got ${found}.`,
    next: () =>
      'Name the fields, as in `[title, author.login]`; for text with fields in it write a template: `rows[a, b] <<T`.',
  },
  page_handle: {
    message: ({ found }: Found) => `Expected a page handle such as \`s0_pg1\`, got ${found}.`,
    next: () => 'Use a handle exactly as an earlier answer printed it.',
  },
  page_argument: {
    message: ({ name }: Named) => `Expected \`limit\` or nothing after the page handle, got \`${name}\`.`,
    next: () => 'Write `page(handle)` or `page(handle, limit=20)`.',
  },
  list_item: {
    message: ({ found }: Found) => `Expected a statement, got the list mark \`${found}\`.`,
    next: () => 'Write each statement on its own line, without a mark.',
  },
  code_fence: {
    message: () => 'Expected a statement, got a code fence.',
    next: () => 'Send the program alone, without Markdown.',
  },
  prose: {
    message: () => 'Expected a statement, got a sentence.',
    next: () => 'Send the program alone, or begin the sentence with `;;`.',
  },
  sql: {
    message: () => 'Expected a program, got SQL.',
    next: () => 'Write `Entity{field=value}.sort(field, desc).limit(5)[field, other]`.',
  },
  lambda: {
    message: ({ name }: Named) => `\`.${name}\` takes no function.`,
    next: () =>
      'Write `rows[field]` for columns, `rows{field=value}` for conditions, `rows => _.method(…)` for a call per row.',
  },
  row_index: {
    message: ({ found }: Found) => `Rows have no index \`${found}\`.`,
    next: () =>
      'Write `.limit(1)` for the first row, `.limit(5)` for the first five; in JSON, name the place: `rows[items.0.name]`.',
  },
  all_columns: {
    message: () => 'Without brackets every column is returned; `[*]` is not needed.',
    next: () => 'Omit `[*]`.',
  },
  column_name: {
    message: ({ found }: Found) => `Expected \`name=field\`, got \`${found}\`.`,
    next: () => 'Write the new name before the field, as in `[label=title]`.',
  },
  joined_text: {
    message: () => 'Texts are not joined with `+`.',
    next: () => 'Write one text in double quotes with the columns in it, as in "by ${x.name}".',
  },
  triple_quotes: {
    message: ({ found }: Found) => `The language has no text in \`${found}\`.`,
    next: () => 'Write text of several lines as `<<TAG`, the lines, and `TAG` alone on the last line.',
  },
  comment_style: {
    message: ({ found }: Found) => `Expected \`;;\` to begin a comment, got \`${found}\`.`,
    next: () => 'Begin comments with `;;`.',
  },
})
