import { describe, expect, it } from 'vitest'
import { atDesk, inBoth, inShop, library, sessionOf, shop } from '../../sessions.ts'
import { desk } from '../../desk-catalog.ts'
import { messagesOf, problemLines } from '../../problem-lines.ts'

describe('entities', () => {
  it('an ambiguous entity name lists its symbols', () => {
    expect(messagesOf('Order(o1)', inBoth)).toBe(
      '`Order` is an entity of several catalogs: e2 (shop), e7 (library). Write the symbol of the intended one.',
    )
    expect(
      problemLines(
        'shop.Order(o1), lending.Order("0b7f0a52-3a1d-4a57-9c5b-0e8f5f1a2b3c"), shop.Customer.limit(2)',
        inBoth,
      ),
    ).toEqual([])
  })
  it('a misspelt name is corrected', () => {
    expect(problemLines('custmer{tier=gold}', inShop)).toEqual([
      'unknown_entity: custmer -> Customer{tier=gold}',
    ])
    expect(problemLines('customer(c7)', inShop)).toEqual(['unknown_entity: customer -> Customer(c7)'])
    expect(problemLines('Clerk(a1)', atDesk)).toEqual([])
  })
  it('an unassigned symbol is unknown', () => {
    expect(problemLines('e99', inShop)).toEqual(['unknown_symbol: e99'])
    expect(problemLines('p1', inShop)).toEqual(['wrong_symbol: p1'])
  })
  it('a symbol of a changed catalog is refused', () => {
    const changed = sessionOf(
      [shop, 'Customer', 'Product'],
      [{ ...shop, description: 'another' }, 'Customer'],
    )
    expect(problemLines('e1(c7), e3(c7)', changed)).toEqual(['dead_symbol: e1'])
    expect(problemLines('Customer(c7)', changed)).toEqual([])
    expect(problemLines('Product(1)', changed)).toEqual(['dead_symbol: Product'])
    expect(problemLines('e3{p1=x}', changed)).toEqual(['dead_symbol: p1'])
  })
  it('hidden entities are indistinguishable from missing ones', () => {
    const hidden = { ...inBoth, allows: (catalog: string) => catalog !== 'library' }
    const without = sessionOf([shop])
    expect(messagesOf('Book(x)', hidden)).toBe(messagesOf('Book(x)', without))
    expect(problemLines('Order(o1)', hidden)).toEqual([])
    const noOrders = {
      ...inShop,
      allows: (_: string, capability: string) => !capability.startsWith('order_query'),
    }
    expect(problemLines('e1(c7).orders', noOrders)).toEqual(['unknown_step: orders'])
    expect(problemLines('e1(c7).ordrs', noOrders)).toEqual(['unknown_step: ordrs'])
  })
})

describe('names after a dot', () => {
  it('distinguishes relations, references and methods', () => {
    expect(
      problemLines('e2(o1).lines, e2(o1).customer, e2(o1).cancel, e1(c7).orders.lines.article', inShop),
    ).toEqual([])
    expect(problemLines('e1(c7).name', inShop)).toEqual(['not_navigable: name -> e1(c7)[name]'])
    expect(problemLines('e1(c7).ordrs', inShop)).toEqual(['unknown_step: ordrs -> e1(c7).orders'])
  })
  it('methods resolve by label, name and symbol', () => {
    const calls = [
      'e2(o1).cancel()',
      'e2(o1).order_cancel()',
      'e2(o1).order-cancel',
      'e1(c7).order_query(status=open)',
    ]
    expect(calls.map((call) => problemLines(call, inShop))).toEqual([[], [], [], []])
  })
  it('an ambiguous method name is reported', () => {
    const capabilities = desk.capabilities.map((one) => ({ ...one, label: one.label.replace('-now', '') }))
    const twice = sessionOf([{ ...desk, capabilities }])
    expect(problemLines('e2(b1).revoke', twice)).toEqual(['ambiguous_method: revoke'])
    expect(problemLines('e2(b1).badge_revoke_now', twice)).toEqual([])
  })
  it('a documented-only relation suggests a query', () => {
    expect(messagesOf('e1(c7).complaints', inShop)).toBe(
      'No call reads the relation `complaints` of Customer (e1). Ask for them: e2{customer=e1(id)}.',
    )
  })
  it('an unexposed target suggests a seed', () => {
    expect(problemLines('e1(c7).orders', sessionOf([shop, 'Customer']))).toEqual([
      'target_not_exposed: orders',
    ])
    expect(problemLines('e2(o1).invoice', inShop)).toEqual([])
  })
  it('a reverse step finds the referring entity', () => {
    expect(problemLines('e1(c7).^e2{status=open}', inShop)).toEqual([])
    expect(problemLines('e4(1).^e2', inShop)).toEqual(['no_reverse: e2'])
  })
})

