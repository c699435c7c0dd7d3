import type { Json } from '../../../src/base/canonical.ts'
import { jsonText } from '../../../src/base/json.ts'
import { pin } from '../../../src/catalog/digest.ts'
import type { Catalog, ServedCatalog } from '../../../src/catalog/model.ts'
import type { Reading } from '../../../src/catalog/source.ts'
import { execute } from '../../../src/execution/executor.ts'
import type { WireCall } from '../../../src/execution/wire.ts'
import { readProgram } from '../../../src/language/program.ts'
import { teachingTable } from '../../../src/teaching/table.ts'
import { worldOf } from '../../execution/plans.ts'
import { sessionOf } from '../../language/sessions.ts'

/** The catalog of a reading, which has to be without errors. */
export function catalogIn({ catalog, errors }: Reading): ServedCatalog {
  if (!catalog) throw new Error(errors.map(({ message }) => message).join('\n'))
  return catalog
}

/** What the reader says of one entity or capability. */
export function whyIn({ why = [] }: Reading, about: string): string {
  return why.find((one) => one.about === about)?.lines.join(' ') ?? ''
}

/** The table of these entities; of all if none is named. */
export function tableOf(catalog: Catalog, ...entities: readonly string[]): string {
  const { space, model } = sessionOf([catalog, ...entities])
  const names =
    entities.length > 0 ? entities : catalog.entities.filter((one) => !one.abstract).map(({ name }) => name)
  const { digest } = pin(catalog)
  const picks = [{ catalog: catalog.id, digest, lens: 'all' as const, entities: names.toSorted() }]
  const waves = [{ revision: 1, generation: 1, picks }]
  return teachingTable({ waves, taughtRevision: 0, spaceOf: () => space, model, allows: () => true })
}

function addressOf({ target, query }: WireCall): string {
  const place = 'path' in target ? target.path : target.url
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&')
  return asked === '' ? place : `${place}?${asked}`
}

interface Ran {
  /** Of each result. */
  readonly rows: readonly (readonly Json[])[]
  /** `GET /path?query {body}` */
  readonly calls: readonly string[]
}

/** Runs a program; every call is answered by the first of these whose address the call has, else refused. */
export async function runOn(
  catalog: ServedCatalog,
  program: string,
  answers: Readonly<Record<string, Json>>,
): Promise<Ran> {
  const read = readProgram(program, sessionOf([catalog]))
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join(' '))
  const calls: string[] = []
  const wire = {
    send: (call: WireCall) => {
      const address = addressOf(call)
      calls.push(`${call.method} ${address}${call.body === undefined ? '' : ` ${jsonText(call.body.value)}`}`)
      const body = answers[address]
      if (body === undefined) throw new Error(`no answer for ${address}`)
      const reply = { status: 200, headers: {}, body, bytes: 1, requests: 1 }
      return Promise.resolve({ ok: true as const, reply })
    },
  }
  const { results, problems } = await execute(read.plan, worldOf(pin(catalog), { wire }))
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '))
  return { rows: results.map(({ rows }) => rows.map(({ values }) => values)), calls }
}
