import fc from 'fast-check'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { httpWire } from '../../src/adapters/wire/http.ts'
import { secretReader } from '../../src/adapters/wire/secrets.ts'
import { readProgram } from '../../src/language/program.ts'
import { applyFix } from '../../src/language/syntax/fix.ts'
import { testEngine } from '../engine/engines.ts'
import { fixtureCatalog, setOf } from '../engine/fixtures.ts'
import { checkText } from '../language/read.ts'
import { inBoth, library, shop } from '../language/sessions.ts'
import { breaksOf, KINDS, type Kind } from './breakers.ts'
import { cases } from '../law-cases.ts'
import { RIGHT } from './valid-programs.ts'

interface Broken {
  readonly kind: Kind
  readonly program: string
  readonly original: string
}

const anyBroken = fc
  .tuple(fc.constantFrom(...RIGHT), fc.constantFrom(...KINDS), fc.nat(), fc.infiniteStream(fc.nat()))
  .map(([original, kind, which, stream]): Broken | undefined => {
    const pick = (most: number) => stream.next().value % (most + 1)
    const breaks = breaksOf(original, kind, pick)
    const chosen = breaks[which % Math.max(1, breaks.length)]
    if (!chosen) return undefined
    const { span, text } = chosen
    return { kind, original, program: original.slice(0, span.start) + text + original.slice(span.end) }
  })
  .filter((broken) => broken !== undefined)

/** Wrong programs, always the same ones. */
const BROKEN: readonly Broken[] = fc.sample(anyBroken, { numRuns: cases(100_000), seed: 2026 })
/** Those that shares are taken of: what a share says must not hang on luck. */
const SOME = BROKEN.slice(0, 2000)

test('the broken program was valid before the change', () => {
  const wrong = RIGHT.flatMap((program) =>
    checkText(program, inBoth).problems.map(({ code }) => `${code}: ${program}`),
  )
  expect(wrong).toEqual([])
  const kinds = new Set(BROKEN.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(KINDS.toSorted())
})

/** An API that never answers and counts what reaches it. */
async function counter() {
  const reached = { sockets: 0, bytes: 0 }
  const server = createServer((socket) => {
    reached.sockets++
    socket.on('data', (chunk) => (reached.bytes += chunk.length))
    socket.on('error', () => undefined)
    setImmediate(() => socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return { reached, origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

/** An engine with both catalogs behind the counter, where every write may run at once. */
async function engineOn(origin: string) {
  const wire = httpWire({
    secrets: secretReader({ LIBRARY_TOKEN: 'secret' }),
    allowPrivate: () => true,
    userAgent: 'plasmid-test',
  })
  const { gateway, swap } = testEngine({ wire, effectPolicy: () => 'allow' })
  swap(setOf(fixtureCatalog('shop', { origin }), fixtureCatalog('library', { origin })))
  for (const { id, entities } of [shop, library]) {
    const seeds = entities.filter((one) => !one.abstract).map(({ name }) => ({ api: id, entity: name }))
    await gateway.context(LOCAL_USER, { intent: 'zero wire', seeds })
  }
  const { signal } = new AbortController()
  const run = (program: string) => gateway.run(LOCAL_USER, { logical_session_ref: 's0', program }, { signal })
  return { run, close: () => wire.shutDown() }
}

test('a wrong program sends no byte to an API', { timeout: 900_000 }, async () => {
  const { reached, origin, close } = await counter()
  const engine = await engineOn(origin)
  try {
    const passed: string[] = []
    for (const { kind, program } of BROKEN) {
      const reply = await engine.run(program)
      if (reply.ok) passed.push(`${kind}: ${program}`)
    }
    expect(passed).toEqual([])
    expect(reached).toEqual({ sockets: 0, bytes: 0 })
    // The same engine does reach the same counter with a program that is right.
    await engine.run('Customer.create(name="Ada", email="ada@example.org")')
    expect(reached.sockets).toBeGreaterThan(0)
  } finally {
    await engine.close()
    close()
  }
})

describe('a fix', () => {
  const digestOf = (program: string) => {
    const read = readProgram(program, inBoth)
    return read.ok ? read.plan.digest : undefined
  }

  /** What the first fix that is offered makes of the program: still wrong, right, or what it was. */
  const mended = ({ program, original }: Broken): 'wrong' | 'right' | 'as it was' => {
    const fix = checkText(program, inBoth).problems.find((problem) => problem.fix)?.fix
    const digest = fix && digestOf(applyFix(program, fix))
    return digest === undefined ? 'wrong' : digest === digestOf(original) ? 'as it was' : 'right'
  }

  /** The argument that no parameter resembles. */
  const STRANGE = 'zigzag='
  const outcomesOf = (kind: (typeof SOME)[number]['kind']) =>
    SOME.filter((broken) => broken.kind === kind).map((broken) => ({
      program: broken.program,
      outcome: mended(broken),
    }))

  test.each(['name', 'enum', 'unknown argument'] as const)('mends a wrong %s', (kind) => {
    const outcomes = outcomesOf(kind).filter(({ program }) => !program.includes(STRANGE))
    const missed = outcomes.filter(({ outcome }) => outcome === 'wrong')
    const others = outcomes.filter(({ outcome }) => outcome === 'right')
    // What was missed is shown where the share does not hold.
    expect(missed.length <= outcomes.length * 0.1 ? [] : missed).toEqual([])
    expect(others.length + missed.length <= outcomes.length * 0.2 ? [] : others).toEqual([])
  })

  test('makes a call on many rows a call for each', () => {
    const outcomes = outcomesOf('cardinality')
    const missed = outcomes.filter(({ outcome }) => outcome === 'wrong')
    expect(missed.length <= outcomes.length * 0.1 ? [] : missed).toEqual([])
  })

  test('never drops an argument: one that nothing is close to has no fix', () => {
    const unknown = SOME.filter(({ program }) => program.includes(STRANGE))
    expect(unknown.length).toBeGreaterThan(5)
    const fixed = unknown.filter(({ program }) => checkText(program, inBoth).problems.some(({ fix }) => fix))
    expect(fixed.map(({ program }) => program)).toEqual([])
  })
})
