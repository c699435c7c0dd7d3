import { describe, expect, test } from 'vitest'
import { parse } from '../../../src/language/syntax/parse.ts'
import { outline } from './outline.ts'
import { VALID } from './programs.ts'

/** The tree of a text that has nothing wrong with it. */
function tree(text: string): string[] {
  const { program, problems } = parse(text)
  expect(problems).toEqual([])
  return outline(program)
}

describe('where rows come from', () => {
  test.each([
    ['Issue', 'name Issue'],
    ['_', 'cursor'],
    ['e3(42)', 'get e3(number 42)'],
    ['E()', 'get E()'],
    ['Status("In Progress")', 'get Status(double "In Progress")'],
    ['IssueContext(ENG-42)', 'get IssueContext(bare "ENG-42")'],
    ['Task(8badcafe00000001)', 'get Task(bare "8badcafe00000001")'],
    ['Ticket(owner=o, repo=r, n=9)', 'get Ticket(owner: bare "o"; repo: bare "r"; n: number 9)'],
    ['E(user:123)', 'get E(bare "user:123")'],
    ['E(user: 123)', 'get E(user: number 123)'],
    ['E{}', 'query E{}'],
    ['E{a=1,}', 'query E{a = number 1}'],
    [
      'E{a!=1, b<2, c<=3, d>4, e>=5, f~g}',
      'query E{a != number 1; b < number 2; c <= number 3; d > number 4; e >= number 5; f ~ bare "g"}',
    ],
    ['E{state: open, "odd key"=1}', 'query E{state = bare "open"; odd key = number 1}'],
    ['Order{pet.status=available, closed=}', 'query Order{pet.status = bare "available"; closed = nothing}'],
    ['E{p1=$,..}', 'query E{p1 = hole; ..}'],
    ['e1{..}', 'query e1{..}'],
    ['E~"a b"{x=1}', 'search E double "a b"{x = number 1}'],
    ['E~bolt{x=1}', 'search E bare "bolt"{x = number 1}'],
    ['E~10[a]', 'search E number 10{} project [a]'],
    ['E~bolt.limit(5)', 'search E bare "bolt"{} call limit(number 5)'],
    ['E~example.com', 'search E path example.com{}'],
    ['e9~$', 'search e9 hole{}'],
    ['page(s0_pg1)', 'page s0_pg1'],
    ['page(pg2, limit=50)', 'page pg2 limit number 50'],
    ['v101{a=$}', 'literal make v101{a: hole}'],
  ])('%s', (text, expected) => {
    expect(tree(text)).toEqual([expected])
  })
})

describe('what follows rows', () => {
  test.each([
    ['Type(electric).pokemon', 'get Type(bare "electric") step pokemon'],
    ['Pet(10).tags{name=fluffy}', 'get Pet(number 10) step tags{name = bare "fluffy"}'],
    ['User.get-me', 'name User step get-me'],
    ['E.search', 'name E step search'],
    ['E.search(k=v)', 'name E call search(k: bare "v")'],
    ['E(1).m(a=1,..)', 'get E(number 1) call m(a: number 1; ..)'],
    ['a.sort(x, desc).limit(3)', 'name a call sort(bare "x"; bare "desc") call limit(number 3)'],
    [
      'E.aggregate(n=count, t=sum(score))',
      'name E call aggregate(n: bare "count"; t: call sum(bare "score"))',
    ],
    ['U(1).^Order{status=open}', 'get U(number 1) reverse Order{status = bare "open"}'],
    ['U(1).^Order', 'get U(number 1) reverse Order{}'],
    ['E[]', 'name E project []'],
    ['E[a, b.c, d[e], f[g[h], i]]', 'name E project [a b.c d.e f.g.h f.i]'],
    ['repo[p1,p2]<<T\nline one\nT', 'name repo project [p1 p2] template heredoc "line one\\n"'],
    ['commits <<T\nT', 'name commits template heredoc ""'],
    ['(E <<T\nx\nT\n)[content]', 'name E template heredoc "x\\n" project [content]'],
    ['E\n  .limit(3)\n\n  => F(_.id)', 'each <name E call limit(number 3)> <get F(path _.id)>'],
    ['a => b => c', 'each <each <name a> <name b>> <name c>'],
    ['a => (b => c)', 'each <name a> <each <name b> <name c>>'],
    ['E.limit(2) => {t: _.message}', 'each <name E call limit(number 2)> <literal {t: path _.message}>'],
    ['mail => mail.content', 'each <name mail> <name mail step content>'],
  ])('%s', (text, expected) => {
    expect(tree(text)).toEqual([expected])
  })
})

