import type { Caller } from '../access/caller.ts'
import { type EngineCall, callOf, type Memory } from './call.ts'
import { Repeats } from './memory/repeats.ts'
import { Sentences } from './memory/sentences.ts'
import type { ApiCall, CallOptions, Gateway, Reply } from './contract.ts'
import type { Parts } from './parts.ts'
import { passingProblem } from './passing.ts'
import { Deliveries } from './memory/deliveries.ts'
import { Models } from './memory/models.ts'
import { RunPlaces } from './memory/run-places.ts'
import { Unrecorded } from './memory/unrecorded.ts'
import { SessionCatalogs } from './session/own-catalogs.ts'
import { prepared } from './discover.ts'
import { place } from './place.ts'
import { refuse } from './reply/answer.ts'
import { type EventFacts, RequestWatch } from './watch/events.ts'

/** One request as the gateway hands it over. */
interface Work<Answer> {
  readonly name: keyof Gateway
  /** Its `workspace` is read here, before the work reads the rest. */
  readonly input?: unknown
  readonly options?: CallOptions | undefined
  readonly work: (call: EngineCall) => Promise<Reply<Answer>>
  /** What of the answer its event counts. */
  readonly counts?: (facts: Answer) => EventFacts
  /** Receives the calls to APIs. */
  readonly progress?: ((call: ApiCall) => void) | undefined
}

/** Whose turn it is when no principal asked for the work. */
const OWN_WORK = ''

/**
 * The path of every request, in one place: a long-lived caller gets its current rights, the workspace of the call is
 * resolved and narrows them, the work gets an `EngineCall` whose API calls are reported, and the end of the request is reported.
 */
export class Pipeline {
  readonly #parts: Parts
  readonly #memory: Memory
  readonly #catalogs: SessionCatalogs
  readonly #runs = new Set<Promise<unknown>>()
  #requests = 0

  constructor(parts: Parts) {
    this.#parts = parts
    const models = new Models(parts.store)
    const { sentenceModel } = parts
    this.#memory = {
      models,
      deliveries: new Deliveries(),
      repeats: new Repeats(),
      sentences: sentenceModel && new Sentences(sentenceModel),
      places: new RunPlaces(parts.limits.runsPerPrincipal),
      unrecorded: new Unrecorded(parts),
    }
    this.#catalogs = new SessionCatalogs(parts, models)
  }

  async serve<Answer>(
    caller: Caller,
    { name, input, options, work, counts, progress }: Work<Answer>,
  ): Promise<Reply<Answer>> {
    const watch = new RequestWatch(this.#parts, caller, { name, id: ++this.#requests, progress })
    try {
      if (caller.isLongLived) await caller.refresh?.()
      const catalogs = await this.#catalogs.of(caller, options?.own, { name, input })
      const { workspaces } = this.#parts
      const said = { input, announced: options?.announced }
      const placed = await place({ workspaces, catalogs }, caller, said, watch)
      const reply = placed.ok
        ? await work(callOf(this.#parts, this.#memory, { ...placed.value, catalogs, watch }))
        : refuse(placed.problems)
      watch.answered(reply, counts)
      return reply
    } catch (error) {
      watch.ended(false, passingProblem(error)?.code ?? 'internal_error')
      throw error
    }
  }

  /** Serves a request that may have effects: `settled` waits for it. */
  serveRun<Answer>(caller: Caller, work: Work<Answer>): Promise<Reply<Answer>> {
    const run = this.serve(caller, work)
    const ended = () => this.#runs.delete(run)
    this.#runs.add(run)
    run.then(ended, ended)
    return run
  }

  /** Embeds the texts of the current catalogs before a goal needs them; without a model of sentences does nothing. */
  async prepareDiscovery(): Promise<void> {
    const { sentences } = this.#memory
    if (!sentences) return
    const { catalogs, wordTable, pause } = this.#parts
    const rest = () => pause(OWN_WORK)
    const corpus = await prepared(catalogs.current(), await wordTable(), rest)
    await sentences.vectorsOf(corpus, rest)
  }

  /** Resolves once no run is under way: every effect that was sent has returned and, unless the store fails, is recorded. */
  async settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.allSettled(this.#runs)
    await this.#memory.unrecorded.recordAll().catch(() => undefined)
  }
}
