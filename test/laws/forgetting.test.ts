import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { TOOLS } from '../../src/surfaces/mcp/tools.ts'
import { testEngine, type TestEngine } from '../engine/engines.ts'
import { setOf } from '../engine/fixtures.ts'
import { cases, report } from '../law-cases.ts'
import { depotWire } from '../nightly/depot-wire.ts'
import { depot, GOODS, meaningOf } from '../nightly/depots.ts'
import { Reader, tableLines } from '../nightly/reader.ts'

/*
 * Readers that see nothing but text, lose parts of it, and follow the tools' descriptions: whatever they forget, they use
 * no symbol that they were not taught, none that means something else, and pay hardly more than if someone who knows
 * what they forgot resent exactly that.
 */

const CATALOGS = ['north', 'south']
const TOKENS_OF_TOOLS = countTokens(JSON.stringify(TOOLS))

/** What happens between two wishes of a reader. */
type Loss =
  | { readonly kind: 'none' }
  /** The window was cut: the last answers are gone. */
  | { readonly kind: 'suffix'; readonly answers: number }
  /** One answer that was seen is gone. */
  | { readonly kind: 'single'; readonly at: number }
  /** The next answer never arrives; the host calls again. */
  | { readonly kind: 'transit' }

interface Wish {
  readonly api: string
  readonly good: string
  readonly loss: Loss
}

const wish: fc.Arbitrary<Wish> = fc.record({
  api: fc.constantFrom(...CATALOGS),
  good: fc.constantFrom(...GOODS),
  loss: fc.constant<Loss>({ kind: 'none' }),
})

const losses: fc.Arbitrary<Loss> = fc.oneof(
  fc.record({ kind: fc.constant('suffix' as const), answers: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('single' as const), at: fc.nat({ max: 20 }) }),
  fc.constant<Loss>({ kind: 'transit' }),
)

/** A session: wishes for entities, and one loss somewhere among them. */
const sessions = fc
  .record({ wishes: fc.array(wish, { minLength: 6, maxLength: 20 }), loss: losses, at: fc.nat({ max: 19 }) })
  .map(({ wishes, loss, at }) =>
    wishes.map((one, index) => (index === Math.max(1, at % wishes.length) ? { ...one, loss } : one)),
  )

/** Tokens of many sessions; `ideal` is what they cost where exactly the lost rows are sent again. */
interface Tally {
  sessions: number
  /** Calls of `plasm_context` and their answers, those that are lost in transit too. */
  contexts: number
  idealContexts: number
  /** Programs and their answers: the same with and without the loss. */
  programs: number
}
const tallies = new Map<string, Tally>()

/** One reader in one session, and beside it what the same session costs with exactly the lost rows sent again. */
class Play {
  readonly #engine: TestEngine
  readonly #calls: readonly string[]
  readonly #intent: string
  readonly #reader = new Reader()
  /** The rows that are lost and that the one who knows has not sent again. */
  #owed: readonly string[] = []
  #inTransit = false
  #answers = 0
  spent = 0
  ideal = 0
  /** Programs and their answers: the same with and without the loss. */
  programs = 0

  /** @param calls what reached the APIs */
  constructor(engine: TestEngine, calls: readonly string[], intent: string) {
    this.#engine = engine
    this.#calls = calls
    this.#intent = intent
  }

  async play(wishes: readonly Wish[]): Promise<void> {
    for (const { api, good, loss } of wishes) {
      this.#lose(loss)
      await this.#use(api, good)
    }
  }

