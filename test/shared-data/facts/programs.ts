import { changed, held, parsed, planned, refused, unparsed, type Verdicts } from './verdict.ts'

/** Facts of the areas render, heredoc, postfix and program. */
export const PROGRAMS: Verdicts = {
  'heredoc-006': held(parsed('heredoc "before\\nT\\nafter\\n"', { as: (program) => `x = ${program}\nx` })),
  'heredoc-008': held(parsed('heredoc "x\\n"', { as: (program) => `E.m(a=${program}` })),
  'heredoc-009': held(parsed('heredoc "x\\n"', { as: (program) => `E.m(u1{a=${program}` })),
  'heredoc-013': held(unparsed('heredoc_untagged')),
  ...Object.fromEntries(
    ['heredoc-015', 'heredoc-016', 'heredoc-017', 'heredoc-018'].map((id) => [
      id,
      held(
        parsed('heredoc "x\\n"', {
          as: (close) => {
            const inner = close.replace('TAG', '').trim()
            const open: Record<string, string> = { ')': '(a=', '})': '(u1{a=', '],': '(a=[', '} )': '(u1{a=' }
            return `E.m${open[inner] ?? ''}<<TAG\nx\n${close}${inner === '],' ? '\n b=1)' : ''}`
          },
        }),
      ),
    ]),
  ),
  'heredoc-023': held(unparsed('heredoc_opener')),
  'heredoc-026': held(parsed('report_doc := name e3 call m19(p12: heredoc')),
  'postfix-001': held(
    parsed('query e1{p4 = call e2(owner: double "x"; repo: double "y")} call limit(number 20)'),
  ),
  'postfix-003': held(parsed('name a call sort(bare "x") call limit(number 3)')),
  'postfix-005': held(parsed('call limit(number 10) project [commits.author.login sha]')),
  'render-001': held(parsed('name repo project [p1 p2] template heredoc "line one\\n"')),
  'render-002': held(parsed('name e3 call m12(p76: heredoc "x\\n")')),
  'render-003': held(unparsed('unterminated_heredoc')),
  'render-005': changed('a bracket that closes nothing is told, with its repair', unparsed('extra_closer')),
  'render-007': held(
    parsed('name commits call limit(number 20) project [sha message] template heredoc "one\\n"'),
  ),
  'program-001': held(parsed('query e1{p4 = bare "repo"} call limit(number 20)')),
  'program-002': held(parsed('name commits call sort(bare "date"; bare "desc") call limit(number 10)')),
  'program-005': held(parsed('repo := name x', { as: (program) => `${program}\nrepo` })),
  'program-006': held(parsed('each <name src> <get Effect(bare "x")>')),
  'program-007': held(parsed('each <each <name a> <name b>> <name c>')),
  'program-009': held(unparsed('reserved_label')),
  'program-010': held(parsed('a := name E')),
  'program-011': changed(
    'sharp edge 3: a comment begins outside of text only',
    planned('any', 'filters:[name="a;;b"]'),
  ),
  'program-012': changed(
    'sharp edge 6: an arrow needs no label in front of it',
    planned('any', 'each source:n1 body:kind:call capability:e_m identity:[id="1"] arguments:[a=_.x]'),
  ),
  'program-014': held(planned('any', 'filters:[score>=1]')),
  'program-015': changed(
    'sharp edge 6: an apostrophe inside a word is a letter',
    planned('any', 'filters:[name="it\'s"]'),
  ),
}

