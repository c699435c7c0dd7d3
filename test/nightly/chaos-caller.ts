import { reportProgress } from '../law-cases.ts'
import { goodsOf, touchIn } from './depots.ts'
import type { Answer, Lost, Nodes } from './nodes.ts'
import { Reader } from './reader.ts'
import { Seeded } from './seeded.ts'

/** What all callers saw. */
export class Tally {
  calls = 0
  ran = 0
  lost = 0
  readonly refused = new Map<string, number>()
  /** Answers that contradict what their caller had read. */
  readonly wrong: string[] = []
  /** What was to be written, by the path that its caller's table promises; and what was told of it. */
  readonly writes = new Map<string, Set<string>>()
  /** By session and reason: the rows that were opened for it. */
  readonly opened = new Map<string, Set<string>>()
  readonly #most: number
  readonly #waiting: { readonly at: number; readonly go: () => void }[] = []

  /** @param most calls there are */
  constructor(most: number) {
    this.#most = most
  }

  /** On a slow machine many programs come too late for their rows: some must have been in time. */
  get isOver(): boolean {
    return this.calls >= this.#most && this.ran >= this.#most / 10
  }

  count(): void {
    this.calls++
    reportProgress('chaos', this.calls, this.#most)
    while (this.#waiting[0] && this.#waiting[0].at <= this.calls) this.#waiting.shift()?.go()
  }

  /** Resolves when so much of all calls was made. To be asked for one share after the other. */
  reached(share: number): Promise<void> {
    return new Promise((go) => void this.#waiting.push({ at: share * this.#most, go }))
  }
}

const APIS = ['north', 'south']
/** Twice as many as a session comes to hold: there is always something new to be told. */
export const CHAOS_GOODS = goodsOf(6)
/** How many symbols a caller takes on before it goes on to the next part of its goal. */
const ENOUGH = 48
const REASON = /^\*\*Prior Plasm symbol table is void\.\*\* (.*?); a new one was opened/m

/** Calls whichever server is next, and believes nothing but the text that it received. */
export class Caller {
  readonly #nodes: Nodes
  readonly #tally: Tally
  readonly #random: Seeded
  readonly #name: string
  readonly #goal: string
  #reader = new Reader()
  #part = 1
  #lastText = ''
  #written = 0

  /** @param goal is the start of its intents */
  constructor(nodes: Nodes, tally: Tally, goal: string, name: string, seed: number) {
    this.#nodes = nodes
    this.#tally = tally
    this.#goal = goal
    this.#name = name
    this.#random = new Seeded(seed)
  }

  /** One turn: learns where it has to, then runs what a symbol is said to mean. */
  async turn(): Promise<void> {
    if (this.#reader.meanings().size >= ENOUGH) this.#goOn()
    if (this.#reader.unseenIn(this.#lastText).length > 0) await this.#learn({ have: this.#reader.have() })
    else if (this.#reader.meanings().size === 0 || this.#random.next(4) === 0) await this.#learn({})
    const meanings = [...this.#reader.meanings()]
    const { ref } = this.#reader
    if (meanings.length === 0 || ref === undefined) return
    const [symbol, meaning] = this.#random.pick(meanings)
    const isUnderstood =
      this.#random.next(10) === 0
        ? await this.#write(ref, symbol, meaning)
        : await this.#read(ref, symbol, meaning)
    if (!isUnderstood) await this.#learn(this.#random.next(2) === 0 ? {} : { have: this.#reader.have() })
  }

  async #learn(more: object): Promise<void> {
    const seeds = [{ api: this.#random.pick(APIS), entity: this.#random.pick(CHAOS_GOODS) }]
    const lost = this.#random.next(10) === 0 ? this.#random.pick<Lost>(['unheard', 'unread']) : undefined
    const intent = `${this.#goal}, part ${this.#part}`
    const answer = await this.#post('/v1/contexts', { intent, seeds, ...more }, lost)
    this.#lastText = ''
    if (answer?.code === 'session_full') this.#goOn()
    if (answer?.text === undefined) return
    this.#note(intent, answer)
    this.#reader.read(answer.text)
    this.#lastText = answer.text
  }

  /** The next part of the goal, for which others may be at work already. */
  #goOn(): void {
    this.#part++
    this.#reader = new Reader()
    this.#lastText = ''
  }

  #note(intent: string, { text = '', session = '', _meta: meta }: Answer): void {
    const reason = REASON.exec(text)?.[1]
    // A reader that hears later of a loss gets the row of that moment, which may be a younger one.
    if (reason === undefined || !meta?.plasm.continuity?.previous_execute) return
    const key = `${intent}: ${reason}`
    this.#tally.opened.set(key, (this.#tally.opened.get(key) ?? new Set()).add(session))
  }

  /** False where the symbol was refused. */
  async #read(ref: string, symbol: string, meaning: string): Promise<boolean> {
    const answer = await this.#post(`/v1/contexts/${ref}/run`, { program: `${symbol}.limit(1)[label]` })
    if (!answer) return true
    if (!answer.text?.includes('(1 row)')) return false
    this.#tally.ran++
    if (!answer.text.includes(`${pathOf(meaning)} k1`))
      this.#tally.wrong.push(`${ref} ${symbol} = ${meaning}: ${answer.text}`)
    return true
  }

  /** Plans a write and delivers it twice at once; false where the symbol was refused. */
  async #write(ref: string, symbol: string, meaning: string): Promise<boolean> {
    const key = `${this.#name}x${++this.#written}`
    const program = `${symbol}("${key}").touch()`
    const planned = await this.#post(`/v1/contexts/${ref}/plan`, { program })
    if (planned?.plan === undefined) return planned === undefined
    const { plan } = planned
    const told = new Set<string>()
    const path = pathOf(meaning)
    this.#tally.writes.set(`POST /${path}/${key}/${touchIn(Number(path.split('/')[1]))}`, told)
    const deliver = async (lost?: Lost) => {
      const answer = await this.#post(`/v1/contexts/${ref}/run`, { program, plan }, lost)
      for (const { state } of answer?.effects ?? []) told.add(state)
    }
    await Promise.all([deliver(this.#random.next(4) === 0 ? 'unread' : undefined), deliver()])
    if (this.#random.next(2) === 0) await deliver()
    return true
  }

  async #post(path: string, body: object, lost?: Lost): Promise<Answer | undefined> {
    this.#tally.count()
    const answer = await this.#nodes.post(path, body, lost)
    if (!answer) this.#tally.lost++
    if (answer?.code !== undefined)
      this.#tally.refused.set(answer.code, (this.#tally.refused.get(answer.code) ?? 0) + 1)
    return answer
  }
}

/** `north.Anvil: north Anvil edition 1` -> the path of what running it calls. */
function pathOf(meaning: string): string {
  const [, api, good, edition] = /: (\w+) (\w+) edition (\d+)$/.exec(meaning) ?? []
  return `${api}/${edition}/${good?.toLowerCase()}`
}
