import { problemsOf } from '../../base/diagnostic.ts'

type Found = { readonly found: string }
type Named = { readonly name: string }

/** What can be wrong with the text of a program, before any catalog is asked. */
export const syntaxProblem = problemsOf({
  program_empty: {
    message: () => 'wanted a program, got nothing to run',
    next: () => 'Send one expression, or bindings and a last line that names what to return.',
  },
  program_too_long: {
    message: (at: { bytes: number; most: number }) =>
      `wanted a program of at most ${at.most} bytes, got ${at.bytes}`,
    next: () => 'Split the work into several programs.',
  },
  too_deep: {
    message: (at: { most: number }) => `wanted at most ${at.most} levels of nesting, got more`,
    next: () => 'Bind the inner parts to labels on lines of their own.',
  },
  no_roots: {
    message: () => 'wanted a last line that says what to return, got only bindings',
    next: () => 'Add a line with the labels to return, separated by commas.',
  },
  keyword: {
    message: ({ name }: Named) => `\`${name}\` is no word of this language`,
    next: ({ name }: Named) =>
      name === 'return'
        ? 'Leave it out: the last line is what the program returns.'
        : name === 'for'
          ? 'For each row write `rows => Entity(_.id).method(…)`, where `_` is the row.'
          : 'Leave it out: `label = expression` binds.',
  },
  reserved_label: {
    message: ({ name }: Named) => `wanted a free label, got the reserved name \`${name}\``,
    next: () => 'Choose another label: not `_`, `page`, `return`, nor `e`, `m` or `p` with a number.',
  },
  label_shape: {
    message: ({ name }: Named) => `wanted a label of letters, digits and \`_\`, got \`${name}\``,
    next: () => 'Rename the label here and where it is used.',
  },
  flattened: {
    message: ({ found }: Found) => `wanted the end of the statement, got \`${found}\` on the same line`,
    next: () => 'Put each binding and the final roots on a line of its own.',
  },
  binding_of_several: {
    message: () => 'wanted one expression after `label =`, got a comma',
    next: () => 'Bind each expression to a label of its own; commas separate roots only.',
  },
  expected_expression: {
    message: ({ found }: Found) => `wanted an expression, got ${found}`,
    next: () => 'Write an entity, a label, a value, or `page(handle)` here.',
  },
  expected_value: {
    message: ({ found }: Found) => `wanted a value, got ${found}`,
    next: () => 'Write a value, or leave the whole entry out.',
  },
  expected_name: {
    message: ({ found }: Found) => `wanted a name, got ${found}`,
    next: () => 'Write a name of letters, digits, `_` and inner `-`.',
  },
  expected_entry: {
    message: ({ found }: Found) => `wanted \`name=value\`, got ${found}`,
    next: () => 'Write `name=value`; put text with commas in double quotes or a heredoc.',
  },
  expected_operator: {
    message: ({ name }: Named) => `wanted an operator after \`${name}\`, got none`,
    next: () => 'Write one of `=`, `!=`, `<`, `<=`, `>`, `>=`, `~` and a value.',
  },
  operator_spelling: {
    message: (at: { found: string; wanted: string }) => `wanted \`${at.wanted}\`, got \`${at.found}\``,
    next: (at: { found: string; wanted: string }) => `Write \`${at.wanted}\`.`,
  },
  and_operator: {
    message: ({ found }: Found) => `wanted \`,\` between conditions, got \`${found}\``,
    next: () => 'Separate conditions with commas: all must hold. Quote the text if it belongs to the value.',
  },
  unexpected: {
    message: (at: { found: string; wanted: string }) => `wanted ${at.wanted}, got ${at.found}`,
    next: () =>
      'Correct the text at this place; text with spaces, commas or brackets is safest in double quotes.',
  },
  later_conditions: {
    message: () => 'wanted conditions right behind an entity or a relation, got braces behind other things',
    next: () =>
      'Put all conditions into one pair of braces where the rows are read, as in `Entity{a=1, b>2}.limit(5)`.',
  },
  missing_comma: {
    message: () => 'wanted `,` between two entries, got none',
    next: () => 'Add the comma.',
  },
  missing_closer: {
    message: (at: { opener: string; closer: string }) =>
      `wanted \`${at.closer}\` for this \`${at.opener}\`, got none`,
    next: (at: { closer: string }) => `Add \`${at.closer}\`.`,
  },
  wrong_closer: {
    message: (at: { found: string; closer: string }) => `wanted \`${at.closer}\`, got \`${at.found}\``,
    next: (at: { closer: string }) => `Write \`${at.closer}\`.`,
  },
  extra_closer: {
    message: ({ found }: Found) => `wanted the end of the statement, got \`${found}\` that closes nothing`,
    next: () => 'Remove it.',
  },
  semicolon: {
    message: () => 'wanted a line break to end the statement, got `;`',
    next: () => 'Leave `;` out and put each statement on a line of its own.',
  },
  unterminated_text: {
    message: (at: { quote: string }) => `wanted a closing \`${at.quote}\`, got the end of the line`,
    next: (at: { quote: string }) => `Close the text with \`${at.quote}\`.`,
  },
  newline_in_text: {
    message: () => 'wanted quoted text on one line, got a line break inside it',
    next: () => 'Write text of several lines as a heredoc: `<<TAG`, the lines, and `TAG` alone on the last.',
  },
  heredoc_untagged: {
    message: () => 'wanted a tag after `<<`, got none',
    next: () => 'Write `<<TAG` at the end of the line and close with a line that holds only `TAG`.',
  },
  heredoc_opener: {
    message: ({ name }: Named) => `wanted the end of the line after \`<<${name}\`, got more text`,
    next: ({ name }: Named) => `Start the text on the line after \`<<${name}\`.`,
  },
  unterminated_heredoc: {
    message: ({ name }: Named) =>
      `wanted a line that holds only \`${name}\` to close \`<<${name}\`, got the end of the program`,
    next: ({ name }: Named) =>
      `Put \`${name}\` on a line of its own, followed by nothing but \`)\`, \`]\`, \`}\` or \`,\`; the first such line closes.`,
  },
  colon_after_name: {
    message: ({ name }: Named) => `wanted \`(\`, \`{\` or \`~\` after \`${name}\`, got \`:\``,
    next: ({ name }: Named) => `Write \`${name}(id)\` to get one, \`${name}{field=value}\` to list.`,
  },
  get_wrapper: {
    message: ({ name }: Named) => `\`${name}(…)\` is not needed: an entity with an id is the get`,
    next: () => 'Write the entity alone, as in `Entity(id)`.',
  },
  ellipsis_not_last: {
    message: () => 'wanted nothing after `..`, got another argument',
    next: () => 'Remove `..`, or put it last where a table teaches.',
  },
  empty_fields: {
    message: ({ found }: Found) => `wanted a field name, got ${found}`,
    next: () => 'Name the fields, as in `[title, author.login]`.',
  },
  page_handle: {
    message: ({ found }: Found) => `wanted a page handle such as \`s0_pg1\`, got ${found}`,
    next: () => 'Use a handle exactly as an earlier answer printed it.',
  },
  page_argument: {
    message: ({ name }: Named) => `wanted \`limit\` or nothing after the page handle, got \`${name}\``,
    next: () => 'Write `page(handle)` or `page(handle, limit=20)`.',
  },
  comment_style: {
    message: ({ found }: Found) => `wanted \`;;\` to begin a comment, got \`${found}\``,
    next: () => 'Begin comments with `;;`.',
  },
})
