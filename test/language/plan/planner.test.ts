import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowsOf } from '../../../src/language/plan/flows.ts'
import { planOfText, steps } from '../read.ts'
import { inBoth, inShop, library, shop } from '../sessions.ts'
import { pin } from '../../../src/catalog/digest.ts'

const digestOf = (program: string) => planOfText(program, inShop).digest

it('a get alone makes a complete plan', () => {
  const plan = planOfText('e1(c7)', inShop)
  const { digest } = pin(shop)
  expect(plan).toEqual({
    version: 1,
    nodes: [
      {
        id: 'n1',
        span: { start: 0, end: 6 },
        effect: 'read',
        inputs: [],
        entity: { catalog: 'shop', digest, entity: 'Customer' },
        shape: 'one',
        operation: {
          kind: 'get',
          capability: 'customer_get',
          identity: [
            {
              name: 'id',
              type: { kind: 'string', semantics: 'short' },
              operand: { kind: 'literal', value: 'c7' },
            },
          ],
          arguments: [],
        },
      },
    ],
    returns: [{ label: 'Customer', node: 'n1' }],
    catalogs: [{ catalog: 'shop', digest }],
    digest: plan.digest,
    flows: [],
    readFlows: [],
  })
  expect(plan.digest).toMatch(/^[\da-f]{64}$/)
  expect(Object.isFrozen(plan.nodes[0]?.operation)).toBe(true)
})

describe('reads', () => {
  it('sends parameters and filters by the other conditions', () => {
    expect(steps('e1{tier=gold, city=Paris}.limit(3)[id, name]', inShop)).toEqual([
      'n1: read many Customer query capability:customer_query arguments:[tier="gold"] filters:[city="Paris"] limit:3 needs:[id, name]',
      'n2: pure many Customer project source:n1 columns:[name:id path:[id], name:name path:[name]]',
    ])
  })
  it('a row whose key alone is used by relations is not read', () => {
    const first = (program: string) => steps(program, inShop)[0]?.replace(/ needs:.*$/, '')
    const get = 'one Customer get capability:customer_get identity:[id="c7"]'
    expect(first('e1(c7) => _.orders[id, _.id]')).toBe(`n1: pure ${get}`)
    expect(first('e1(c7) => _.orders[id, _.name]')).toBe(`n1: read ${get}`)
    expect(first('e1(c7).favorites[name]')).toBe(`n1: read ${get}`)
    expect(first('c = e1(c7)\nc.orders, c[name]')).toBe(`n1 c: read ${get}`)
    expect(first('c = e1(c7)\nc.orders, c => e2{customer=_.id}')).toBe(`n1 c: read ${get}`)
  })
  it('follows relations and references', () => {
    expect(steps('e1(c7).orders{status=paid}.lines.article, e2(o1).customer', inShop)).toEqual([
      'n1: pure one Customer get capability:customer_get identity:[id="c7"] needs:[] unread:true',
      'n2: read many Order relation source:n1 relation:orders arguments:[status="paid"] needs:[id]',
      'n3: read many OrderLine relation source:n2 relation:lines needs:[product]',
      'n4: read many Product relation source:n3 relation:article',
      'n5: read one Order get capability:order_get identity:[id="o1"] needs:[customer]',
      'n6: read one Customer reference source:n5 field:customer',
    ])
  })
  it('a search sends its text', () => {
    expect(steps('e4~"claw hammer"{category=tool, price<20}', inShop)).toEqual([
      'n1: read many Product query capability:product_search arguments:[q="claw hammer", category="tool"] filters:[price<20]',
    ])
  })
  it('equal reads share one node', () => {
    expect(steps('e4.aggregate(n=count), e4.group_by(category, n=count)', inShop)).toEqual([
      'n1: read many Product query capability:product_query needs:[category]',
      'n2: pure one aggregate source:n1 columns:[name:n function:count]',
      'n3: pure many aggregate source:n1 by:[name:category path:[category]] columns:[name:n function:count]',
    ])
  })
  it('puts a limit before columns, and leaves fields to it that nothing before it takes', () => {
    expect(steps('e4[name].limit(2)', inShop)).toEqual([
      'n1: read many Product query capability:product_query limit:2 needs:[name]',
      'n2: pure many Product project source:n1 columns:[name:name path:[name]]',
    ])
    expect(steps('e4.sort(price)[name, price].limit(2)', inShop)).toEqual([
      'n1: read many Product query capability:product_query needs:[name, price] later:[name]',
      'n2: pure many Product sort source:n1 path:[price] descending:false',
      'n3: pure many Product limit source:n2 count:2 fills:capability:product_query fields:[name]',
      'n4: pure many Product project source:n3 columns:[name:name path:[name], name:price path:[price]]',
    ])
    // What another step uses is filled by the read.
    expect(steps('a = e4\nb = a.sort(price).limit(2)[name]\na[name], b', inShop)[0]).toBe(
      'n1 a: read many Product query capability:product_query needs:[name, price]',
    )
  })
  it('does not push down a limit when the rows have other uses', () => {
    expect(steps('a = e4\nb = a.limit(2)\na, b', inShop)).toEqual([
      'n1 a: read many Product query capability:product_query',
      'n2 b: pure many Product limit source:n1 count:2',
    ])
    expect(steps('a = e4.page_size(5)\na.limit(9).limit(2)', inShop)).toEqual([
      'n1 a: read many Product query capability:product_query pageSize:5 limit:2',
    ])
  })
  it('a projection keeps the entity of its rows', () => {
    expect(steps('c = e1[name]\nc.orders', inShop)).toEqual([
      'n1: read many Customer query capability:customer_query needs:[]',
      'n2: read many Order relation source:n1 relation:orders',
    ])
  })
})

