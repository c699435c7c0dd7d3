import { Composer, type Document, Lexer, LineCounter, Parser, YAMLParseError } from 'yaml'

/** The document in a YAML text, with its errors, and the offsets at which its lines start. */
interface ReadYaml {
  readonly document: Document.Parsed
  readonly lines: LineCounter
}

/** The line where lists and maps nest too deeply. */
interface TooDeep {
  readonly tooDeepAt: number
}

/**
 * Reads a YAML text of one document; a second one is an error of the first. Where lists and maps nest more deeply than `most`,
 * reading ends: composing a document is recursive, and a stack that overflows may end the whole process.
 *
 * @param uniqueKeys whether a key that a map has twice is an error; looking for one takes time quadratic in the keys of a map
 */
export function readYaml(
  text: string,
  most: number,
  { uniqueKeys }: { readonly uniqueKeys: boolean },
): ReadYaml | TooDeep {
  const lines = new LineCounter()
  const parser = new Parser(lines.addNewLine)
  let tooDeepAt: number | undefined
  // Each token is a whole document, or stands between two.
  function* tokens() {
    lines.addNewLine(0)
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme)
      // Below the lists and maps that are open lies the document; above them may be a scalar.
      const innermost = parser.stack.at(-1)
      if (parser.stack.length > most + 1 && innermost && 'items' in innermost) {
        tooDeepAt = lines.lineStarts.length
        return
      }
    }
    yield* parser.end()
  }
  const composer = new Composer({ uniqueKeys, prettyErrors: false, logLevel: 'error' })
  const [document, second] = firstTwo(composer.compose(tokens(), true, text.length))
  if (tooDeepAt !== undefined) return { tooDeepAt }
  if (!document) throw new Error('the composer gave no document')
  if (second) {
    const [start, end] = second.range
    document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'a second document starts here'))
  }
  return { document, lines }
}

function firstTwo<Item>(items: Iterable<Item>): readonly Item[] {
  const first: Item[] = []
  for (const item of items) if (first.push(item) === 2) break
  return first
}
