import type { Fix, Problem, Span } from '../../base/diagnostic.ts'
import { bareEnd, isBlank, type Reach } from './bare.ts'
import { CLOSERS, endOfLine, isCloser, matchBrackets, type Pairs } from './brackets.ts'
import { type ClosingLines, closeFrom, closingLines, freeTag, heredocAt } from './heredoc.ts'
import { syntaxProblem } from './problems.ts'
import { quotedAt } from './quoted.ts'
import type { Name, TextValue } from './tree.ts'

/** The maximum number of problems per program. */
const MAX_PROBLEMS = 20
/** The maximum number of tokens: so many are read and checked within a few milliseconds. */
export const MAX_TOKENS = 10_000
/** The maximum depth of brackets. */
export const MAX_LEVELS = 200

const BLANKS = /[ \t\r\u00A0\uFEFF]+/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*/y

/**
 * Reads one text from left to right: names, quoted text, heredocs, unquoted values, marks, and what lies between them.
 * What a character begins depends on the place (`-` in a name, `=` in an unquoted value), so the parser says what it
 * wants next; nothing is read twice but a bounded look ahead. Line breaks end a statement and are blanks inside brackets.
 */
export class Tokens {
  readonly text: string
  readonly problems: Problem[] = []
  /** The next character. */
  at = 0
  /** The end of the last token. */
  end = 0
  /** The arrows of the statement so far. */
  arrows = 0
  /** Characters inspected: the measure of work. */
  steps = 0
  /** Where the first token too many begins: reading ends there. */
  overfullAt: number | undefined
  readonly pairs: Pairs
  #count = 0
  readonly #lines: ClosingLines
  readonly #open: {
    readonly closer: string
    readonly opener: number
    readonly closed: boolean
    readonly group: boolean
  }[] = []
  #stopped = false
  /** Three quotes may still be closed: once they were not, no later ones are looked for. */
  #hasTriple = true

  constructor(text: string) {
    this.text = text
    this.#lines = closingLines(text)
    this.pairs = matchBrackets(text, this.#lines)
    this.steps = 2 * text.length
  }

  /** Whether this is an expression (not an entry between brackets), so that `=>` ends a value. */
  get top(): boolean {
    return this.#open.at(-1)?.group ?? true
  }

  get char(): string {
    return this.text.charAt(this.at)
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  /** Whether the line or the bracket ends here. */
  get stuck(): boolean {
    return this.done || this.char === '\n'
  }

  starts(mark: string): boolean {
    return this.text.startsWith(mark, this.at)
  }

  /** The match of a sticky pattern here, without consuming it. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    this.steps++
    if (!pattern.test(this.text)) return undefined
    this.steps += pattern.lastIndex - this.at
    return this.text.slice(this.at, pattern.lastIndex)
  }

  /** Consumes so many characters as one token. */
  advance(length: number): Span {
    const start = this.at
    if (++this.#count > MAX_TOKENS) this.overfullAt ??= start
    this.at = this.overfullAt === undefined ? Math.min(this.text.length, start + length) : this.text.length
    this.end = this.at
    this.steps += length
    return { start, end: this.at }
  }

  /** Consumes the mark if it is next. */
  take(mark: string): Span | undefined {
    return this.starts(mark) ? this.advance(mark.length) : undefined
  }

  /** Returns the text after the offset: an unquoted value was too long. */
  back(to: number): void {
    this.at = to
    this.end = to
  }

  from(start: number): Span {
    return { start, end: Math.max(start, this.end) }
  }

  /** Skips spaces and comments, and line breaks where they count as spaces. */
  skip(): void {
    for (const start = this.at; ; this.at++) {
      if (this.starts(';;')) this.at = endOfLine(this.text, this.at)
      if (!isBlank(this.char) && !(this.char === '\n' && this.#isBlankBreak())) {
        this.steps += 1 + this.at - start
        return
      }
    }
  }

  /** Skips blanks, comments and line breaks. */
  skipLines(): void {
    for (this.skip(); this.char === '\n'; this.skip()) this.at++
  }

  /** A line break counts as a space inside brackets; if the closer is missing, only if the next line is indented. */
  #isBlankBreak(): boolean {
    const innermost = this.#open.at(-1)
    if (innermost === undefined) return false
    return innermost.closed || ' \t'.includes(this.text.charAt(this.at + 1) || '\n')
  }

  name(): Name | undefined {
    const found = this.match(NAME)
    return found === undefined ? undefined : { text: found, span: this.advance(found.length) }
  }

  /** Quoted text, if a quote is next. */
  quoted(): TextValue | undefined {
    const mark = this.char
    if (mark !== '"' && mark !== "'") return undefined
    const start = this.at
    const triple = mark.repeat(3)
    const close = this.starts(triple) && this.#hasTriple ? this.text.indexOf(triple, start + 3) : -1
    if (close !== -1) return this.#tripleQuoted(this.text.slice(start, close + 3))
    if (this.starts(triple)) this.#hasTriple = false
    const { value, end, trouble } = quotedAt(this.text, start, this.#open.length)
    const span = this.advance(end - start)
    if (trouble === 'unterminated') this.report('unterminated_text', { quote: mark }, span, insert(end, mark))
    if (trouble === 'newline') this.report('newline_in_text', {}, span, this.#asHeredoc(span, value))
    return { kind: 'text', value, form: mark === '"' ? 'double' : 'single', span }
  }

  /** Text in three quotes, as other languages write several lines. */
  #tripleQuoted(written: string): TextValue {
    const span = this.advance(written.length)
    const value = written.slice(3, -3).replace(/^\n|\n[ \t]*$/g, '')
    const isLine = !value.includes('\n')
    const fix = isLine ? { edits: [{ span, text: JSON.stringify(value) }] } : this.#asHeredoc(span, value)
    this.report('triple_quotes', { found: written.slice(0, 3) }, span, fix)
    return { kind: 'text', value, form: 'double', span }
  }

  #asHeredoc(span: Span, value: string): Fix {
    const tag = freeTag(value)
    return { edits: [{ span, text: `<<${tag}\n${value}\n${tag}${this.#open.length === 0 ? '' : '\n'}` }] }
  }

  /** A heredoc, if `<<` is next (and no third `<`, which is ordinary text). */
  heredoc(): TextValue | undefined {
    if (!this.starts('<<') || this.starts('<<<')) return undefined
    const start = this.at
    const whole = heredocAt(this.text, start, this.#lines)
    if (whole !== undefined) {
      const span = this.advance(whole.end - start)
      return { kind: 'text', value: whole.value, form: 'heredoc', span }
    }
    return this.#brokenHeredoc(start)
  }

  #brokenHeredoc(start: number): TextValue {
    const line = endOfLine(this.text, start)
    const [, mark = '', tag = '', rest = ''] =
      /^<<([-'"]*)([A-Za-z_]\w*)?([^]*)$/.exec(this.text.slice(start, line)) ?? []
    const opener = { start, end: start + 2 + mark.length + tag.length }
    if (tag === '') return this.#untagged(start, opener, line)
    if (rest.trim() !== '') return this.#crowdedHeredoc(opener, tag, rest, line)
    const body = this.text.slice(line + 1)
    this.advance(this.text.length - start)
    this.report('unterminated_heredoc', { name: tag }, opener, nearClose(this.text, tag, line))
    this.#stopped = true
    return { kind: 'text', value: body, form: 'heredoc', span: this.from(start) }
  }

  /** `<<` alone, perhaps closed by `>>` or `>>>`. The text after it cannot be told from its content. */
  #untagged(start: number, opener: Span, line: number): TextValue {
    const closing = /\n[ \t]*(>>+)/g
    closing.lastIndex = line
    const close = closing.exec(this.text)
    const mark = close?.[1] ?? ''
    const end = close === null ? this.text.length : closing.lastIndex
    const value = this.text.slice(line + 1, end - mark.length)
    const tag = freeTag(value)
    const edits = [
      { span: opener, text: `<<${tag}` },
      { span: { start: end - mark.length, end }, text: `${tag}\n` },
    ]
    this.advance(end - start)
    this.report('heredoc_untagged', {}, opener, mark === '' ? undefined : { edits })
    if (mark === '') this.#stopped = true
    return { kind: 'text', value, form: 'heredoc', span: this.from(start) }
  }

  /** `<<TAG text`, `<<'TAG'`: parsed as if the line ended after the tag. */
  #crowdedHeredoc(opener: Span, tag: string, rest: string, line: number): TextValue {
    const close = closeFrom(this.#lines, tag, line)
    const text = rest.replace(/^['"]/, '').trim()
    const closesHere = text === tag || (text.endsWith(tag) && /\s$/.test(text.slice(0, -tag.length)))
    const end = closesHere || close === undefined ? line : close.end
    const body = closesHere ? text.slice(0, -tag.length).trim() : text
    const value = end === line ? body : `${text}${text && '\n'}${this.text.slice(line + 1, close?.line)}`
    const fixed = closesHere ? `<<${tag}\n${body}\n${tag}` : `<<${tag}${text && '\n'}${text}`
    this.advance(end - opener.start)
    const fix = { edits: [{ span: { start: opener.start, end: line }, text: fixed }] }
    this.report('heredoc_opener', { name: tag }, { start: opener.start, end: line }, fix)
    return { kind: 'text', value, form: 'heredoc', span: this.from(opener.start) }
  }

  /** Consumes an unquoted value that began at `start` (here, or before what was read so far) and returns it as written. */
  bare(start: number, reach: Reach): string {
    const end = Math.max(this.at, bareEnd(this.text, this.at, { reach, top: this.top, pairs: this.pairs }))
    this.advance(end - this.at)
    return this.text.slice(start, end)
  }

  /** Skips invalid text, at least one character, to the end of an entry or a line. */
  skipJunk(): void {
    do {
      const start = this.at
      this.bare(start, 'phrase')
      // A run of blanks is skipped at once: each look for a value would read it to its end.
      if (this.at === start) this.advance(this.match(BLANKS)?.length ?? 1)
    } while (!this.stuck && !this.endsEntry)
  }

  /** Whether a comma or a closer is next. */
  get endsEntry(): boolean {
    return this.char === ',' || isCloser(this.char)
  }

  /**
   * Given that an opener is next: consumes it, calls `item` for each entry between commas (one may trail), and
   * consumes the closer. A missing comma, a wrong and a missing closer are reported and bridged.
   */
  delimited(item: () => void): Span {
    const start = this.at
    if (!this.open()) return this.from(start)
    for (this.skip(); !this.close(); this.skip()) {
      const before = this.at
      item()
      this.skip()
      if (this.take(',') === undefined && !this.#betweenItems() && this.at === before) this.#unexpectedItem()
    }
    return this.from(start)
  }

  /** Consumes an opener (`group`: of an expression), unless it is too deep: then parsing stops. */
  open(group = false): boolean {
    const opener = this.at
    if (this.#open.length >= MAX_LEVELS) {
      this.stop(opener, MAX_LEVELS)
      return false
    }
    const closer = CLOSERS.get(this.char) ?? ''
    this.advance(1)
    this.#open.push({ closer, opener, closed: this.pairs.has(opener), group })
    return true
  }

  /** Reports that the program is too deep and stops parsing. */
  stop(at: number, most: number): void {
    this.report('too_deep', { most }, { start: at, end: at + 1 })
    this.#stopped = true
    this.at = this.text.length
  }

  /** Consumes the expected closer, or continues without it; false if something else is next. */
  close(): boolean {
    const innermost = this.#open.at(-1)
    if (innermost === undefined) return true
    const { closer, opener } = innermost
    const found = this.char
    if (this.take(closer) !== undefined) {
      this.#open.pop()
      return true
    }
    if (!this.stuck && !isCloser(found)) return false
    this.#open.pop()
    if (!this.stuck && !this.#open.some((outer) => outer.closer === found)) {
      const span = this.advance(1)
      this.report('wrong_closer', { found, closer }, span, { edits: [{ span, text: closer }] })
    } else {
      const span = { start: opener, end: opener + 1 }
      this.report(
        'missing_closer',
        { opener: this.text.charAt(opener), closer },
        span,
        insert(this.end, closer),
      )
    }
    return true
  }

  /** After an entry without a comma: whether an entry follows anyway. */
  #betweenItems(): boolean {
    if (this.stuck || isCloser(this.char)) return true
    const and = this.match(/(?:&&|and\b|AND\b)[ \t]*/y)
    if (and !== undefined) {
      const span = { start: this.end, end: this.at + and.length }
      this.advance(and.length)
      this.report('and_operator', { found: and.trim() }, span, { edits: [{ span, text: ', ' }] })
      return true
    }
    const broken = this.text.slice(this.end, this.at).includes('\n')
    if (!broken && this.match(ENTRY_START) === undefined) {
      this.#unexpectedItem()
      this.take(',')
      return true
    }
    this.report('missing_comma', {}, { start: this.at, end: this.at + 1 }, insert(this.end, ','))
    return false
  }

  #unexpectedItem(): void {
    const start = this.at
    this.skipJunk()
    this.report(
      'unexpected',
      { wanted: '`,` or a closing bracket', found: quote(this.text.slice(start, this.at)) },
      this.from(start),
    )
  }

  /** Reports a problem, unless the limit is reached or one is already reported at the same place. */
  report<Code extends Parameters<typeof syntaxProblem>[0]>(
    code: Code,
    params: Parameters<typeof syntaxProblem<Code>>[1],
    span: Span,
    fix?: Fix,
  ): void {
    const known = this.problems.at(-1)?.span
    if (this.#stopped || this.problems.length >= MAX_PROBLEMS || known?.start === span.start) return
    this.problems.push(syntaxProblem(code, params, fix === undefined ? { span } : { span, fix }))
  }
}

const ENTRY_START = /["']|[A-Za-z_][A-Za-z0-9_.-]*[ \t]*(?:[=~<>:]|!=)/y

/** A fix that inserts. */
export function insert(at: number, text: string): Fix {
  return { edits: [{ span: { start: at, end: at }, text }] }
}

/** The text that was found, for messages. */
export function quote(found: string): string {
  const line = found.trim().split('\n')[0] ?? ''
  return `\`${line.length > 40 ? `${line.slice(0, 40)}…` : line}\``
}

/** A line that would close the heredoc if it had no other text. */
function nearClose(text: string, tag: string, from: number): Fix | undefined {
  const after = new RegExp(`^[ \\t]*${tag}(?=[^A-Za-z0-9_\\n])`, 'gm')
  after.lastIndex = from
  const started = after.exec(text)
  if (started !== null) return insert(started.index + started[0].length, '\n')
  const before = new RegExp(`[ \\t](?=${tag}[)\\]},]*[ \\t\\r]*$)`, 'gm')
  before.lastIndex = from
  const ended = before.exec(text)
  return ended === null ? undefined : insert(ended.index + 1, '\n')
}