describe('fields', () => {
  it('fields of other entities are unknown', () => {
    expect(problemLines('e1[id, total]', inShop)).toEqual(['unknown_field: total'])
    expect(problemLines('e1{p20=3}', inShop)).toEqual(['wrong_symbol: p20'])
    expect(problemLines('e1{nmae=x}', inShop)).toEqual(['unknown_predicate: nmae -> e1{name=x}'])
  })
  it('a condition may follow a reference field', () => {
    expect(problemLines('e2{customer=c7, customer.tier=gold}', inShop)).toEqual([])
    expect(problemLines('e2{customer=c7, customer.teir=gold}', inShop)).toEqual([
      'unknown_field: teir -> e2{customer=c7, customer.tier=gold}',
    ])
  })
  it('a misspelt label or key is corrected', () => {
    expect(problemLines('gold = e1{tier=gold}\ngodl.orders', inShop)).toEqual([
      'unknown_entity: godl -> gold = e1{tier=gold}\ngold.orders',
    ])
    expect(problemLines('e3(order=o1, numbr=2)', inShop)).toEqual([
      'wrong_key: (order=o1, numbr=2) -> e3(order=o1, number=2)',
    ])
  })
  it('a get needs exactly the key', () => {
    expect(problemLines('e3(order_id=o1)', inShop)).toEqual(['wrong_key: (order_id=o1)'])
    expect(problemLines('e3(o1)', inShop)).toEqual(['wrong_key: (o1)'])
    expect(problemLines('e3(o1/2), e1(id=c7), e4{id=3}', inShop)).toEqual([])
    expect(problemLines('e1()', inShop)).toEqual(['empty_get: ()'])
  })
})

describe('queries', () => {
  it('equally good queries are listed', () => {
    expect(messagesOf('e3{owner=a1, badge=b1}', atDesk)).toBe(
      'Several queries of Ticket (e3) fit: `e3.by-owner(owner=Agent)`, `e3.by-badge(badge=Badge)`. Add a parameter that only one of them has, or call one by name.',
    )
    expect(problemLines('e3{owner=a1}, e3{badge=b1}, e3.by-badge(badge=b1)', atDesk)).toEqual([])
  })
  it('an entity without a list suggests an alternative', () => {
    expect(messagesOf('e2', atDesk)).toBe(
      'Badge (e2) cannot be listed. Reach it by a relation of another entity.',
    )
    expect(messagesOf('e1~"x"', atDesk)).toBe(
      'Agent (e1) cannot be searched. List it with conditions: e1{field=value}.',
    )
  })
})

it('symbols of a second catalog continue the numbering', () => {
  expect(
    sessionOf([shop], [library]).space.entities.map(({ symbol, entity }) => `${symbol} ${entity}`),
  ).toEqual(['e1 Customer', 'e2 Order', 'e3 OrderLine', 'e4 Product', 'e5 Book', 'e6 Copy', 'e7 Order'])
})
