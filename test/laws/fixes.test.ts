import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProgram } from '../../src/language/program.ts'
import { applyFix } from '../../src/language/syntax/fix.ts'
import { mutated } from '../language/generators.ts'
import { inShop } from '../language/sessions.ts'
import { cases } from '../law-cases.ts'

/** Slips of programs as agents write them, with two values of the agent, and the one right form where there is one. */
const SLIPS: readonly ((a: string, b: number) => readonly [slip: string, right?: string])[] = [
  (a) => [`e1(${a}).orders()`, `e1(${a}).orders`],
  (a) => [`e1(${a}).orders(status=paid)`, `e1(${a}).orders{status=paid}`],
  (a) => [`e1(${a}).name()`, `e1(${a})[name]`],
  (a) => [`e4{maker=${a}}.sort(-price)`, `e4{maker=${a}}.sort(price, desc)`],
  (a) => [`e4{maker=${a}}.sort(by=price, order=desc)`, `e4{maker=${a}}.sort(price, desc)`],
  (a) => [`e4{maker=${a}}.aggregate(count(*))`, `e4{maker=${a}}.aggregate(n=count)`],
  (a) => [`e4{maker=${a}}.group_by(category).count()`, `e4{maker=${a}}.group_by(category, count)`],
  (a, b) => [
    `SELECT name FROM e4 WHERE maker = '${a}' AND price > ${b} LIMIT 5`,
    `e4{maker='${a}', price>${b}}.limit(5)[name]`,
  ],
  (a) => [`c = await e1(${a})\nc`, `c = e1(${a})\nc`],
  (a) => [`# the customer ${a}\ne1(${a})`, `;; the customer ${a}\ne1(${a})`],
  (a) => [`// the customer\ne1(${a})`, `;; the customer\ne1(${a})`],
  (a) => [`- e1(${a})`, `e1(${a})`],
  (a) => [`1. e1(${a})\n2. e4`, `e1(${a})\ne4`],
  (a) => [`Here is the program:\n\`\`\`\ne1(${a})\n\`\`\``],
  (a) => [`e4.filter(maker=${a})`, `e4{maker=${a}}`],
  (a, b) => [`e4.where(maker=${a}, price>${b})`, `e4{maker=${a}, price>${b}}`],
  (a, b) => [`e4.filter(p => p.maker === "${a}" && p.price >= ${b})`, `e4{maker="${a}", price>=${b}}`],
  (a, b) => [`e4{maker=${a}, limit=${b}}`, `e4{maker=${a}}.limit(${b})`],
  (a, b) => [`e4{maker=${a}, limit=${b}, order_by=-price}`, `e4{maker=${a}}.sort(price, desc).limit(${b})`],
  (a) => [`e4{maker=${a}}[0]`, `e4{maker=${a}}.limit(1)`],
  (a, b) => [`e4{maker=${a}}[:${b}]`, `e4{maker=${a}}.limit(${b})`],
  (a) => [`e4{maker=${a}}[*]`, `e4{maker=${a}}`],
  (a, b) => [`e4{maker=${a}, price between ${b} and 2000}`, `e4{maker=${a}, price>=${b}, price<=2000}`],
  (a) => [`e4{maker=${a}}.distinct(category)`, `e4{maker=${a}}.group_by(category, n=count)`],
  (a) => [`e1{city=${a}, joined_after=now()}`, `e1{city=${a}, joined_after=now}`],
  (a, b) => [`e4{maker=${a}}[0:${b}]`, `e4{maker=${a}}.limit(${b})`],
  (a) => [`e4{maker=${a}}.sort("-price")`, `e4{maker=${a}}.sort(price, desc)`],
  (a, b) => [`e4{maker=${a}}.filter(_.stock > ${b})`, `e4{maker=${a}}{stock > ${b}}`],
  (a, b) => [
    `e4{maker=${a}}.group_by(maker, n=count).having(n > ${b})`,
    `e4{maker=${a}}.group_by(maker, n=count){n > ${b}}`,
  ],
  (a) => [
    `e4{maker=${a}}.group_by(maker, stock).count().sort(count, desc)`,
    `e4{maker=${a}}.group_by(maker, stock, count).sort(count, desc)`,
  ],
  (a, b) => [`Customer(${b}).update({name: "${a}"})`, `Customer(${b}).update(name="${a}")`],
  (a) => [`for p in e4{maker=${a}}:\n    p.restock(quantity=2)`, `e4{maker=${a}} => _.restock(quantity=2)`],
  (a) => [
    `for (const p of e4{maker=${a}}) { p.restock(quantity=2); }`,
    `e4{maker=${a}} => _.restock(quantity=2)`,
  ],
  (a, b) => [
    `a = e4{maker=${a}}\nb = e4(${b})\n[a, b][name]`,
    `a = e4{maker=${a}}\nb = e4(${b})\na[name], b[name]`,
  ],
  (a, b) => [`e4{maker=${a}} | sort(price) | limit(${b})`, `e4{maker=${a}}.sort(price).limit(${b})`],
  (a, b) => [
    `e4{maker=${a} AND name IN (x,y)} order by price desc limit ${b}`,
    `e4{maker=${a}, name=[x,y]}.sort(price, desc).limit(${b})`,
  ],
  (a) => [`e4{maker=${a}}.group_by(category).order_by(count desc)`],
  (a) => [`e4{maker=${a}}.map(p => ({title: p.name}))`, `e4{maker=${a}}[title=name]`],
  (a) => [`e4{maker like '%${a}%'}`, `e4{maker~"${a}"}`],
  (a) => [`e4{maker contains "${a}"}`, `e4{maker~"${a}"}`],
  (a, b) => [`e3(${a}, ${b})`, `e3(order_id=${a}, number=${b})`],
  (a, b) => [`e3(${a}#${b})`, `e3(order_id=${a}, number=${b})`],
  (a) => [`Customer#${a}.update(name=x)`, `Customer(${a}).update(name=x)`],
  (a) => [
    `e1.create(name=Ann, email=x, notes="""${a}\nand more""")`,
    `e1.create(name=Ann, email=x, notes=<<TEXT\n${a}\nand more\nTEXT\n)`,
  ],
  (a) => [`e4{maker=${a}}.restock(quantity=2)`, `e4{maker=${a}} => _.restock(quantity=2)`],
  (a) => [`e1.add(name=${a}, email=x)`, `e1.create(name=${a}, email=x)`],
  (a) => [`e4{maker=${a}}.map(p => p.name)`, `e4{maker=${a}}[name]`],
  (a) => [`x = e4{maker=${a}}; x`, `x = e4{maker=${a}}\nx`],
  (a) => [`e4{maker=${a} && stock>3}`, `e4{maker=${a}, stock>3}`],
  (a, b) => [`e4(${b}).restock(quantity=2, colour=${a})`],
  (a) => [`e1{tier=golden, city=${a}}`],
]