describe('effects', () => {
  it('a method on a get is called without a read', () => {
    expect(steps('o = e2(o1)\no.cancel(reason="late")', inShop)).toEqual([
      'n1: write one Order call capability:order_cancel identity:[id="o1"] arguments:[reason="late"]',
    ])
  })
  it('a method on a read row depends on that read', () => {
    expect(steps('o = e1(c7).orders{status=open}.limit(1)\no.remind', inShop)).toEqual([
      'n1: pure one Customer get capability:customer_get identity:[id="c7"] needs:[] unread:true',
      'n2 o: read many Order relation source:n1 relation:orders arguments:[status="open"] limit:1 needs:[]',
      'n3: side_effect one Order call capability:order_remind source:n2',
    ])
  })
  it('an unused bound write still runs', () => {
    expect(steps('x = e2(o1).cancel()\ny = e4\ne1(c7)', inShop)).toEqual([
      'n1 x: write one Order call capability:order_cancel identity:[id="o1"]',
      'n2: read one Customer get capability:customer_get identity:[id="c7"]',
    ])
  })
  it('an action without effects is planned as a read', () => {
    expect(steps('e4(3).forecast(on=tomorrow)', inShop)).toEqual([
      'n1: read one Product call capability:product_forecast identity:[id=3] arguments:[on="tomorrow"]',
    ])
  })
  it('reports data that flows from one catalog into a write of another', () => {
    const plan = planOfText(
      'b = e5(x1)\nt = b[title] <<T\n{{ rows[0].title }}\nT\ne2(o1).cancel(reason="${t.content}")',
      inBoth,
    )
    expect(plan.flows).toEqual([{ from: 'library', to: 'shop', node: plan.nodes.at(-1)?.id }])
    expect(plan.catalogs.map(({ catalog }) => catalog)).toEqual(['library', 'shop'])
  })
  it('reports the catalog behind a page handle, and data in the arguments of reads', () => {
    const page = planOfText(
      'p = page(s0_pg1)\nt = p <<T\n{{ rows[0].title }}\nT\ne2(o1).cancel(reason="${t.content}")',
      inBoth,
    )
    expect(page.flows).toEqual([])
    const pages = new Map([['s0_pg1', ['library']]])
    expect(flowsOf(page.nodes, pages).flows).toMatchObject([{ from: 'library', to: 'shop' }])
    const read = planOfText('b = e5(x1)\ne1~"${b.title}"', inBoth)
    expect([read.flows, read.readFlows]).toMatchObject([[], [{ from: 'library', to: 'shop' }]])
  })
  it('data of a kept page flows from the catalog that its rows came from', () => {
    const entity = { catalog: 'library', digest: pin(library).digest, entity: 'Book' }
    const scope = { ...inBoth, pages: new Map([['s0_pg1', { entity }]]) }
    const plan = planOfText('b = page(s0_pg1).limit(1).singleton()\ne2(o1).cancel(reason=b.title)', scope)
    expect(plan.flows).toEqual([{ from: 'library', to: 'shop', node: plan.nodes.at(-1)?.id }])
  })
})

