import { expect, test } from 'vitest'
import { pin } from '../../src/catalog/digest.ts'
import type { Catalog, Relation } from '../../src/catalog/model.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { Wave } from '../../src/session/record.ts'
import { teachingTable } from '../../src/teaching/table.ts'
import { desk } from '../language/desk-catalog.ts'
import { sessionOf } from '../language/sessions.ts'

/* Relations to entities that were not picked: what is held by the rows can be read at once. */

const held: Relation = { name: 'agent', target: 'Agent', many: false, via: { kind: 'embedded' } }
const several: Relation = { name: 'watchers', target: 'Agent', many: true, via: { kind: 'embedded' } }
const catalog: Catalog = {
  ...desk,
  entities: desk.entities.map((one) =>
    one.name === 'Ticket' ? { ...one, relations: [held, several] } : one,
  ),
}

function firstRow(entities: readonly string[]): string | undefined {
  const { digest } = pin(catalog)
  const picks = [{ catalog: catalog.id, digest, lens: 'all' as const, entities }]
  const waves: readonly Wave[] = [{ revision: 1, generation: 1, picks }]
  const model = () => catalog
  const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
  return teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: () => true })
    .split('\n')
    .find((row) => row.includes('Ticket'))
}

test('a relation that rows hold is a column, others are to be picked', () => {
  expect(firstRow(['Ticket'])).toMatch(/closed bool, agent Agent · also watchers \[Agent\]/)
})

test('its columns can be read without its entity', () => {
  const read = readProgram('e1(t1)[id, agent.name]', sessionOf([{ ...desk, ...catalog }, 'Ticket']))
  expect(read.ok).toBe(true)
})

test('picked, both can be followed', () => {
  expect(firstRow(['Agent', 'Ticket'])).toMatch(/closed bool, agent e1, watchers \[e1\]/)
})
