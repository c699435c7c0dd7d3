/** A row of a teaching table that a reader can see. */
interface SeenRow {
  readonly symbol: string
  /** The answer that it stood in. */
  readonly answer: number
  readonly text: string
}

const VOID = '**Prior Plasm symbol table is void.**'

/** A reader that has nothing but the text of answers, and forgets as models do: what it no longer sees, it does not know. */
export class Reader {
  ref: string | undefined
  /** How often a text made it discard its symbols. */
  discards = 0
  #rows: SeenRow[] = []
  #answers = 0

  /** Reads an answer of `plasm_context`; gives the number under which it can be forgotten. */
  read(text: string): number {
    this.#answers++
    const ref = /^`(\S+)`/.exec(text)?.[1] ?? this.ref
    // A table belongs to the ref above it.
    if (ref !== this.ref) this.#rows = []
    this.ref = ref
    if (text.includes(VOID)) {
      this.discards++
      this.#rows = []
    }
    const seen = new Set(this.rows())
    for (const line of tableLines(text)) {
      const symbol = /^e\d+/.exec(line)?.[0]
      if (symbol === undefined) throw new Error(`a row of no entity: ${line}`)
      if (!seen.has(line)) this.#rows.push({ symbol, answer: this.#answers, text: line })
      seen.add(line)
    }
    return this.#answers
  }

  /** Forgets these answers; gives the rows that are lost with them. */
  forget(isLost: (answer: number) => boolean): readonly string[] {
    const lost = this.#rows.filter(({ answer }) => isLost(answer))
    this.#rows = this.#rows.filter(({ answer }) => !isLost(answer))
    return lost.map(({ text }) => text)
  }

  /** Everything that it can see, by the text of the row. */
  rows(): readonly string[] {
    return this.#rows.map(({ text }) => text)
  }

  /** `e2` -> what the row that introduces it says: `Order: A purchase of a customer`. */
  meanings(): ReadonlyMap<string, string> {
    const known = new Map<string, string>()
    for (const { symbol, text } of this.#rows) {
      const meaning =
        /^e\d+\([^\t]*\)\t(?:read )?([\w.]+: [^·]*)/.exec(text)?.[1] ??
        /^e\d+\t([\w.]+: [^·]*)/.exec(text)?.[1]
      if (meaning !== undefined && !known.has(symbol)) known.set(symbol, meaning.trim())
    }
    return known
  }

  /** What the tool's description calls the last symbol that one holds: the last with none missing before it. */
  have(): string {
    let last = 0
    const held = new Set(this.meanings().keys())
    while (held.has(`e${last + 1}`)) last++
    return last === 0 ? 'none' : `e${last}`
  }

  /** Symbols that an answer names and that this reader has not seen. */
  unseenIn(text: string): readonly string[] {
    const body = text.slice(text.indexOf('\n'))
    const held = this.meanings()
    return [...new Set(body.match(/\be\d+\b/g) ?? [])].filter((symbol) => !held.has(symbol))
  }
}

/** The rows of the table in an answer, without its header. */
export function tableLines(text: string): readonly string[] {
  const table = /```tsv\n([\s\S]*?)\n```/.exec(text)?.[1]
  return table === undefined ? [] : table.split('\n').slice(1)
}