describe('for each row', () => {
  it('the body is a call, a get or a query', () => {
    expect(steps('c = e1{tier=gold}\nc => e1(_.id).update(notes="hi ${_.name}")', inShop)).toEqual([
      'n1 c: read many Customer query capability:customer_query arguments:[tier="gold"] needs:[id, name]',
      'n2: write many Customer each source:n1 body:kind:call capability:customer_update identity:[id=_.id] arguments:[notes="hi ${_.name}"]',
    ])
    expect(steps('c = e1\nc => e2{customer=_}.limit(2)', inShop)).toEqual([
      'n1 c: read many Customer query capability:customer_query needs:[]',
      'n2: read many Order each source:n1 body:kind:query capability:order_query arguments:[customer=_] limit:2',
    ])
  })
  it('a step after the body runs once over all rows', () => {
    expect(steps('c = e1\nc => e1(_.id).orders[total]', inShop)).toEqual([
      'n1 c: read many Customer query capability:customer_query needs:[id]',
      'n2: read many Customer each source:n1 body:kind:get capability:customer_get identity:[id=_.id] needs:[]',
      'n3: read many Order relation source:n2 relation:orders needs:[total]',
      'n4: pure many Order project source:n3 columns:[name:total path:[total]]',
    ])
  })
  it('literal rows can be looped over', () => {
    expect(steps('d = [{id: c1, n: 2}]\nd => e1(_.id).update(name=_.n)', inShop)).toEqual([
      'n1 d: pure many data value:[{"id":"c1","n":2}]',
      'n2: write many Customer each source:n1 body:kind:call capability:customer_update identity:[id=_.id] arguments:[name=_.n]',
    ])
  })
})

describe('the digest', () => {
  it('ignores labels and source positions', () => {
    const one = 'a = e1{tier=gold}\nb = a.orders\nb[id]'
    const other = ';; a note\nfirst = Customer{tier="gold"}\n\nsecond = first.orders\nsecond[id]'
    expect(digestOf(one)).toBe(digestOf(other))
    expect(digestOf(one)).toBe(digestOf('e1{tier=gold}.orders[id]'))
  })
  it('changes with what the program does', () => {
    const programs = [
      'e1',
      'e1.limit(2)',
      'e1.limit(3)',
      'e1{tier=gold}',
      'e1{tier=silver}',
      'e1, e4',
      'e4, e1',
      'e1[id]',
      'e1[id, name]',
      'e1[name, id]',
    ]
    expect(new Set(programs.map(digestOf)).size).toBe(programs.length)
  })
  it('is equal under any renaming of labels', () => {
    const label = fc
      .stringMatching(/^[a-z]{4,8}$/)
      .filter((name) => !['page', 'return', 'count'].includes(name))
    fc.assert(
      fc.property(fc.uniqueArray(label, { minLength: 3, maxLength: 3 }), ([a = 'a', b = 'b', c = 'c']) => {
        const program = `${a} = e1(c7)\n${b} = ${a}.orders.limit(1)\n${c} = { t: "\${${a}.name}", n: ${b}.total }\n${c}, ${b}`
        expect(digestOf(program)).toBe(
          digestOf('x = e1(c7)\ny = x.orders.limit(1)\nz = { t: "${x.name}", n: y.total }\nz, y'),
        )
      }),
    )
  })
})

it('distinguishes literals that look like plan nodes', () => {
  const [one, other] = ['here', 'there'].map(
    (text) => `x = {kind: node, path: [a], text: ${text}, type: ${text}}\ne1(c7).update(notes="\${x.text}")`,
  )
  expect(digestOf(one ?? '')).not.toBe(digestOf(other ?? ''))
})
