import { expect, test } from 'vitest'
import { tooDeepLine } from '../../src/base/yaml-depth.ts'

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
