import { expect, it } from 'vitest'
import { steps } from '../../read.ts'
import { fixtureCatalog } from '../../../engine/fixtures.ts'
import { atDesk, inShop, sessionOf } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('options and types are checked before any call', () => {
  expect(problemLines('e1{tier=golde}', inShop)).toEqual(['not_an_option: golde -> e1{tier=gold}'])
  expect(problemLines('e4{price>abc}, e4(three)', inShop)).toEqual([
    'value_mismatch: abc',
    'value_mismatch: three',
  ])
})
it('ids keep their digits', () => {
  expect(steps('e1(123456789012345678901), e4(12345678901234567890)', inShop)).toEqual([
    'n1: read one Customer get capability:customer_get identity:[id="123456789012345678901"]',
    'n2: read one Product get capability:product_get identity:[id="12345678901234567890"]',
  ])
})
it('scalars, lists and references are checked against their slots', () => {
  expect(steps('e2.create(customer=e1(c7), products=[e4(1), "2", 3], gift=TRUE)', inShop)).toEqual([
    'n1: write one Order call capability:order_create arguments:[customer="c7", products=[1,2,3], gift=true]',
  ])
})
it('union variants are selected by name or symbol', () => {
  expect(steps('e3(t1).apply(edits=[v101{ref=r, text="a ${b}"}, clear{}], first=u2{})', atDesk)).toEqual([
    'n1: write one Ticket call capability:ticket_apply identity:[id="t1"] arguments:[edits=[{"op":"replace_block","ref":"r","text":"a ${b}"},{"op":"clear_all"}], first={"op":"clear_all"}]',
  ])
  expect(problemLines('e3(t1).apply(edits=replcae{ref=r})', atDesk)).toEqual([
    'unknown_variant: replcae -> e3(t1).apply(edits=replace{ref=r})',
  ])
  expect(problemLines('e3(t1).apply(edits=replace{text=r})', atDesk)).toEqual([
    'missing_argument: replace{text=r}',
  ])
})
it('only bound labels are interpolated', () => {
  expect(
    steps('c = e1(c7)\ne1(c8).update(notes="${c.name} ${HOME} $$5", name=c.name, email="$$")', inShop),
  ).toEqual([
    'n1 c: read one Customer get capability:customer_get identity:[id="c7"] needs:[name]',
    'n2: write one Customer call capability:customer_update identity:[id="c8"] arguments:[notes="${n1.name} ${HOME} $5", name=n1.name, email="$"]',
  ])
})
it('null omits an argument, quoted null is text', () => {
  expect(steps('e2(o1).cancel(reason=null), e2(o2).cancel(reason="null")', inShop)).toEqual([
    'n1: write one Order call capability:order_cancel identity:[id="o1"] arguments:[reason=null]',
    'n2: write one Order call capability:order_cancel identity:[id="o2"] arguments:[reason="null"]',
  ])
})
it('text for a blob is wrapped in braces', () => {
  const atHarbor = sessionOf([fixtureCatalog('harbor')])
  expect(problemLines('Ship(1).papers(papers="the papers")', atHarbor)).toEqual([
    'value_mismatch: "the papers" -> Ship(1).papers(papers={text: "the papers"})',
  ])
  expect(problemLines('Ship(1).papers(papers=<<T\nthe papers\nT\n)', atHarbor)).toEqual([
    'value_mismatch: <<T\nthe papers\nT -> Ship(1).papers(papers={text: <<T\nthe papers\nT}\n)',
  ])
  expect(problemLines('Ship(1).papers(papers={text: <<T\nthe papers\nT}\n)', atHarbor)).toEqual([])
  expect(problemLines('Ship(1).papers(papers={txt: "a"})', atHarbor)).toEqual([
    'unknown_argument: txt -> Ship(1).papers(papers={text: "a"})',
  ])
})
it('an option wins over a label of entity rows', () => {
  expect(steps('gold = e1{tier=gold}\ne1{tier=gold}.limit(1), gold', inShop)).toEqual([
    'n1: read many Customer query capability:customer_query arguments:[tier="gold"]',
    'n2: pure many Customer limit source:n1 count:1',
  ])
  expect(steps('gold = "silver"\ne1{tier=gold}', inShop)[1]).toContain('arguments:[tier=n1.content]')
})
it('a label is plain text inside its own value', () => {
  expect(problemLines('Paris = e1{city=Paris}\nParis', inShop)).toEqual([])
  expect(problemLines('Paris = e1{city=Paris.id}\nParis', inShop)).toEqual(['forward_reference: Paris'])
})
it('an unbound word is text', () => {
  expect(steps('e1(c7).update(name=report.title, notes=Sprint Sandbox)', inShop)).toEqual([
    'n1: write one Customer call capability:customer_update identity:[id="c7"] arguments:[name="report.title", notes="Sprint Sandbox"]',
  ])
})