/** Facts of the area matrix: one program a feature. */
export const MATRIX: Verdicts = {
  'matrix-001': held(planned('plasm_language_matrix', 'LangItem query capability:langitem_query')),
  'matrix-002': held(planned('plasm_language_matrix', 'query capability:langitem_query limit:2')),
  'matrix-003': held(
    planned('plasm_language_matrix', 'n1 items: read many LangItem query capability:langitem_query limit:3'),
  ),
  'matrix-005': held(planned('plasm_language_matrix', 'get capability:langitem_get identity:[id="i1"]')),
  'matrix-006': held(
    planned('plasm_language_matrix', 'query capability:langitem_query_owner arguments:[owner="alice"]'),
  ),
  'matrix-011': held(planned('plasm_language_matrix', 'aggregate source:n1 columns:[name:n function:count]')),
  'matrix-012': held(planned('plasm_language_matrix', 'columns:[name:count function:count]')),
  'matrix-013': held(planned('plasm_language_matrix', 'columns:[name:t function:sum path:[score]]')),
  'matrix-014': changed(
    'sharp edge 20: the column bears the name of the field',
    planned('plasm_language_matrix', 'by:[name:owner path:[owner]] columns:[name:n function:count]'),
  ),
  'matrix-015': held(
    planned('plasm_language_matrix', 'project source:n2 columns:[name:id path:[id], name:note path:[note]]'),
  ),
  'matrix-016': changed(
    'sharp edge 17: a singleton proves that there is one row',
    planned('plasm_language_matrix', 'n2: pure one LangItem singleton source:n1'),
  ),
  'matrix-017': held(planned('plasm_language_matrix', 'LangTag relation source:n1 relation:tags')),
  'matrix-022': held(
    planned('plasm_language_matrix', 'n2 tags: read many LangTag relation source:n1 relation:tags'),
  ),
  'matrix-023': held(planned('plasm_language_matrix', 'arguments:[owner="alice"] limit:1')),
  'matrix-024': held(planned('plasm_language_matrix', 'n2 tags: read many LangTag relation source:n1')),
  'matrix-025': held(
    planned('plasm_language_matrix', 'n3 detail: read one LangDetail relation source:n2 relation:detail'),
  ),
  'matrix-026': held(
    planned(
      'plasm_language_matrix',
      'write one LangItem call capability:langitem_create arguments:[title="MatrixCreated", score=7',
    ),
  ),
  'matrix-027': held(planned('plasm_language_matrix', 'call capability:langitem_update identity:[id="i1"]')),
  'matrix-029': held(planned('plasm_language_matrix', 'call capability:langitem_delete identity:[id="i2"]')),
  'matrix-030': held(
    planned(
      'plasm_language_matrix',
      'body:kind:call capability:langitem_update identity:[id="i1"] arguments:[score=3, title=_.title, owner=_.owner]',
    ),
  ),
  'matrix-031': held(planned('plasm_language_matrix', 'LangSummary relation source:n1 relation:summary')),
  'matrix-032': held(
    planned('plasm_language_matrix:LangItem', 'query capability:langitem_query pageSize:10'),
  ),
  'matrix-033': held(planned('plasm_language_matrix_views', 'LangDigest query capability:lang_digest_query')),
  'matrix-035': held(planned('plasm_language_matrix_views', 'LangDigest query capability:lang_digest_query')),
  'matrix-037': held(
    planned('plasm_language_matrix_views', 'LangItem relation source:n1 relation:self_via_bindings'),
  ),
  'matrix-038': held(planned('plasm_language_matrix_views', 'query capability:lang_triage_context_query')),
  'matrix-039': held(planned('plasm_language_matrix_views', 'query capability:lang_owner_filter_demo_query')),
}

const HUB = 'github:Commit,Repository,User'
/** Our p# are by entity and slot, so facts that write `p_slot` are read with the wire name. */
const withWireNames = (program: string) => program.replaceAll(/p_(?:Repository_|Commit_)?/g, '')