  #lose(loss: Loss): void {
    this.#inTransit ||= loss.kind === 'transit'
    const last = this.#answers
    if (loss.kind === 'suffix') this.#owed = this.#reader.forget((answer) => answer > last - loss.answers)
    if (loss.kind === 'single') this.#owed = this.#reader.forget((answer) => answer === 1 + (loss.at % last))
  }

  async #use(api: string, good: string): Promise<void> {
    if (this.#symbolOf(api, good) === undefined) {
      await this.#payIdeal(api, good)
      await this.#learn(api, good)
    }
    const symbol = this.#symbolOf(api, good)
    expect(symbol, `${api} ${good} was not taught`).toBeDefined()
    await this.#run(symbol ?? '', `${api} edition 1 GET /${good.toLowerCase()}`)
  }

  #symbolOf(api: string, good: string): string | undefined {
    const meant = meaningOf(api, good, 1)
    return [...this.#reader.meanings()].find(([, meaning]) => meaning.endsWith(`: ${meant}`))?.[0]
  }

  /** By the rules of the description, and no others. */
  async #learn(api: string, good: string): Promise<void> {
    const seeds = [{ api, entity: good }]
    const call = { intent: this.#intent, seeds }
    if (this.#inTransit) await this.#call(call, false)
    this.#inTransit = false
    let text = await this.#call(call, true)
    for (const have of [() => this.#reader.have(), () => 'none']) {
      if (this.#symbolOf(api, good) !== undefined && this.#reader.unseenIn(text).length === 0) return
      text = await this.#call({ ...call, have: have() }, true)
    }
  }

  async #call(call: object, arrives: boolean): Promise<string> {
    const reply = await this.#engine.losing().context(LOCAL_USER, call)
    if (!reply.ok) throw new Error(reply.text)
    this.spent += countTokens(JSON.stringify(call))
    if (!arrives) return ''
    this.spent += countTokens(reply.text)
    await reply.markDelivered?.()
    this.#answers = this.#reader.read(reply.text)
    return reply.text
  }

  /** The same wish, granted by somebody who knows what was lost: what is new, and exactly the lost rows. */
  async #payIdeal(api: string, good: string): Promise<void> {
    const call = { intent: `ideal ${this.#intent}`, seeds: [{ api, entity: good }] }
    const reply = await this.#engine.gateway.context(LOCAL_USER, call)
    if (!reply.ok) throw new Error(reply.text)
    const rows = [...this.#owed, ...tableLines(reply.text)]
    this.#owed = []
    this.ideal += countTokens(JSON.stringify({ ...call, intent: this.#intent })) * (this.#inTransit ? 2 : 1)
    this.ideal += countTokens(`\`s0\`\n\n\`\`\`tsv\nplasm_expr\tMeaning\n${rows.join('\n')}\n\`\`\`\n`)
  }

  async #run(symbol: string, expected: string): Promise<void> {
    const call = {
      logical_session_ref: this.#reader.ref ?? '',
      program: `${symbol}{state=stored}[id, label, weight]`,
    }
    const before = this.#calls.length
    const reply = await this.#engine.gateway.run(LOCAL_USER, call, { signal: new AbortController().signal })
    this.programs += countTokens(JSON.stringify(call)) + countTokens(reply.text)
    expect(reply.text).toContain('(20 rows)')
    expect(this.#calls.slice(before)).toEqual([expected])
  }
}

test('readers that lose text recover it at hardly any cost', { timeout: 600_000 }, async () => {
  const calls: string[] = []
  const engine = testEngine({ wire: depotWire(calls) })
  engine.swap(setOf(...CATALOGS.map((id) => depot({ id, edition: 1 }))))
  let number = 0
  await fc.assert(
    fc.asyncProperty(sessions, async (wishes) => {
      const play = new Play(engine, calls, `Session ${++number}: count what stands in the depots`)
      await play.play(wishes)
      const kind = wishes.find(({ loss }) => loss.kind !== 'none')?.loss.kind ?? 'none'
      for (const name of [kind, 'all']) {
        const held = tallies.get(name) ?? { sessions: 0, contexts: 0, idealContexts: 0, programs: 0 }
        tallies.set(name, {
          sessions: held.sessions + 1,
          contexts: held.contexts + play.spent,
          idealContexts: held.idealContexts + play.ideal,
          programs: held.programs + play.programs,
        })
      }
    }),
    { numRuns: cases(1000, 20), endOnFailure: true },
  )
  const all = ratiosOf(tallies.get('all'))
  expect(all.sessions).toBeLessThanOrEqual(1.02)
  expect(all.calls).toBeLessThanOrEqual(1.02)
  // What never arrived is simply sent with the next answer: no further call is needed.
  expect(ratiosOf(tallies.get('transit')).contexts).toBeLessThanOrEqual(1.02)
})

/**
 * How many times the ideal's tokens were spent: on all that such a session costs (the four tools once, contexts, programs),
 * on contexts and programs, and on contexts alone.
 */
function ratiosOf({ sessions: count, contexts, idealContexts, programs }: Tally = NONE) {
  const tools = TOKENS_OF_TOOLS * count
  return {
    sessions: (tools + contexts + programs) / (tools + idealContexts + programs),
    calls: (contexts + programs) / (idealContexts + programs),
    contexts: contexts / idealContexts,
  }
}

const NONE: Tally = { sessions: 1, contexts: NaN, idealContexts: NaN, programs: NaN }

afterAll(() => {
  for (const [kind, tally] of tallies) {
    const { sessions: whole, calls, contexts } = ratiosOf(tally)
    report(
      `forgetting, ${kind}`,
      `${tally.sessions} sessions cost ${whole.toFixed(4)} times the ideal's tokens; without the tools ${calls.toFixed(4)}; their contexts alone ${contexts.toFixed(4)} (${tally.contexts} of ${tally.idealContexts})`,
    )
  }
})
