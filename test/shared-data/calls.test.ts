import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { destinationOf } from '../../src/adapters/wire/destination.ts'
import { requestOf } from '../../src/adapters/wire/request.ts'
import type { Problem } from '../../src/base/diagnostic.ts'
import { pin } from '../../src/catalog/digest.ts'
import { indexOf } from '../../src/catalog/lookup.ts'
import { boundBy, gapsOf } from '../../src/catalog/variables.ts'
import { requestOf as templateOf, viewOf } from '../../src/catalog/call.ts'
import { capabilitiesUsedBy } from '../../src/catalog/uses.ts'
import type { Capability, ServedCatalog } from '../../src/catalog/model.ts'
import { needsTarget, targetParameters } from '../../src/catalog/target.ts'
import { execute } from '../../src/execution/executor.ts'
import type { Wire, WireCall } from '../../src/execution/wire.ts'
import { readProgram } from '../../src/language/program.ts'
import { readingOf } from '../readings.ts'
import { worldOf } from '../execution/plans.ts'
import { sessionOf } from '../language/sessions.ts'
import { cases } from '../law-cases.ts'
import { answerOf } from './calls/answers.ts'
import { reachedBy } from './calls/reached.ts'
import { argumentsOf, rowKeyOf } from './calls/written.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/*
 * Each capability of the shared catalogs is called with generated arguments: the request is one that can be sent and holds
 * every argument, and the answer, made of the catalog's own fields, is read back whole.
 */

interface Seen {
  readonly capability: string
  readonly method: string
  /** Path, query, headers and body, decoded. */
  readonly text: string
}

/** Takes each request as HTTP would be sent, and answers it by its capability. */
function recorder(catalog: ServedCatalog, seen: Seen[]): Wire {
  return {
    send: async (call) => {
      seen.push(await recorded(call))
      const capability = indexOf(catalog).capabilities.get(call.capability ?? '')
      if (!capability) throw new Error(`a call without a capability: ${call.capability}`)
      const { body } = answerOf(catalog, capability)
      return { ok: true, reply: { status: 200, headers: {}, body, bytes: 1, requests: 1 } }
    },
  }
}

async function recorded(call: WireCall): Promise<Seen> {
  const destination = destinationOf(call, () => false)
  if (!destination.ok) throw new Error(JSON.stringify(destination.problems))
  const proof = { headers: [], query: [], secrets: [] }
  const sent = requestOf(call, destination.value.url, proof, 'test')
  const url = new URL(`${sent.origin}${sent.path}`)
  const path = url.pathname.split('/').map(decodeURIComponent).join('/')
  const query = [...url.searchParams].flat().join(' ')
  const body = typeof sent.body === 'string' ? sent.body : sent.body ? Buffer.from(sent.body).toString() : ''
  const isForm = call.body?.format === 'form'
  const decoded = isForm ? [...new URLSearchParams(body)].flat().join(' ') : body.replaceAll('\\"', '"')
  const isJson = call.body?.format === 'json' && body !== ''
  if (isJson) JSON.parse(body)
  return {
    capability: call.capability ?? '',
    method: sent.method,
    text: [path, query, sent.headers.join(' '), decoded].join('\n'),
  }
}

/** Arguments of e-mails that have to be addresses or ids. */
const ADDRESSES = new Set(['from', 'to', 'inReplyTo', 'references'])

/** A call as a program writes it, and the texts that its request has to hold. */
interface Call {
  readonly program: string
  readonly sent: readonly string[]
}

