import { changed, held, notApplicable, parsed, planned, refused, type Verdicts } from './verdict.ts'

const PARSE_ONLY = 'text that is cut by hand has no place here: one tokenizer reads the whole program'

/** Facts of the areas get, query, search, page, relation, method, ref and projection. */
export const SOURCES: Verdicts = {
  'get-003': held(planned('plasm_language_matrix', 'get capability:langitem_get identity:[id="i1"]')),
  'get-005': held(refused('shapes', 'empty_get')),
  'get-006': held(refused('shapes', 'empty_get')),
  'get-008': held(planned('shapes', 'identity:[owner="o", repo="r", n="9"]')),
  'get-010': held(
    planned('shapes', 'repo="r", n="9"]', { as: (program) => `zone = Account(z)[name]\n${program}` }),
  ),
  'get-013': held(
    planned('linear:IssueContext', 'get capability:issue_context_get identity:[issue_identifier="ENG-42"]'),
  ),
  'get-014': held(planned('linear', 'get capability:team_get identity:[key="ENG"]')),
  'get-017': held(planned('jira', 'identity:[id="In Progress"]')),
  'get-018': changed(
    'an id with a slash fills both parts of a key of two, so that what an API prints can be given back',
    planned('google-calendar', 'identity:[calendarId="primary", id="abc123def456"]'),
  ),
  'get-019': changed(
    'our p# are numbered by entity and slot (sharp edge 27), so the numbers differ; a key by its p# is the get',
    planned('pokeapi:Pokemon', 'get capability:pokemon_get identity:[name="pikachu"]', {
      as: () => 'e1(name=pikachu)[name, id]',
    }),
  ),
  'query-001': held(planned('pets', 'Pet query capability:pet_query')),
  'query-002': held(planned('pets', 'query capability:pet_query arguments:[status="available"]')),
  'query-004': held(planned('pets', 'arguments:[status="placed"] filters:[quantity>1]')),
  'query-009': held(planned('pets', 'filters:[name="acme(test)"]')),
  'query-011': held(refused('pets', 'unknown_predicate')),
  'query-012': held(planned('pets', 'filters:[petId.status="available"]')),
  'query-013': held(refused('pets', 'colon_after_name', 'Pet(1)')),
  'query-014': held(refused('pets', 'get_wrapper', 'Pet(1)')),
  'query-018': held(
    planned('shapes', 'arguments:[library={"region":"us-west","code":"shared-shelf"}]', {
      as: (program) => program.replace('e#Book', 'e4').replace('e#Library', 'e7'),
    }),
  ),
  'query-019': held(planned('github', 'arguments:[repository={"owner":"octocat","repo":"Hello-World"}]')),
  'query-021': changed(
    'a hole parses, and only what a table teaches may hold one (sharp edge 35); the query also needs its repository',
    refused('github', 'missing_argument'),
  ),
  'query-022': held(planned('clickup', 'identity:[id="123456789012345678"]')),
  'query-024': held(planned('clickup', 'arguments:[team_id="11111"] filters:[name="Sprint Sandbox"]')),
  'query-025': held(
    planned('clickup', 'query capability:custom_field_query arguments:[team_id="777666555"]'),
  ),
  'query-027': changed(
    'sharp edge 4: a bare value that begins with digits is one token',
    planned('google-calendar', 'timeMin="2024-01-01T00:00:00Z"'),
  ),
  'query-028': held(planned('google-calendar', 'name:start_datetime path:[start_datetime]')),
  'query-029': held(
    planned('jira', 'query capability:project_version_query arguments:[projectIdOrKey="PROJ"]'),
  ),
  'query-030': notApplicable('of a catalog that is not at hand; views are in the facts of get and matrix'),
  'query-032': held(planned('linear', 'get capability:issue_get identity:[identifier="EVA-60"]')),
  'query-034': notApplicable(PARSE_ONLY),
  'query-035': held(
    parsed('{space_id = call Space(number 42); archived = bare "true"}', {
      as: (program) => `E{${program}}`,
    }),
  ),
  'query-037': held(parsed('{k = double "a=b"}', { as: (program) => `E{${program}}` })),
  'query-038': held(planned('any', 'arguments:[a="1"]')),
  'query-040': held(refused('any', 'operator_spelling', 'E{a=1}')),
  'search-002': held(
    planned(
      'github:Issue + linear:Issue',
      'query capability:issue_search arguments:[q="plasm", team_key="ENG"]',
      {
        as: (program) => program.replace('p_team_key', 'team_key'),
      },
    ),
  ),
  'search-003': held(planned('jira', 'arguments:[jql="issuetype=Bug AND status=Open ORDER BY priority"]')),
  'search-004': held(planned('jira', 'arguments:[jql="project=PROJ AND updated >= -7d"]')),
  'search-005': held(planned('any', 'query capability:e_search arguments:[q="bolt hardware"]')),
  'search-006': held(planned('any', 'query capability:e_search')),
  'search-007': changed(
    'a search that needs no words is a method like any other, with parentheses or without',
    planned('any', 'query capability:e_search'),
  ),
  'page-002': held(planned('pets', 'page handle:s0_pg2 limit:50')),
  'page-003': held(planned('pets', 'page handle:s0_pg1')),
  ...Object.fromEntries(
    ['page-004', 'page-005', 'page-006'].map((id) => [
      id,
      held(planned('pets', 'page handle:', { as: (program) => `page(${program})` })),
    ]),
  ),
  'page-007': changed(
    'the form is the one of a handle; a page of another session is refused before anything is called',
    refused('pets', 'foreign_page', undefined, { as: (program) => `page(${program})` }),
  ),
  ...Object.fromEntries(
    ['page-008', 'page-009', 'page-011', 'page-012', 'page-013', 'page-014'].map((id) => [
      id,
      held(refused('pets', 'page_handle', undefined, { as: (program) => `page(${program})` })),
    ]),
  ),
  'page-016': held(planned('pets', 'page handle:s0_pg1')),
  'relation-001': held(planned('pets', 'Pet reference source:n1 field:petId')),
  'relation-003': changed(
    'sharp edge 13: the parent stays in the question',
    planned('pets', 'relation source:n1 relation:tags filters:[name="fluffy"]'),
  ),
  'relation-007': held(planned('pokeapi', 'Pokemon relation source:n1 relation:pokemon')),
  'relation-010': held(planned('clickup', 'Space', { as: () => 'Team(42).space_query' })),
  'relation-011': held(planned('jira', 'Comment relation source:n1 relation:comments')),
  'relation-013': held(planned('jira', 'Changelog relation source:n1 relation:changelog')),
  'relation-014': held(planned('jira', 'RemoteLink relation source:n1 relation:remotelinks')),
  'relation-015': held(planned('jira', 'Transition relation source:n1 relation:transitions')),
  'relation-016': held(planned('jira', 'Component relation source:n1 relation:components')),
  'relation-017': held(planned('google-calendar', 'Event relation source:n1 relation:events')),
  'relation-019': held(refused('pets', 'not_navigable', 'Order(5)[quantity]')),
  'relation-020': held(refused('pets', 'unknown_step')),
  'relation-021': held(refused('shapes', 'no_query')),
  'relation-022': held(planned('overshow_tools', '', { teaching: true })),
  'relation-028': notApplicable(
    'a word of one product inside the language (sharp edge 29): catalogs model relations',
  ),
  'relation-029': held(planned('shapes', 'Child', { as: () => 'Parent(1).children' })),
  'method-004': held(
    planned(
      'clickup',
      'call capability:team_create_space arguments:[team_id="11111", name="Sprint Sandbox"]',
    ),
  ),
  'method-005': held(
    planned(
      'clickup',
      'call capability:team_create_space arguments:[team_id="11111", name="Sprint Sandbox"]',
    ),
  ),
  'method-008': changed(
    'sharp edge 29: no word of one product is kept behind the agent, so `base_token`, of which the template makes a text, is asked for',
    refused('proof', 'missing_argument'),
  ),
  'method-009': held(refused('proof', 'positional_argument')),
  'method-010': held(planned('shapes', 'capability:document_suggest identity:[id="doc"]')),
  'method-011': changed(
    'a constructor is taught inside the row of the method that takes it; alone it is the value of no slot',
    refused('shapes', 'unknown_variant'),
  ),
  'method-012': held(planned('clickup', 'call capability:task_delete identity:[id="8badcafe00000001"]')),
  'method-013': held(planned('clickup', 'call capability:task_delete identity:[id="8badcafe00000001"]')),
  'method-014': held(refused('clickup', 'needs_target')),
  'method-015': held(
    parsed(
      'get ValueRange(spreadsheetId: bare "abc123"; range: bare "Sheet1!A1:C3") call value-range-update()',
    ),
  ),
  'method-017': held(planned('github', 'body="# Issue Comment\\n- [ ] Task 1\\n- [ ] Task 2\\n"]')),
  'method-018': held(
    planned('github', 'issue_number=1, body=n3.content]', {
      as: (program) =>
        `issue = Issue(owner=o, repo=r, number=1)\nbody = issue[title] <<T\nx\nT\n${program
          .replace('e_IssueComment.m#', 'IssueComment.create')
          .replace('e_Repository', 'Repository')
          .replaceAll(/p_/g, '')}`,
    }),
  ),
  'method-019': held(
    planned('github', 'call capability:issue_update identity:[owner="plasm", repo="plasm", number=7]'),
  ),
  'method-020': held(
    planned('shapes', 'call capability:document_comment identity:[id="x"] arguments:[text="hello\\n"]'),
  ),
  'method-021': held(planned('shapes', 'call capability:document_suggest identity:[id="x"]')),
  'method-022': held(refused('shapes', 'positional_argument')),
  'method-023': changed(
    '`..` is a mark of what is taught, where it is allowed at the end; a program must leave it away',
    refused('any', 'ellipsis'),
  ),
  'method-024': held(refused('any', 'ellipsis_not_last', 'E(1).m(a=1)')),
  'method-025': held(refused('rivals', 'ambiguous_method', undefined, { as: () => 'E(1).update(x=1)' })),
  'method-026': held(planned('compound', 'call capability:e_m identity:[k1="a", k2="b"]')),
  'method-027': changed(
    'sharp edge 11: an argument that is given twice is refused',
    refused('any', 'duplicate_argument'),
  ),
  'ref-002': changed(
    'an unbound word is text, as the fact says; but the slot is a choice, and the check tells its options',
    refused('github', 'missing_argument'),
  ),
  'projection-005': held(planned('any', 'E query capability:e_query')),
}
