import { expect, test } from 'vitest'
import { aboutOf, explainProblems } from '../../src/language/explain.ts'
import { problem } from '../../src/language/problems.ts'

const text = 'e1.create(raw=<<M\nfirst\nsecond\nM\n)'
const at = (part: string) => text.indexOf(part)

test('a fix shows each line that it changes, and that others lie between', () => {
  const edits = [
    { span: { start: at('<<'), end: at('<<') }, text: '{text: ' },
    { span: { start: at('\n)'), end: at('\n)') }, text: '}' },
  ]
  const wrong = problem('empty_loop', {}, { span: { start: 0, end: 2 }, fix: { edits } })
  expect(explainProblems(text, [wrong])).toMatch(/\nfix: e1\.create\(raw=\{text: <<M\n…\nM\}$/)
})

test('a fix shows the lines that it adds', () => {
  const edits = [
    { span: { start: 0, end: 0 }, text: 'one = e1\n' },
    { span: { start: 0, end: 2 }, text: 'one' },
  ]
  const wrong = problem('empty_loop', {}, { span: { start: 0, end: 2 }, fix: { edits } })
  expect(explainProblems('e1.close()', [wrong])).toMatch(/\nfix: one = e1\none\.close\(\)$/)
})

test('problems that are alike leave room for the rows of the others', () => {
  const twice = Array.from({ length: 12 }, () => problem('empty_loop', {}, { span: { start: 0, end: 2 } }))
  const other = { ...problem('empty_get', { entity: 'Pet', key: ['id'], methods: [] }), about: ['e2'] }
  expect(aboutOf([...twice, other])).toEqual([{ symbol: 'e2', rows: 'all' }])
})

test('the problems that are not shown are counted', () => {
  const many = Array.from({ length: 11 }, (_, nth) => problem('duplicate_argument', { name: `a${nth}` }))
  expect(explainProblems(text, many)).toMatch(/… and 1 more problem$/)
})
