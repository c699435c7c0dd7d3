import { pieces, type ReadEntity } from './reading.ts'

const TEXTS = ['"some text"']
const WORDS: Readonly<Record<string, readonly string[]>> = {
  str: TEXTS,
  markdown: TEXTS,
  document: TEXTS,
  html: TEXTS,
  int: ['3'],
  num: ['1.5'],
  bool: ['true', 'false'],
  uuid: ['550e8400-e29b-41d4-a716-446655440000'],
  date: ['2024-01-31'],
  json: ['{a=1}'],
  blob: ['aGk='],
}

/** Values that a type takes, as a program writes them: every option of an enumeration, every form of a union. */
export function valuesOf(type: string, entities: readonly ReadEntity[]): readonly string[] {
  if (type.startsWith('['))
    return valuesOf(type.slice(1, -1), entities).map((value) => `[${value}, ${value}]`)
  if (type.startsWith('ref ')) {
    const target = entities.find(({ name }) => name === type.slice('ref '.length))
    return [target ? `${target.symbol}($)` : '$']
  }
  return WORDS[type] ?? pieces(type, '|').map((piece) => optionOf(piece, entities))
}

/** A word, a quoted text, an object, or a form of a union. */
function optionOf(piece: string, entities: readonly ReadEntity[]): string {
  if (piece.startsWith('"')) return piece.replace(/^"([\w.-]+)"$/, '$1')
  const open = piece.indexOf('{')
  const members = pieces(piece.slice(open + 1, -1), ', ').map((member) => {
    const [name = '', type = ''] = member.split(/ (.*)/s)
    return `${name.replace('?', '')}=${valuesOf(type, entities)[0] ?? '$'}`
  })
  return `${piece.slice(0, open)}{${members.join(', ')}}`
}

/** Values that a type does not take. */
export function othersOf(type: string): readonly string[] {
  if (type.startsWith('[')) return othersOf(type.slice(1, -1)).map((value) => `[${value}]`)
  if (['int', 'num', 'bool', 'uuid', 'date'].includes(type) || type.startsWith('"'))
    return ['"no such thing"']
  return type.includes('{') ? ['nothing{}'] : []
}
