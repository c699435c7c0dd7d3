import { describe, expect, test } from 'vitest'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import { locate, pointAt } from '../../../src/language/syntax/locate.ts'

describe('locate', () => {
  test.each([
    ['', 0, { line: 1, column: 1 }],
    ['ab\ncd', 1, { line: 1, column: 2 }],
    ['ab\ncd', 2, { line: 1, column: 3 }],
    ['ab\ncd', 3, { line: 2, column: 1 }],
    ['ab\ncd', 99, { line: 2, column: 3 }],
    ['\n\n', 2, { line: 3, column: 1 }],
    ['ab', -5, { line: 1, column: 1 }],
  ])('%j at %d', (text, offset, expected) => {
    expect(locate(text, offset)).toEqual(expected)
  })
})

function show(text: string, start: number, end: number): string[] {
  return pointAt(text, { start, end }).split('\n')
}

describe('pointAt', () => {
  test('carets stand under the span', () => {
    expect(show('x = E\nE{a==1}\nx', 9, 11)).toEqual(['2 | E{a==1}', '       ^^'])
  })

  test('tabs and controls take one column', () => {
    expect(show('\tE\u0000{a==1}\r', 5, 7)).toEqual(['1 |  E {a==1}', '         ^^'])
  })

  test('an empty span gets one caret', () => {
    expect(show('x = E', 5, 5)).toEqual(['1 | x = E', '         ^'])
  })

  test('of several lines the first is shown', () => {
    expect(show('x = "a\nb"', 4, 9)).toEqual(['1 | x = "a', '        ^^'])
  })

  test('long lines are cut around the place', () => {
    const text = `${'a'.repeat(300)}!!${'b'.repeat(300)}`
    expect(show(text, 300, 302)).toEqual([
      `1 | …${'a'.repeat(60)}!!${'b'.repeat(38)}…`,
      `${' '.repeat(65)}^^`,
    ])
    expect(show(text, 600, 602)).toEqual([`1 | …${'b'.repeat(100)}`, `${' '.repeat(103)}^^`])
    expect(show(text, 0, 600)).toEqual([`1 | ${'a'.repeat(100)}…`, `    ${'^'.repeat(100)}`])
  })
})

function edit(start: number, end: number, text: string) {
  return { span: { start, end }, text }
}

describe('applyFix', () => {
  test('edits are applied by place', () => {
    expect(applyFix('Pet:1', { edits: [edit(5, 5, ')'), edit(3, 4, '(')] })).toBe('Pet(1)')
  })

  test('edits that overlap or lie outside are left out', () => {
    expect(applyFix('abcdef', { edits: [edit(0, 3, 'x'), edit(2, 4, 'y'), edit(5, 9, 'z')] })).toBe('xdef')
  })
})