const values = fc.tuple(
  fc.stringMatching(/^[a-z]{4,8}[0-9]$/).filter((word) => word !== 'null'),
  fc.integer({ min: 1, max: 999 }),
)

/** What is wrong with the fixes of a program; `literals` must stay. */
function wrongFixes(text: string, literals: readonly string[] = []): readonly string[] {
  const read = readProgram(text, inShop)
  return (read.ok ? [] : read.problems).flatMap(({ fix }) => {
    if (!fix) return []
    const fixed = applyFix(text, fix)
    const again = readProgram(fixed, inShop)
    return [
      ...(fixed === text ? [`${text}: the fix equals the program`] : []),
      ...(again.ok ? [] : [`${fixed}: does not check`]),
      ...literals.filter((one) => !fixed.includes(one)).map((one) => `${fixed}: lost ${one}`),
    ]
  })
}

describe('a fix', () => {
  test('checks, changes the program and keeps its literals', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(fc.constantFrom(...SLIPS), values, (slip, [word, number]) => {
        const [text] = slip(word, number)
        const isNumbered = slip(word, number + 1)[0] !== text
        const literals = [word, ...(isNumbered ? [String(number)] : [])]
        expect(wrongFixes(text, literals)).toEqual([])
      }),
      { numRuns: cases(20_000) },
    )
  })

  test('of any damaged program checks and changes it', { timeout: 900_000 }, () => {
    const programs = fc.constantFrom(...SLIPS.map((slip) => slip('abcd1', 7)[0]))
    fc.assert(
      fc.property(mutated(programs), (text) => {
        expect(wrongFixes(text)).toEqual([])
      }),
      { numRuns: cases(50_000) },
    )
  })

  test.each(SLIPS.map((slip) => slip('abcd1', 7)).filter(([, right]) => right !== undefined))(
    'of %j leads to %j in one step',
    (text = '', right = '') => {
      const read = readProgram(text, inShop)
      expect(read.ok).toBe(false)
      const fixes = read.ok ? [] : read.problems.flatMap(({ fix }) => (fix ? [applyFix(text, fix)] : []))
      expect(fixes).toContain(right)
    },
  )

  test('never drops what the agent wrote', () => {
    expect(wrongFixes('e4(7).restock(quantity=2, colour=red)')).toEqual([])
    const read = readProgram('e4(7).restock(quantity=2, colour=red)', inShop)
    expect(read.ok || read.problems.map(({ fix }) => fix)).toEqual([undefined])
  })
})