describe('values', () => {
  test.each([
    ['"a\\"b\\n\\u0041\\x"', 'double "a\\"b\\nAx"'],
    ["'a\\n''b'", 'single "a\\\\n\'b"'],
    ["'it\\'s \\\\'", 'single "it\'s \\\\"'],
    ["''", 'single ""'],
    ['-3', 'number -3'],
    ['99999999999999999999.50', 'number 99999999999999999999.50'],
    ['8e5', 'bare "8e5"'],
    ['2024-01-01T00:00:00Z', 'bare "2024-01-01T00:00:00Z"'],
    ['12:30', 'bare "12:30"'],
    ['-7d', 'bare "-7d"'],
    ['550e8400-e29b-41d4-a716-446655440000', 'bare "550e8400-e29b-41d4-a716-446655440000"'],
    ['https://x.y/z?a=1&b=2', 'bare "https://x.y/z?a=1&b=2"'],
    ['Sheet1!A1:C3', 'bare "Sheet1!A1:C3"'],
    ['acme\\(test\\)', 'bare "acme(test)"'],
    ['a\\, b', 'bare "a, b"'],
    ["it's", 'bare "it\'s"'],
    ['5" pipe', 'bare "5\\" pipe"'],
    ['Sprint  Sandbox ', 'bare "Sprint  Sandbox"'],
    ['[URGENT] fix this (now, please)', 'bare "[URGENT] fix this (now, please)"'],
    ['Foo(bar) baz', 'bare "Foo(bar) baz"'],
    ['{{ name }}', 'bare "{{ name }}"'],
    ['$5', 'bare "$5"'],
    ['<<<X', 'bare "<<<X"'],
    ['$', 'hole'],
    ['report.content', 'path report.content'],
    ['_', 'path _'],
    ['[]', '[]'],
    ['[a b, [1,2], "c",]', '[bare "a b"; [number 1; number 2]; double "c"]'],
    ['{"a": 1, b: {c=2}}', '{a: number 1; b: {c: number 2}}'],
    ['{}', '{}'],
    ['e17(p41=$, p56=x)', 'call e17(p41: hole; p56: bare "x")'],
    ['u1{text=hi, parts=[{k=v}]}', 'make u1{text: bare "hi"; parts: [{k: bare "v"}]}'],
    ['<<T\n;; "p1\n T2\nT', 'heredoc ";; \\"p1\\n T2\\n"'],
    ['<<T\r\na\r\n  T', 'heredoc "a\\r\\n"'],
  ])('%s', (text, expected) => {
    expect(tree(`E.m(y=1, x=${text})`)).toEqual([`name E call m(y: number 1; x: ${expected})`])
  })

  test('a heredoc closes before brackets and commas', () => {
    expect(tree('D(d).suggest(v1{c=<<T\nhello\nT})')).toEqual([
      'get D(bare "d") call suggest(make v1{c: heredoc "hello\\n"})',
    ])
    expect(tree('D.m(a=<<T\nx\n T ,\nb=[<<T\ny\nT ])')).toEqual([
      'name D call m(a: heredoc "x\\n"; b: [heredoc "y\\n"])',
    ])
  })
})

describe('programs', () => {
  test('bindings come before roots', () => {
    expect(tree('repo = Repo(a, b)\n\ncommits = repo.commits ;; all\ncommits.limit(2), repo,\n')).toEqual([
      'repo := get Repo(bare "a"; bare "b")',
      'commits := name repo step commits',
      'name commits call limit(number 2)',
      'name repo',
    ])
  })

  test('several lines that bind nothing are all roots', () => {
    expect(tree('E\nF, G')).toEqual(['name E', 'name F', 'name G'])
  })

  test('comments are none inside text', () => {
    expect(tree('x = E{name="a;;b", c=d ;; e, f\n}\nx ;; => [e1] List')).toEqual([
      'x := query E{name = double "a;;b"; c = bare "d"}',
      'name x',
    ])
  })

  test('line breaks are blanks inside brackets', () => {
    expect(tree('E.create(\n  a=[\n1,\n2\n],\nb={\nc: d\n}\n)\n')).toEqual([
      'name E call create(a: [number 1; number 2]; b: {c: bare "d"})',
    ])
  })

  test('an arrow needs no binding on its left', () => {
    expect(tree('items = E\nitems => E(1).m(a=_.x)')).toEqual([
      'items := name E',
      'each <name items> <get E(number 1) call m(a: path _.x)>',
    ])
  })

  test('data is bound like rows', () => {
    expect(tree('a = 2024-01-31\nb = "x => y"\nc = [1]\na, b, c')).toEqual([
      'a := literal bare "2024-01-31"',
      'b := literal double "x => y"',
      'c := literal [number 1]',
      'name a',
      'name b',
      'name c',
    ])
  })

  test('a Markdown fence around the program is ignored', () => {
    expect(tree('\n```plasm\nE{a=1}\n```\n')).toEqual(['query E{a = number 1}'])
    expect(parse('```\nE{a=1}\n```').program.roots[0]?.span).toEqual({ start: 4, end: 10 })
  })

  test.each(VALID)('%s is accepted', (text) => {
    expect(parse(text).problems).toEqual([])
  })
})

test('every node has its span', () => {
  expect(parse('x = E(1).m(a=b)[c]').program.bindings).toEqual([
    {
      label: { text: 'x', span: { start: 0, end: 1 } },
      value: {
        kind: 'rows',
        head: {
          kind: 'get',
          entity: { text: 'E', span: { start: 4, end: 5 } },
          arguments: {
            positional: [{ kind: 'number', text: '1', span: { start: 6, end: 7 } }],
            named: [],
            span: { start: 5, end: 8 },
          },
          span: { start: 4, end: 8 },
        },
        segments: [
          {
            kind: 'call',
            name: { text: 'm', span: { start: 9, end: 10 } },
            arguments: {
              positional: [],
              named: [
                {
                  name: { text: 'a', span: { start: 11, end: 12 } },
                  value: { kind: 'bare', text: 'b', span: { start: 13, end: 14 } },
                  span: { start: 11, end: 14 },
                },
              ],
              span: { start: 10, end: 15 },
            },
            span: { start: 8, end: 15 },
          },
          {
            kind: 'project',
            fields: [{ names: [{ text: 'c', span: { start: 16, end: 17 } }], span: { start: 16, end: 17 } }],
            span: { start: 15, end: 18 },
          },
        ],
        span: { start: 4, end: 18 },
      },
      span: { start: 0, end: 18 },
    },
  ])
})