function anyCall(catalog: ServedCatalog, capability: Capability): fc.Arbitrary<Call> {
  const { entities } = indexOf(catalog)
  const entity = entities.get(capability.entity)
  const request = templateOf(capability)
  if (!entity || !request) throw new Error(capability.name)
  const brought = targetParameters(catalog, capability)
  const { always } = boundBy(capability, (name) => entities.get(name))
  const slots = capability.parameters.filter(({ name }) => !brought.has(name))
  const isMail = request.body?.type === 'mail'
  const key = needsTarget(catalog, capability) ? rowKeyOf(entity, catalog) : fc.constant(undefined)
  return fc
    .tuple(key, argumentsOf(slots, catalog))
    .filter(([, { given }]) => {
      const names = new Set([...always, ...brought, ...given.map(({ name }) => name)])
      const isAddressed = given.every(({ name, text }) => !ADDRESSES.has(name) || text.includes('@'))
      return (!isMail || isAddressed) && slots.every(({ name }) => !gapsOf(request, names).includes(name))
    })
    .map(([row, { text, given }]) => {
      const at = row === undefined || row.text.startsWith('(') ? (row?.text ?? '') : `(${row.text})`
      const isPlain = capability.kind === 'get' && capability.label === 'get' && at !== '' && text === ''
      const reached = reachedBy(request, new Set(given.map(({ name }) => name)))
      return {
        program: `${entity.name}${at}${isPlain ? '' : `.${capability.label}(${text})`}`,
        sent: given
          .filter(({ name }) => reached.has(name) || reached.has('input'))
          .flatMap(({ sent }) => sent),
      }
    })
}

/** What is wrong with a call; undefined if nothing is. */
async function faultOf(
  { program, sent }: Call,
  capability: Capability,
  { catalog, scope }: { readonly catalog: ServedCatalog; readonly scope: ReturnType<typeof sessionOf> },
): Promise<string | undefined> {
  const shown = (problems: readonly Problem[]) =>
    problems.map(({ code, message }) => `${code}: ${message}`).join(' ')
  const read = readProgram(program, scope)
  if (!read.ok) return shown(read.problems)
  const seen: Seen[] = []
  const { digest } = pin(catalog)
  const { problems, results } = await execute(
    read.plan,
    worldOf({ digest, catalog }, { wire: recorder(catalog, seen) }),
  )
  if (problems.length > 0) return shown(problems)
  const own = seen.find((one) => one.capability === capability.name)
  if (!own) return 'sends nothing'
  const lost = sent.filter((text) => !own.text.includes(text))
  if (lost.length > 0) return `${lost.join(', ')} is not in ${own.text}`
  if (capability.effect === 'side_effect') return undefined
  const [row] = results[0]?.rows ?? []
  const { values } = answerOf(catalog, capability)
  const wrong = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(row?.values[name]) !== JSON.stringify(value),
  )
  const [first] = wrong
  return first && `${first[0]} is ${JSON.stringify(row?.values[first[0]])}, not ${JSON.stringify(first[1])}`
}

/**
 * Calls of views and of capabilities with reads before them consist of others, which are called themselves. Those of contracts
 * are compared with the library's in `test/execution/contracts.test.ts`.
 */
function isAlone(capability: Capability): boolean {
  return (
    capability.unsupported.length === 0 &&
    capability.call?.kind !== 'evm' &&
    !viewOf(capability) &&
    capabilitiesUsedBy(capability).length === 0
  )
}

const catalogs = sharedCatalogs('catalogs')

describe.skipIf(whyNoSharedData)(`calls of shared catalogs${sharedDataNote}`, { timeout: 120_000 }, () => {
  test.each(catalogs)('%s', async (_, path) => {
    const { catalog } = await readingOf(path)
    if (!catalog) throw new Error(path)
    const scope = sessionOf([catalog, ...catalog.entities.map(({ name }) => name)])
    const wrong: string[] = []
    for (const capability of catalog.capabilities.filter(isAlone)) {
      const property = fc.asyncProperty(anyCall(catalog, capability), async (call) => {
        const fault = await faultOf(call, capability, { catalog, scope })
        if (fault !== undefined) throw new Error(`${call.program}: ${fault}`)
      })
      const { failed, errorInstance } = await fc.check(property, { numRuns: cases(300, 3) })
      if (failed) wrong.push(String(errorInstance).slice(0, 500))
    }
    expect(wrong).toEqual([])
  })
})
