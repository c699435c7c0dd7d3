import { changed, held, notApplicable, planned, refused, tested, type Verdicts } from './verdict.ts'

const PLAN_JSON =
  'plans are made from programs alone: nobody hands in a plan document, so there is none to refuse; what the fact guards is'
const BY_TYPES = `${PLAN_JSON} a matter of types`

/** Facts of the areas session, plan, runtime, eval. */
export const RUNS: Verdicts = {
  'session-002': held(planned('acme', 'Product query capability:product_query')),
  'session-005': changed(
    'where two catalogs have an entity of one name, the name is ambiguous before its methods are looked at',
    refused('acme + other', 'ambiguous_entity'),
  ),
  'session-006': held(
    planned('other', 'write one Product call capability:product_create arguments:[name="bolt"]'),
  ),
  'session-007': changed(
    'a symbol that was never given is told as such',
    refused('overshow_tools:Profile', 'unknown_symbol'),
  ),
  ...Object.fromEntries(
    [
      'plan-002',
      'plan-003',
      'plan-004',
      'plan-005',
      'plan-006',
      'plan-007',
      'plan-008',
      'plan-010',
      'plan-011',
      'plan-012',
      'plan-013',
      'plan-014',
      'plan-016',
      'plan-018',
      'plan-027',
    ].map((id) => [id, notApplicable(BY_TYPES)]),
  ),
  'plan-001': held(tested('language/plan/planner.test.ts', 'a get alone makes a complete plan')),
  'plan-009': changed(
    'whether a write needs a review is the policy of catalog and caller, never a part of the plan',
    tested('engine/run/run.test.ts', 'is refused without a plan, and sends nothing'),
  ),
  'plan-017': held(tested('language/plan/planner.test.ts', 'identity:[id="c7"]')),
  'plan-021': held(tested('language/plan/planner.test.ts', 'follows relations and references')),
  'plan-025': held(tested('execution/program.test.ts', 'a template that cannot be read calls nothing')),
  'plan-026': notApplicable(`${PLAN_JSON} in the check: a field is projected once`),
  'plan-029': held(tested('execution/program.test.ts', 'a template that cannot be read calls nothing')),
  'plan-030': held(
    tested(
      'language/plan/planner.test.ts',
      'reports data that flows from one catalog into a write of another',
    ),
  ),
  'plan-032': held(
    tested('language/plan/planner.test.ts', 'sends parameters and filters by the other conditions'),
  ),
  'plan-033': changed(
    'a search is a query whose words are an argument',
    tested('language/plan/planner.test.ts', 'a search sends its text'),
  ),
  'plan-035': notApplicable(`${PLAN_JSON} in the check: a relation leads where the catalog says`),
  'plan-036': held(tested('language/plan/planner.test.ts', 'follows relations and references')),
  'plan-037': held(tested('execution/steps/compute.test.ts', 'a singleton proves that there is exactly one')),
  'plan-038': held(
    planned('github:Commit,Repository', 'relation:commits limit:2000', {
      as: () => 'Repository(owner=o, repo=r).commits.limit(2000).aggregate(n=count)',
    }),
  ),
  'plan-039': held(tested('language/check/values/one-row.test.ts', 'many_rows')),
  'plan-041': changed(
    'effects are decided by the capability, and reviewed by policy',
    tested('language/plan/planner.test.ts', 'the body is a call, a get or a query'),
  ),
  'plan-042': changed(
    'effects are decided by the capability, and reviewed by policy',
    tested('language/plan/planner.test.ts', 'the body is a call, a get or a query'),
  ),
  'plan-046': changed(
    'sharp edge 18: a plan for reads alone needs no review',
    tested('engine/run/run.test.ts', 'needs no plan, and takes one'),
  ),
  'plan-048': held(
    tested('language/plan/planner.test.ts', 'body:kind:get capability:customer_get identity:[id=_.id]'),
  ),
  'plan-049': changed(
    'data that no call uses and no API gave is no result: nothing would run',
    refused('any', 'nothing_to_do', undefined, { as: () => 'x = {}\nx' }),
  ),
  'runtime-003': held(
    tested(
      'execution/steps/compute.test.ts',
      'sorts dates by moment, text of numbers by number, and other text by letters',
    ),
  ),
  'runtime-004': held(
    tested('execution/steps/compute.test.ts', 'sorts numbers by size, stably, nothing last'),
  ),
  'runtime-006': held(
    tested('execution/steps/compute.test.ts', 'a singleton proves that there is exactly one'),
  ),
  'runtime-007': held(
    planned('any', 'arguments:[body=n1.content]', {
      as: () => 'workspace_id = "workspace_123"\nE.create(body=workspace_id)',
    }),
  ),
  'runtime-008': held(tested('execution/steps/compute.test.ts', 'text, lists and records are put together')),
  'runtime-012': held(
    planned('any', 'arguments:[body=n', {
      as: () => 'doc = E(1)[name] <<T\nx\nT\nE.create(body=doc.content)',
    }),
  ),
  'runtime-015': held(
    tested(
      'language/plan/planner.test.ts',
      'reports data that flows from one catalog into a write of another',
    ),
  ),
  'runtime-016': changed(
    'sharp edge 20: the column bears the name of the field',
    tested('execution/steps/compute.test.ts', 'groups by a value, under the name of its field'),
  ),
  'runtime-017': changed(
    'sharp edge 21: the average of nothing is null',
    tested('execution/steps/compute.test.ts', 'avg'),
  ),
  'runtime-018': changed(
    'sharp edge 21: dates and text have a least and a greatest',
    tested('execution/steps/compute.test.ts', 'takes the earliest and latest of dates'),
  ),
  'runtime-019': changed(
    'sharp edge 1: aggregates read on, and say where the budget stopped them',
    tested('engine/run/run.test.ts', 'aggregates over every page'),
  ),
  'runtime-020': held(tested('execution/steps/compute.test.ts', 'a filter cannot blow text up')),
  'eval-003': held(planned('linear', 'query capability:issue_search arguments:[q="bug", team_key="ENG"]')),
  'eval-004': held(planned('linear', 'get capability:issue_get identity:[identifier="ENG-42"]')),
  'eval-005': held(planned('linear:IssueContext,Issue,Comment', 'get capability:issue_context_get')),
  'eval-006': held(planned('linear:MyWorkSnapshot,Issue', 'query capability:my_work_query')),
  'eval-007': held(planned('linear', 'query capability:workflow_state_query arguments:[team_key="ENG"]')),
  'eval-008': held(
    planned('linear', 'call capability:issue_create arguments:[team="ENG", title="Sprint task"]'),
  ),
  'eval-009': held(planned('linear', 'call capability:issue_update identity:[identifier=')),
  'eval-010': held(planned('linear', 'call capability:issue_delete identity:[identifier="ENG-42"]')),
  'eval-012': held(planned('linear:IssueNavigationLink', 'get capability:issue_navigation_link_get')),
  'eval-014': held(planned('linear', 'query capability:project_search arguments:[q="Mobile"]')),
  'eval-015': held(planned('linear', 'query capability:document_search arguments:[q="API spec"]')),
  'eval-019': held(planned('linear', 'query capability:issue_search')),
  'eval-020': changed(
    'sharp edge 29: no word of one product is kept behind the agent, so `base_token`, of which the template makes a text, is asked for',
    refused('proof', 'missing_argument'),
  ),
  'eval-023': held(planned('proof', 'call capability:annotation_suggestion_reject identity:[slug="nu"]')),
}
