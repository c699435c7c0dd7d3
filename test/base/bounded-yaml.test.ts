import { expect, test } from 'vitest'
import { readYaml } from '../../src/base/bounded-yaml.ts'

const tooDeepLine = (text: string, most: number) => {
  const read = readYaml(text, most, { uniqueKeys: false })
  return 'tooDeepAt' in read ? read.tooDeepAt : undefined
}

test.each([
  ['[[[x]]]', undefined],
  ['[[[[x]]]]', 1],
  ['a:\n  b:\n    c: x', undefined],
  ['a:\n  b:\n    c:\n      d: x', 4],
  ['- - - x', undefined],
  ['- - - - x', 1],
  ['a: [{b: x}]\nc:\n- [x]', undefined],
  ['a: 1\nb: [{c: {d: x}}]', 2],
  ['text: "[[[[[[", more: |\n  [[[[[[', undefined],
  ['', undefined],
])('three levels at most in %j', (text, line) => {
  expect(tooDeepLine(text, 3)).toBe(line)
})

test.each(['[', '{', '- ', '? '])('a text of %j alone ends early', (opening) => {
  expect(tooDeepLine(opening.repeat(1_000_000), 100)).toBe(1)
})

test('a document is read with the lines of its nodes', () => {
  const read = readYaml('a: 1\nb: [2, 3]\n', 3, { uniqueKeys: false })
  if ('tooDeepAt' in read) throw new Error('too deep')
  expect(read.document.toJS()).toEqual({ a: 1, b: [2, 3] })
  expect(read.lines.linePos('a: 1\nb'.length).line).toBe(2)
})

test('a second document and a key twice are errors', () => {
  const errors = (text: string) => {
    const read = readYaml(text, 3, { uniqueKeys: true })
    return 'tooDeepAt' in read ? [] : read.document.errors.map(({ code }) => code)
  }
  expect(errors('a: 1\n---\nb: 2\n---\nc: 3')).toEqual(['MULTIPLE_DOCS'])
  expect(errors('a: 1\na: 2')).toEqual(['DUPLICATE_KEY'])
})
