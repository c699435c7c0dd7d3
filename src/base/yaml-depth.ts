import { Lexer, Parser } from 'yaml'

/**
 * The line where lists and maps of a YAML text are nested more deeply than `most`; undefined where they nowhere are. To be asked
 * before such a text is parsed: the parser is recursive, and one that overflows its stack may end the whole process.
 */
export function tooDeepLine(text: string, most: number): number | undefined {
  let line = 1
  const parser = new Parser(() => line++)
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    // Below the lists and maps that are open lies the document; above them may be a scalar.
    const innermost = parser.stack.at(-1)
    if (parser.stack.length > most + 1 && innermost && 'items' in innermost) return line
  }
  return undefined
}
