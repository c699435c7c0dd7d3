import { describe, expect, test } from 'vitest'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import { parse } from '../../../src/language/syntax/parse.ts'

/** Every problem: its code, the text it points at, and the program after its repair. */
function problems(text: string): [code: string, at: string, repaired?: string][] {
  return parse(text).problems.map(({ code, span, fix }) => {
    const at = text.slice(span?.start, span?.end)
    return fix === undefined ? [code, at] : [code, at, applyFix(text, fix)]
  })
}

describe('problems with a fix', () => {
  test.each([
    ['x = E\nreturn x', 'keyword', 'return ', 'x = E\nx'],
    ['let x = E\nx', 'keyword', 'let ', 'x = E\nx'],
    ['x := E\nx', 'operator_spelling', ':=', 'x = E\nx'],
    ['E;', 'semicolon', ';', 'E'],
    ['x = E; x', 'semicolon', ';', 'x = E\nx'],
    ['E // all', 'comment_style', '//', 'E ;; all'],
    ['# all\nE', 'comment_style', '#', ';; all\nE'],
    ['x = E', 'no_roots', '', 'x = E\nx'],
    [
      'item = Item("i1") Item.sort(score, desc)',
      'flattened',
      'Item.sort',
      'item = Item("i1")\nItem.sort(score, desc)',
    ],
    ['E{name="abc}', 'unterminated_text', '"abc', 'E{name="abc"}'],
    ["x = E('abc)\nx", 'unterminated_text', "'abc", "x = E('abc')\nx"],
    ['E(a=["b, c])\n', 'unterminated_text', '"b, c', 'E(a=["b, c"])\n'],
    ['E.m(a="b\nc", d=1)', 'newline_in_text', '"b\nc"', 'E.m(a=<<TEXT\nb\nc\nTEXT\n, d=1)'],
    ['x = "TEXT\nb"\nx', 'newline_in_text', '"TEXT\nb"', 'x = <<TEXT_1\nTEXT\nb\nTEXT_1\nx'],
    ['x = <<B hello B\nx', 'heredoc_opener', '<<B hello B', 'x = <<B\nhello\nB\nx'],
    ['x = <<B hello\nyou\nB\nx', 'heredoc_opener', '<<B hello', 'x = <<B\nhello\nyou\nB\nx'],
    ["x = <<'EOF'\na\nEOF\nx", 'heredoc_opener', "<<'EOF'", 'x = <<EOF\na\nEOF\nx'],
    ['E{a=<<\nx\n>>>}', 'heredoc_untagged', '<<', 'E{a=<<TEXT\nx\nTEXT\n}'],
    ['x = E <<T\nhi T\nx', 'unterminated_heredoc', '<<T', 'x = E <<T\nhi \nT\nx'],
    ['E.m(a=<<T\nhi\nT, b=1)', 'unterminated_heredoc', '<<T', 'E.m(a=<<T\nhi\nT\n, b=1)'],
    ['x = E <<T\nhi\nT.limit(2)\nx', 'unterminated_heredoc', '<<T', 'x = E <<T\nhi\nT\n.limit(2)\nx'],
    ['Pet:1.tags', 'colon_after_name', ':', 'Pet(1).tags'],
    ['Get(Pet:1)', 'get_wrapper', 'Get(Pet:1)', 'Pet(1)'],
    ['Get(Pet(1)).tags', 'get_wrapper', 'Get(Pet(1))', 'Pet(1).tags'],
    ['E{a=1', 'missing_closer', '{', 'E{a=1}'],
    ['E(a=[1,2)', 'missing_closer', '[', 'E(a=[1,2])'],
    ['x = E{a=1\ny = F{b=2}\nx', 'missing_closer', '{', 'x = E{a=1}\ny = F{b=2}\nx'],
    ['E.m(\n  a=1,\n  b=2\nroot', 'missing_closer', '(', 'E.m(\n  a=1,\n  b=2)\nroot'],
    ['E.m(a=<<T\nx\nT\nroot', 'missing_closer', '(', 'E.m(a=<<T\nx\nT)\nroot'],
    ['E{a=1)', 'wrong_closer', ')', 'E{a=1}'],
    ['E{a=1}}', 'extra_closer', '}', 'E{a=1}'],
    ['E[a] <<T\nx\nT)', 'extra_closer', ')', 'E[a] <<T\nx\nT'],
    ['E{a==1}', 'operator_spelling', '==', 'E{a=1}'],
    ['E.m(a==1)', 'operator_spelling', '==', 'E.m(a=1)'],
    ['E{a=>1}', 'operator_spelling', '=>', 'E{a>=1}'],
    ['E{a<>1}', 'operator_spelling', '<>', 'E{a!=1}'],
    ['E{a=1 && b=2}', 'and_operator', ' && ', 'E{a=1, b=2}'],
    ['E{a="x" and b=2}', 'and_operator', ' and ', 'E{a="x", b=2}'],
    ['E{a=U(1) AND b=2}', 'and_operator', ' AND ', 'E{a=U(1), b=2}'],
    ['E{a=1\n b=2}', 'missing_comma', 'b', 'E{a=1,\n b=2}'],
    ['E{a="x" b="y"}', 'missing_comma', 'b', 'E{a="x", b="y"}'],
    ['E(1).m(.., a=1)', 'ellipsis_not_last', '..', 'E(1).m(a=1)'],
  ])('%j', (text, code, at, repaired) => {
    expect(problems(text)).toEqual([[code, at, repaired]])
    expect(parse(repaired).problems).toEqual([])
  })
})