/** Facts of the area dag: whole programs. */
export const DAG: Verdicts = {
  'dag-001': held(
    planned('plasm_language_matrix', 'LangLine get capability:langline_get identity:[id="L1"]'),
  ),
  'dag-002': held(planned('plasm_language_matrix', 'LangSummary relation source:n1 relation:summary')),
  'dag-003': held(planned(HUB, 'n4 author: read one User relation source:n3 relation:author')),
  'dag-007': held(
    planned('linear', 'query capability:issue_search arguments:[team_key="ENG", state_name="Todo"]'),
  ),
  'dag-008': held(planned('plasm_language_matrix:LangItem', 'pageSize:100')),
  'dag-010': held(
    refused(
      'plasm_language_matrix',
      'flattened',
      'item = LangItem("i1")\nLangItem.sort(score, desc).limit(2)',
    ),
  ),
  'dag-011': held(refused('plasm_language_matrix', 'flattened')),
  'dag-012': held(unparsed('newline_in_text')),
  'dag-013': held(refused('plasm_language_matrix', 'heredoc_opener')),
  'dag-014': changed(
    'data that nothing uses is no step of the plan',
    planned('plasm_language_matrix', 'n2: read one LangLine get'),
  ),
  'dag-017': changed(
    'a limit right behind a read is part of the read (sharp edge 1): three steps, the same rows',
    planned(HUB, 'n2 limited: read many Commit relation source:n1 relation:commits limit:20'),
  ),
  'dag-018': changed(
    'sharp edge 17: a singleton proves that there is one row',
    planned(HUB, 'n3 one: pure one Commit singleton source:n2'),
  ),
  'dag-019': changed(
    'a page size says how to read, not what: behind a limit there is no page to size',
    refused(HUB, 'page_size_place'),
  ),
  'dag-020': held(planned(HUB, 'n5 mail: pure one render source:n4 columns:[sha] template:x')),
  'dag-021': held(refused(HUB, 'content_root')),
  'dag-022': changed(
    'a loop calls something for each row: columns are picked with brackets',
    refused(HUB, 'empty_loop'),
  ),
  'dag-023': held(
    planned(HUB, 'columns:[name:sha path:[sha], name:message path:[message]]', { as: withWireNames }),
  ),
  'dag-028': held(planned(HUB, 'render source:n2 columns:[owner, repo, sha, message')),
  'dag-030': changed(
    'sharp edge 19: rendered text is a row with `content`, so its column is known',
    planned(HUB, 'columns:[content] template:y', { as: withWireNames }),
  ),
  'dag-032': held(refused(HUB, 'unknown_step', undefined, { as: (program) => `${program}\nbad` })),
  'dag-033': changed(
    'a limit right behind a read is part of the read',
    planned(HUB, 'relation:commits limit:2'),
  ),
  'dag-034': changed(
    'a limit right behind a read is part of the read',
    planned(HUB, 'relation:commits limit:2'),
  ),
  'dag-035': held(
    planned('any', 'columns:[name:n function:count]', { as: (args) => `E.aggregate(${args})` }),
  ),
  'dag-036': held(
    planned('any', 'columns:[name:count function:count]', { as: (args) => `E.aggregate(${args})` }),
  ),
  'dag-037': held(
    planned('any', 'columns:[name:count function:count]', { as: (args) => `E.aggregate(${args})` }),
  ),
  'dag-038': held(refused('any', 'unnamed_aggregate', undefined, { as: (args) => `E.aggregate(${args})` })),
  'dag-039': held(
    planned('any', 'by:[name:owner path:[owner]] columns:[name:n function:count]', {
      as: (tail) => `E${tail}`,
    }),
  ),
  'dag-040': held(refused('any', 'unknown_direction', undefined, { as: (tail) => `E${tail}` })),
  'dag-041': held(planned('any', 'descending:false', { as: (tail) => `E${tail}` })),
  'dag-043': held(refused(HUB, 'unknown_field', undefined, { as: withWireNames })),
  'dag-046': held(refused(HUB, 'unknown_field')),
  'dag-048': held(planned(HUB, 'columns:[name:message path:[message]]')),
  'dag-049': held(planned(HUB, 'columns:[name:sha path:[sha], name:message path:[message]]')),
  'dag-050': held(planned(HUB, 'name:total_changes path:[total_changes]')),
  'dag-052': held(planned('plasm_language_matrix', 'n3 detail: read one LangDetail relation source:n2')),
  'dag-053': held(
    planned(
      'plasm_language_matrix',
      'each source:n1 body:kind:call capability:langitem_create arguments:[title="row ${_.title}',
    ),
  ),
  'dag-054': held(planned('plasm_language_matrix', 'arguments:[title="${n1.content}')),
  'dag-057': changed(
    'sharp edge 8: several lines of roots are all roots',
    planned('any', 'n2: read many F query'),
  ),
  'dag-058': changed(
    'a loop calls something for each row: columns are picked with brackets',
    refused('any', 'empty_loop', undefined, { as: (program) => `items = E\n${program}` }),
  ),
  'dag-059': changed(
    'data that no call uses and no API gave is no result: nothing would run',
    refused('any', 'nothing_to_do'),
  ),
  'dag-063': changed(
    'sharp edge 7: a row may be read for each row',
    planned('any', 'F relation source:n2 relation:rel'),
  ),
  'dag-064': changed(
    'sharp edge 7: any expression may stand before `=>`',
    planned('any', 'each source:n1 body:kind:call capability:e_update', {
      as: (program) => program.replace('_.b', '_.b'),
    }),
  ),
  'dag-065': changed(
    'sharp edge 24: only bound labels and `_` are references inside text',
    planned('any', 'arguments:[body="echo ${HOME}\\n"]'),
  ),
}
