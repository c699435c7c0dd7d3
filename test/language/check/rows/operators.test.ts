import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('counts are positive integers', () => {
  expect(problemLines('e1.limit(0), e1.limit(x), e1.page_size(2)', inShop)).toEqual([
    'wrong_count: (0)',
    'wrong_count: (x)',
  ])
})
it('sort directions are asc and desc', () => {
  expect(problemLines('e1.sort(name, newest)', inShop)).toEqual(['unknown_direction: newest'])
  expect(problemLines('e1.sort(name), e1.sort(name, descending), e1.sort(name desc)', inShop)).toEqual([])
})
it('aggregates need a name and a known function', () => {
  expect(problemLines('e4.aggregate(sum(price))', inShop)).toEqual([
    'unnamed_aggregate: sum(price) -> e4.aggregate(sum_price=sum(price))',
  ])
  expect(problemLines('e4.aggregate(n=median(price))', inShop)).toEqual(['unknown_function: median'])
  expect(
    problemLines(
      'e4.aggregate(count), e4.aggregate(aggregate(count)), e4.group_by(category, n=count)',
      inShop,
    ),
  ).toEqual([])
  expect(problemLines('e4.aggregate()', inShop)).toEqual(['operator_arguments: ()'])
})
it('computed rows have columns and no relations', () => {
  expect(problemLines('t = e4.aggregate(n=count)\nt.orders', inShop)).toEqual(['unknown_step: orders'])
  expect(problemLines('t = e4.aggregate(n=count)\nt.n', inShop)).toEqual([
    'not_navigable: n -> t = e4.aggregate(n=count)\nt[n]',
  ])
})
it('operators need parentheses', () => {
  expect(problemLines('e1.singleton', inShop)).toEqual(['operator_arguments: singleton -> e1.singleton()'])
})
it('a template over unknown columns must name them', () => {
  expect(problemLines('x = page(s0_pg1)\nx <<T\nhi\nT', inShop)).toEqual(['template_columns: <<T\nhi\nT'])
  expect(problemLines('x = page(s0_pg1)\nx[id] <<T\n{{ rows[0].id }}\nT', inShop)).toEqual([])
})
it('operators over all rows are refused inside a loop', () => {
  expect(problemLines('e1 => e2{customer=_.id}.sort(total)', inShop)).toEqual([
    'not_per_row: e2{customer=_.id}.sort(total)',
  ])
  expect(problemLines('e1 => page(s0_pg1)', inShop)).toEqual(['each_body: page(s0_pg1)'])
  expect(problemLines('_.id', inShop)).toEqual(['cursor_outside: _'])
})
it('conditions cannot follow a method', () => {
  expect(problemLines('e2(o1).cancel{reason=x}', inShop)).toEqual(['takes_no_predicates: .cancel{reason=x}'])
})