describe('problems without a fix', () => {
  test.each([
    ['', [['program_empty', '']]],
    [';; nothing', [['program_empty', '']]],
    ['x = \nx', [['expected_expression', '\n']]],
    ['E =>', [['expected_expression', '']]],
    ['x = a, b\nx', [['binding_of_several', ',']]],
    ['e1 = E\ne1', [['reserved_label', 'e1']]],
    ['p2 = E\np2', [['reserved_label', 'p2']]],
    ['_ = E\n_', [['reserved_label', '_']]],
    ['page = E\npage', [['reserved_label', 'page']]],
    ['return  = E\nx', [['reserved_label', 'return']]],
    ['my-x = E\nE', [['label_shape', 'my-x']]],
    ['E.', [['expected_name', '']]],
    ['E~', [['expected_value', '']]],
    ['E(a=, b=1)', [['expected_value', ',']]],
    ['E{archived}', [['expected_operator', 'archived']]],
    ['E{=2}', [['expected_entry', '=2']]],
    ['E[a,,b]', [['empty_fields', ',']]],
    ['E[!]', [['empty_fields', '!']]],
    ['E[a b]', [['unexpected', 'b']]],
    ['E(1)(2)', [['unexpected', '(2)']]],
    ['E{name="a" (b), c=2}', [['unexpected', '(b)']]],
    ['page(x1)', [['page_handle', 'x1']]],
    ['page(s0_pg)', [['page_handle', 's0_pg']]],
    ['page(pg1, size=2)', [['page_argument', 'size']]],
    ['x = <<T\nhello', [['unterminated_heredoc', '<<T']]],
    ['x = <<\nhello', [['heredoc_untagged', '<<']]],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected)
  })
})

test('all problems come at once, in order', () => {
  expect(problems('let a = E{x==1, y}\ne2 = F(1\nb = Get(G:1);\nreturn b')).toEqual([
    ['keyword', 'let ', 'a = E{x==1, y}\ne2 = F(1\nb = Get(G:1);\nreturn b'],
    ['operator_spelling', '==', 'let a = E{x=1, y}\ne2 = F(1\nb = Get(G:1);\nreturn b'],
    ['expected_operator', 'y'],
    ['reserved_label', 'e2'],
    ['missing_closer', '(', 'let a = E{x==1, y}\ne2 = F(1)\nb = Get(G:1);\nreturn b'],
    ['get_wrapper', 'Get(G:1)', 'let a = E{x==1, y}\ne2 = F(1\nb = G(1);\nreturn b'],
    ['semicolon', ';', 'let a = E{x==1, y}\ne2 = F(1\nb = Get(G:1)\nreturn b'],
    ['keyword', 'return ', 'let a = E{x==1, y}\ne2 = F(1\nb = Get(G:1);\nb'],
  ])
})

test('a broken part leaves the rest readable', () => {
  const { program } = parse('a = E{x==1, y}\nb = F(1\na, b')
  expect(program.bindings.map(({ label }) => label.text)).toEqual(['a', 'b'])
  expect(program.roots).toHaveLength(2)
})

test('a whole message says what and what next', () => {
  expect(parse('E{a==1}').problems).toEqual([
    {
      code: 'operator_spelling',
      message: 'Expected `=`, got `==`.',
      next: 'Write `=`.',
      span: { start: 3, end: 5 },
      fix: { edits: [{ span: { start: 3, end: 5 }, text: '=' }] },
    },
  ])
})

test('words within text are no operators', () => {
  expect(parse('E{title=foo and bar, q=project=X AND a=1}').problems).toEqual([])
  expect(parse('E.m(q=a AND b=1)').problems).toEqual([])
})
