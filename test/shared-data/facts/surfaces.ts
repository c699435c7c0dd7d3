import { changed, held, notApplicable, planned, tested, type Verdicts } from './verdict.ts'

const LEGACY = 'arguments of an older shape are none of ours: our inputs are fixed by our own contract'
const ROWS = 'what is printed is whatever teaches the same in the fewest tokens: our rows have another layout'
const PROSE = 'descriptions are cut by characters when a row is printed, not rewritten'
const LENS =
  'a session is taught every capability that its caller may use: no word of the goal hides one (sharp edge 31)'
const EXPANSION = 'nothing expands symbols in text (sharp edge 2): they are tokens that the resolver looks up'

/** Facts of the areas symbol, gloss, table, intent, discovery and mcp. */
export const SURFACES: Verdicts = {
  'symbol-001': changed(
    EXPANSION,
    tested('language/check/model/names.test.ts', 'an unassigned symbol is unknown'),
  ),
  'symbol-002': changed(
    'sharp edge 27: one p# for each slot of each entity',
    tested('session/reuse.test.ts', 'keeps one meaning for the same name in two catalogs'),
  ),
  'symbol-003': held(tested('session/reuse.test.ts', 'keeps one meaning for the same name in two catalogs')),
  'symbol-004': notApplicable('the fields of union constructors have names and no symbols'),
  'symbol-005': held(tested('session/reuse.test.ts', 'keeps one meaning for the same name in two catalogs')),
  'symbol-007': held(tested('laws/teaching.test.ts', 'never comes to mean something else')),
  'symbol-008': changed(
    EXPANSION,
    tested('language/check/model/names.test.ts', 'methods resolve by label, name and symbol'),
  ),
  ...Object.fromEntries(
    ['symbol-009', 'symbol-010', 'symbol-011', 'symbol-012', 'symbol-013', 'symbol-014', 'symbol-015'].map(
      (id) => [id, notApplicable(EXPANSION)],
    ),
  ),
  'symbol-019': changed(
    LENS,
    tested('engine/context/context.test.ts', 'opens with the ref and one full table'),
  ),
  ...Object.fromEntries(
    ['gloss-002', 'gloss-003', 'gloss-004', 'gloss-005', 'gloss-006'].map((id) => [id, notApplicable(PROSE)]),
  ),
  ...Object.fromEntries(
    ['gloss-007', 'gloss-009', 'gloss-010', 'gloss-011', 'gloss-012'].map((id) => [
      id,
      changed(ROWS, tested('catalog/values/value.test.ts', 'describes types in few words')),
    ]),
  ),
  'table-001': held(tested('laws/teaching.test.ts', "expect(TABLE_HEADER).toBe('plasm_expr\\tMeaning')")),
  'table-003': changed(
    ROWS,
    tested('engine/context/context.test.ts', 'opens with the ref and one full table'),
  ),
  'table-007': held(tested('laws/teaching.test.ts', 'holds every row once, in two cells')),
  ...Object.fromEntries(
    [
      'table-009',
      'table-010',
      'table-011',
      'table-013',
      'table-015',
      'table-016',
      'table-017',
      'table-021',
      'table-023',
    ].map((id) => [id, changed(ROWS, tested('teaching/rows-check.test.ts', 'every taught row checks'))]),
  ),
  'table-012': held(
    planned('overshow_tools', '', { as: () => 'Profile($).recorded_matches', teaching: true }),
  ),
  'table-014': held(tested('language/check/model/names.test.ts', 'an unexposed target suggests a seed')),
  'table-027': changed(
    'sharp edge 30: the grammar stands in the tool description and at its own address, not in the table',
    tested('surfaces/mcp/tools.test.ts', 'teaches the grammar where plans are made'),
  ),
  ...Object.fromEntries(
    ['table-028', 'table-029', 'table-031', 'table-032'].map((id) => [
      id,
      notApplicable(`bytes of another table; ${ROWS}`),
    ]),
  ),
  ...Object.fromEntries(
    ['intent-001', 'intent-003', 'intent-005', 'intent-006'].map((id) => [
      id,
      changed(LENS, tested('engine/context/context.test.ts', 'opens with the ref and one full table')),
    ]),
  ),
  'intent-008': held(tested('engine/context/context.test.ts', 'opens with the ref and one full table')),
  'discovery-001': changed(
    'the answer shows the entities and names the relations between them',
    tested('discovery/discover.test.ts', 'serves every part of a goal'),
  ),
  'discovery-002': notApplicable('discovery has no pick of an entry; `allowed_entry_ids` narrows'),
  'discovery-003': changed(
    'a named catalog goes in front; the others stay in reach',
    tested('discovery/discover.test.ts', 'comes first: %s'),
  ),
  'discovery-006': held(tested('discovery/discover.test.ts', 'stays within the allowed catalogs')),
  'discovery-008': held(tested('discovery/discover.test.ts', 'has a row of its own')),
  'discovery-010': changed(
    'the answer names the relations between its rows; both ends can be picked',
    tested('engine/discover.test.ts', 'what an answer names can be picked: %s'),
  ),
  'discovery-011': held(tested('discovery/discover.test.ts', 'comes first: %s')),
  'discovery-013': held(tested('discovery/discover.test.ts', 'comes first: %s')),
  'discovery-014': held(tested('discovery/discover.test.ts', 'comes first: %s')),
  'discovery-015': changed(
    'a fourth column says how well a row fits',
    tested('discovery/discover.test.ts', 'shows how well each row fits'),
  ),
  'discovery-016': held(tested('discovery/discover.test.ts', 'is the same every time')),
  'discovery-018': held(tested('discovery/discover.test.ts', 'serves every part of a goal')),
  'discovery-019': held(tested('discovery/discover.test.ts', 'lets no description forge a fence')),
  'discovery-022': changed(
    'short words are words',
    tested('discovery/discover.test.ts', 'reads accents and camel case alike'),
  ),
  'mcp-001': held(tested('surfaces/mcp/tools.test.ts', 'asks for arguments in the order of the contract')),
  'mcp-006': notApplicable(LEGACY),
  'mcp-008': notApplicable(LEGACY),
  'mcp-009': held(tested('engine/context/context.test.ts', 'answers the same call with one line')),
  'mcp-011': held(tested('engine/context/context.test.ts', 'gives the same table for any order of seeds')),
  'mcp-012': held(tested('engine/run/run.test.ts', '(3 rows, more there)')),
  'mcp-013': changed(
    'a long answer shows its head rows, its true count, a page handle and a snapshot',
    tested('engine/run/run.test.ts', 'keeps a snapshot of what the text cuts'),
  ),
  'mcp-015': held(tested('engine/run/run.test.ts', 'keeps a snapshot of what the text cuts')),
}
