import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

const reader = new URL('../../src/catalog/readers/plasm/', import.meta.url)
const files = readdirSync(reader, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('problems.ts'),
)

/**
 * Every word of a catalog that its reader knows: what stands in the constants of its files, and what is given to a section
 * as its keys.
 */
export function wordsOfTheReader(): ReadonlySet<string> {
  const words = new Set<string>()
  for (const name of files) {
    const text = readFileSync(new URL(name, reader), 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
    for (const statement of file.statements) {
      if (ts.isVariableStatement(statement)) collect(statement, words)
      else visit(statement, words)
    }
  }
  return words
}

/** Keys that stand where a section is made, or where one is asked for a value. */
function visit(node: ts.Node, words: Set<string>): void {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [first, , third] = node.arguments
    const called = node.expression.getText()
    if (called === 'Section.of' && third) collect(third, words)
    else if (ASKING.has(node.expression.name.text) && first && ts.isStringLiteral(first))
      words.add(first.text)
  }
  ts.forEachChild(node, (child) => visit(child, words))
}

const ASKING = new Set([
  'need',
  'needText',
  'text',
  'flag',
  'count',
  'items',
  'texts',
  'entries',
  'choice',
  'steps',
  'has',
])

/** Texts and keys of a constant that could stand in a catalog. */
function collect(node: ts.Node, words: Set<string>): void {
  if (ts.isStringLiteral(node) && /^\w+$/.test(node.text)) words.add(node.text)
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) words.add(node.name.text)
  ts.forEachChild(node, (child) => collect(child, words))
}
