import { type Caller, visibilityOf } from '../../access/caller.ts'
import { allows } from '../../access/scope.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { nearest, related } from '../../base/suggest.ts'
import { isVisible } from '../../catalog/uses.ts'
import { type CatalogSet, findApi, indexOf } from '../../catalog/lookup.ts'
import { readIntent, readRef, type Ref } from '../../session/identity.ts'
import type { CatalogPick } from '../../session/record.ts'
import { contextInput } from '../contract.ts'
import { readArguments } from '../arguments.ts'
import type { EngineCall } from '../call.ts'
import { problem as discoveryProblem } from '../../discovery/problems.ts'
import { engineProblem } from '../problems.ts'
import { withoutPlace } from '../session/admit.ts'

/** What the caller can still see of earlier tables: the number of the last entity symbol, 0 for nothing. */
type Have = number

/** The arguments of a valid `plasm_context` call. */
export interface ContextRequest {
  readonly intent?: string
  readonly ref?: { readonly ref: Ref; readonly text: string }
  readonly forkOf?: { readonly ref: Ref; readonly text: string }
  /** One a catalog; catalogs and entities in code-unit order, each once. Empty only beside `have`. Without `intent` and `ref` they identify the session. */
  readonly picks: readonly CatalogPick[]
  readonly have?: Have
}

/** Who asks, of which catalogs, and what the request may hold. */
interface Reader extends Pick<EngineCall, 'scope'> {
  readonly caller: Caller
  readonly set: CatalogSet
  readonly seedsPerCall: number
  readonly withoutIntent: boolean
}

/** Reads the arguments against the catalogs that the caller may see. Gives every problem at once. */
export function readContextRequest(input: unknown, by: Reader): Result<ContextRequest> {
  const parsed = readArguments(contextInput, input)
  if (!parsed.ok) return parsed
  const {
    intent: rawIntent,
    logical_session_ref: rawRef,
    seeds,
    have: rawHave,
    fork_of: rawFork,
  } = parsed.value
  const problems: Problem[] = []

  const intent = rawIntent === undefined ? undefined : readIntent(rawIntent)
  if (intent && 'wrong' in intent) problems.push(engineProblem('bad_intent', intent, { path: 'intent' }))
  const ref = readRefArgument(rawRef, 'logical_session_ref', problems)
  const forkOf = readRefArgument(rawFork, 'fork_of', problems)
  const isNameless = rawIntent === undefined && rawRef === undefined
  // A fork has the seeds of its parent: without an intent both would have one address.
  if (isNameless && (!by.withoutIntent || rawFork !== undefined)) {
    problems.push(engineProblem('missing_intent', {}))
  }

  const have = rawHave === undefined ? undefined : readHave(rawHave, problems)
  const picks = readSeeds(seeds ?? [], by, problems)
  if (
    (seeds === undefined || seeds.length === 0) &&
    ((rawHave === undefined && rawFork === undefined) || seeds !== undefined)
  ) {
    problems.push(engineProblem('missing_seeds', {}, { path: 'seeds' }))
  }
  if (problems.length > 0) return failed(problems)
  return ok({
    picks,
    ...(intent && 'intent' in intent && { intent: intent.intent }),
    ...(ref && { ref }),
    ...(forkOf && { forkOf }),
    ...(have !== undefined && { have }),
  })
}

function readRefArgument(raw: string | undefined, path: string, problems: Problem[]) {
  if (raw === undefined) return undefined
  const ref = readRef(raw)
  if (!ref) problems.push(engineProblem('bad_ref', { ref: raw.slice(0, 40) }, { path }))
  return ref && { ref, text: raw.trim() }
}

function readHave(raw: string, problems: Problem[]): Have | undefined {
  const text = raw.trim()
  if (text === 'none') return 0
  const symbol = /^e([1-9]\d{0,8})$/.exec(text)
  if (symbol) return Number(symbol[1])
  problems.push(engineProblem('bad_have', { have: text.slice(0, 40) }, { path: 'have' }))
  return undefined
}

type Seed = NonNullable<(typeof contextInput)['_output']['seeds']>[number]

function readSeeds(seeds: readonly Seed[], by: Reader, problems: Problem[]): CatalogPick[] {
  if (seeds.length > by.seedsPerCall) {
    const params = { given: seeds.length, most: by.seedsPerCall }
    problems.push(engineProblem('too_many_seeds', params, { path: 'seeds' }))
    return []
  }
  const picks = new Map<string, { catalog: string; digest: string; lens: 'all'; entities: string[] }>()
  seeds.forEach((seed, index) => {
    const found = readSeed(seed, index, by, problems)
    if (!found) return
    const { catalog, digest, entity } = found
    const pick = picks.get(catalog)
    if (!pick) picks.set(catalog, { catalog, digest, lens: 'all', entities: [entity] })
    else if (!pick.entities.includes(entity)) pick.entities.push(entity)
  })
  return [...picks.values()]
    .map((pick) => ({ ...pick, entities: pick.entities.toSorted() }))
    .toSorted((a, b) => (a.catalog < b.catalog ? -1 : 1))
}

function readSeed(seed: Seed, index: number, { caller, scope, set }: Reader, problems: Problem[]) {
  const path = (argument = '') => `seeds[${index}]${argument}`
  const [api = '', other = api] = [seed.api, seed.entry_id].flatMap((name) => name?.trim() || [])
  const entity = seed.entity.trim()
  if (api === '' || entity === '') {
    problems.push(engineProblem('empty_seed', {}, { path: path() }))
    return undefined
  }
  const answer = findApi(set, api, caller.mayUseCatalog)
  if ('ambiguous' in answer) {
    problems.push(engineProblem('ambiguous_api', { api, options: answer.ambiguous }, { path: path('.api') }))
    return undefined
  }
  if ('known' in answer) {
    const unread = set.unread?.get(api)
    if (unread && caller.mayUseCatalog(api) && allows(scope, { id: api, ...unread })) {
      problems.push(
        engineProblem('api_unavailable', { api, reason: unread.problem.message }, { path: path('.api') }),
      )
      return undefined
    }
    const close = nearest(api, answer.known)
    problems.push(
      discoveryProblem('unknown_api', { api, nearest: close }, { path: path('.api'), nearest: close }),
    )
    return undefined
  }
  const { catalog, digest } = answer.found
  const same = other === api ? answer : findApi(set, other, caller.mayUseCatalog)
  if (!('found' in same) || same.found !== answer.found) {
    problems.push(engineProblem('two_apis', { api, other }, { path: path() }))
    return undefined
  }
  const placeless = withoutPlace(scope, catalog)
  if (placeless) {
    if (!problems.some(({ message }) => message === placeless.message)) problems.push(placeless)
    return undefined
  }
  const rights = visibilityOf(caller)
  const sees = (name: string) => isVisible(catalog, name, rights.allows)
  const named =
    indexOf(catalog).entities.get(entity) ??
    catalog.entities.find(({ name, aliases }) => aliases.includes(entity) && sees(name))
  if (named && sees(named.name)) return { catalog: catalog.id, digest, entity: named.name }
  const close = related(entity, catalog.entities.map(({ name }) => name).filter(sees))
  problems.push(
    engineProblem(
      'unknown_seed',
      { api: catalog.id, entity, nearest: close },
      { path: path('.entity'), nearest: close },
    ),
  )
  return undefined
}
