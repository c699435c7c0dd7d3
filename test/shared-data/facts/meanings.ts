import {
  changed,
  held,
  notApplicable,
  parsed,
  planned,
  refused,
  tested,
  unparsed,
  value,
  type Verdicts,
} from './verdict.ts'

const PHRASE = 'unquoted text up to the next comma is a phrase, and this one is whole'

/** Facts of the areas typecheck, resolve, correct, errtext, temporal, string, entityref, cross, normalize, value and coerce. */
export const MEANINGS: Verdicts = {
  'typecheck-001': held(planned('shapes', 'filters:[region="EMEA", revenue>1000]')),
  'typecheck-002': held(refused('shapes', 'unknown_predicate')),
  'typecheck-005': notApplicable('there is no spelling for `exists`; relations are walked, not asked for'),
  'typecheck-006': held(planned('shapes', '', { teaching: true })),
  'typecheck-007': held(refused('shapes', 'placeholder')),
  'typecheck-010': held(refused('shapes', 'value_mismatch')),
  'typecheck-011': changed(
    'an unquoted `true` in a slot of text is that text: there is no boolean literal before the slot is known',
    planned('shapes', 'arguments:[q="true"]', { as: () => 'Message{q=true}' }),
  ),
  'typecheck-013': held(
    planned('shapes', 'Visit query capability:visit_query arguments:[pet_ref=', {
      as: () => 'one = Visit(v).pet_ref\nVisit{pet_ref=one}',
    }),
  ),
  'typecheck-014': changed(
    'an unquoted `true` is an id like any other word where the key is text; a reference to a number refuses it',
    tested('catalog/values/value.test.ts', 'an id takes the type of the key'),
  ),
  'typecheck-015': changed(
    'a constructor is checked in the slot that takes it; alone it is the value of none',
    refused('proof', 'unknown_variant'),
  ),
  'typecheck-017': held(refused('proof', 'unknown_variant')),
  'typecheck-019': held(
    tested('catalog/values/value.test.ts', 'a form is chosen by its tag, name or symbol'),
  ),
  'typecheck-020': held(tested('execution/http/request/build.test.ts', "wireElementKey: 'text'")),
  'resolve-001': held(planned('clickup', 'query capability:task_query')),
  'resolve-002': held(planned('clickup', 'query capability:list_task_query')),
  'resolve-005': held(planned('slack', 'query capability:channel_history')),
  'correct-002': changed(
    'nothing is rewritten behind the caller: the check says which parameters there are',
    refused('clickup', 'unknown_predicate'),
  ),
  'correct-004': held(refused('clickup', 'unknown_predicate')),
  'errtext-002': held(refused('shapes', 'no_query', undefined, { as: () => 'Parent' })),
  'errtext-003': notApplicable(
    'messages show names as the caller wrote them, and symbols where those are shorter',
  ),
  'errtext-005': changed(PHRASE, parsed('(description: bare "## Scope"; x: number 1)')),
  'errtext-006': changed(PHRASE, parsed('(description: bare "## Scope"; x: number 1)')),
  'errtext-008': held(unparsed('heredoc_untagged')),
  'errtext-009': held(refused('pets', 'unknown_entity', 'Pet{}')),
  'errtext-010': held(refused('pets', 'unknown_predicate', undefined, { as: () => 'Pet{list_id=1}' })),
  'errtext-011': held(refused('any', 'placeholder', undefined, { as: () => 'E{name=$}' })),
  'errtext-012': held(
    refused('any', 'which_column', undefined, {
      as: () => 'r = E.aggregate(n=count, m=max(score))\nE(2).update(x=r)',
    }),
  ),
  'errtext-013': changed(
    'sharp edge 33: a relation that cannot be walked is not offered',
    refused('gmail', 'unknown_step'),
  ),
  'errtext-014': changed(
    'an id may be a phrase: the blank belongs to it, as in a title',
    planned('clickup', 'identity:[id="123 456"]'),
  ),
  'errtext-015': held(refused('clickup', 'unknown_predicate')),
  'errtext-017': held(refused('pets', 'unknown_step')),
  'errtext-018': held(refused('pets', 'unknown_step')),
  'errtext-019': held(refused('clickup', 'unknown_step')),
  'errtext-020': held(refused('pets', 'not_an_option')),
  'temporal-003': held(
    tested('catalog/values/value.test.ts', 'words count from now, days from midnight UTC'),
  ),
  'temporal-007': held(
    tested('catalog/values/value.test.ts', 'words count from now, days from midnight UTC'),
  ),
  'temporal-008': held(
    tested('catalog/values/value.test.ts', 'words count from now, days from midnight UTC'),
  ),
  'temporal-009': held(tested('catalog/values/value.test.ts', 'words stay words if the time is unknown')),
  'temporal-013': held(
    tested('catalog/values/value.test.ts', 'words count from now, days from midnight UTC'),
  ),
  'temporal-015': held(planned('clickup', 'due_date="next-week"')),
  'string-002': held(parsed('(a: double "A")', { as: (text) => `E.m(a="${text}")` })),
  'string-003': changed(
    'sharp edge 5: escapes are those of JSON, in every quoted text, when it is read',
    parsed('(a: double "line1\\n\\nline2")', { as: () => 'E.m(a="line1\\n\\nline2")' }),
  ),
  'string-004': changed(
    'sharp edge 5: escapes are those of JSON, in every quoted text',
    parsed('(a: double "a\\nb")', { as: () => 'E.m(a="a\\nb")' }),
  ),
  'string-006': held(tested('language/check/values/values.test.ts', '${HOME} $$5')),
  'string-008': held(tested('language/check/values/values.test.ts', '${c.name}')),
  'string-010': held(tested('language/check/values/values.test.ts', '$$5')),
  'string-011': changed(
    'sharp edge 24: `${name}` of no label is text',
    planned('any', 'arguments:[body="${missing}"]', { as: (text) => `E.create(body="${text}")` }),
  ),
  'entityref-001': held(tested('catalog/values/value.test.ts', 'a row that holds the key is its identity')),
  'entityref-003': held(
    tested('catalog/values/value.test.ts', 'null, lists and rows without the key are none'),
  ),
  'entityref-007': held(tested('catalog/values/value.test.ts', 'a row that holds the key is its identity')),
  'cross-001': held(planned('pets', 'filters:[petId.status="available"]')),
  'cross-002': held(planned('pets', 'filters:[petId.status="available"]')),
  'cross-003': held(planned('pets', 'filters:[quantity>1, petId.status="available"]')),
  'cross-004': held(planned('pets', 'filters:[petId.status="available"]')),
  'cross-005': changed('a dotted name that leads nowhere is told', refused('pets', 'unknown_predicate')),
  ...Object.fromEntries(
    ['normalize-001', 'normalize-002', 'normalize-004', 'normalize-006', 'normalize-007'].map((id) => [
      id,
      notApplicable(
        'conditions are one flat list, all of which hold: there is no tree of and, or and not to normalise',
      ),
    ]),
  ),
  'value-001': held(value('double "a\\"b"')),
  'value-002': held(value('single "it is"')),
  'value-003': changed('sharp edge 5: a line break is written `\\n`, as in JSON', value('double "a\\nb"')),
  'value-004': held(unparsed('unterminated_text', { as: (text) => `x = ${text}` })),
  'value-005': held(unparsed('unterminated_text', { as: (text) => `x = ${text}` })),
  'value-009': changed('sharp edge 4: a bare value is one token', value('bare "-7d"')),
  'value-011': held(value('bare "8badcafe00000001"')),
  'value-014': changed('sharp edge 4: a bare value is one token', value('bare "12:30"')),
  'value-016': changed('sharp edge 34: a number keeps its digits', value('number 99999999999999999999')),
  'value-017': held(value('bare "550e8400-e29b-41d4-a716-446655440000"')),
  'value-018': held(value('bare "ENG-42"')),
  'value-019': held(value('bare "Sheet1!A1:C3"')),
  'value-020': held(value('bare "https://x.y/z?a=1&b=2"')),
  'value-021': held(value('bare "a b"')),
  'value-022': held(value('bare "true"')),
  'value-023': held(value('bare "null"')),
  'value-024': held(value('bare "now"')),
  'value-026': held(planned('shapes', 'data={"a":1}', { as: () => 'Message{data={"a":1}}' })),
  'value-027': held(value('bare "## Scope"')),
  'value-028': held(refused('any', 'positional_argument', undefined, { as: () => 'E(1).m(a=a, b)' })),
  'value-029': held(value('[number 1; [number 2; number 3]]')),
  'value-032': held(
    refused('shapes', 'duplicate_argument', undefined, {
      as: () => 'Document(d).suggest(v111{content=1,content=2})',
    }),
  ),
  'value-034': held(unparsed('heredoc_untagged', { as: () => 'E.m(a=<<\nx\n)' })),
  'coerce-003': held(planned('shapes', 'arguments:[count=10]', { as: () => 'Message{count="10"}' })),
  'coerce-004': held(planned('shapes', 'arguments:[count=3]', { as: () => 'Message{count=3.0}' })),
  'coerce-006': held(planned('shapes', 'arguments:[number=5]', { as: () => 'Message{number=5}' })),
  'coerce-008': changed(
    'the check refuses it at once',
    refused('shapes', 'value_mismatch', undefined, { as: () => 'Message{includeSpamTrash=yes}' }),
  ),
  'coerce-009': held(planned('shapes', 'arguments:[ids=["x"]]', { as: () => 'Message{ids=x}' })),
  'coerce-013': changed(
    'a date without a stated form is sent as RFC 3339, the commonest one',
    planned('shapes', 'arguments:[since="2024-01-31T00:00:00Z"]', { as: () => 'Message{since=2024-01-31}' }),
  ),
}
