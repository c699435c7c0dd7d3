import fc from 'fast-check'
import { indexOf } from '../../../src/catalog/lookup.ts'
import type { Catalog, Entity, Parameter, Type } from '../../../src/catalog/model.ts'

/** A value as a program writes it, and the texts of its parts that the request has to hold. */
export interface Written {
  readonly text: string
  readonly sent: readonly string[]
}

/** The first is right wherever an address is asked for. */
export const WORDS = ['<ann@example.com>', 'two words', 'ü', 'a/b', '100%', 'x=1&y=2', '{x}', 'it "is"']
const DEEPEST = 3
/** Keys of rows. */
export const KEYS = ['k7', 'two words', 'a%b']

/** A value for a slot of this type. */
function writtenOf(type: Type, catalog: Catalog, depth = 0): fc.Arbitrary<Written> {
  const plain = (text: string) => ({ text, sent: [text] })
  switch (type.kind) {
    case 'string':
      return type.semantics === 'json_text'
        ? fc.constant({ text: JSON.stringify('{"a":"deep"}'), sent: ['deep'] })
        : fc.constantFrom(...WORDS).map(quoted)
    case 'uuid':
      return fc.constant(quoted('123e4567-e89b-42d3-a456-426614174000'))
    case 'integer':
      return fc.constantFrom('12', '-5', '9007199254740993').map(plain)
    case 'number':
      return fc.constantFrom('1.5', '-2', '7').map(plain)
    case 'boolean':
      return fc.constantFrom('true', 'false').map(plain)
    case 'select':
      return fc.constantFrom(...type.options).map(quoted)
    case 'multi_select':
      return fc.constantFrom(...type.options).map((one) => ({ ...quoted(one), text: `["${one}"]` }))
    case 'date':
      return fc.constant({ text: '2024-03-05', sent: [DAYS[type.format]] })
    case 'blob':
      return fc.constant({ text: '{text="hi"}', sent: ['aGk'] })
    case 'json':
      return fc.constant({ text: '{a="deep", b=[1, true]}', sent: ['deep'] })
    case 'reference':
      return depth > DEEPEST ? fc.constant(quoted('k7')) : keyOf(type.entity, catalog, depth + 1)
    case 'array':
      return writtenOf(type.items, catalog, depth + 1).map(({ text, sent }) => ({ text: `[${text}]`, sent }))
    case 'object':
      return depth >= DEEPEST && type.fields.every(({ required }) => !required)
        ? fc.constant({ text: '{}', sent: [] })
        : argumentsOf(type.fields, catalog, depth + 1).map(({ text, sent }) => ({ text: `{${text}}`, sent }))
    case 'union':
      return fc.constantFrom(...type.variants).chain(({ name, tag, fields }) =>
        argumentsOf(fields, catalog, depth + 1).map(({ text, sent }) => ({
          text: `${/^\w+$/.test(name) ? name : JSON.stringify(name)}{${text}}`,
          sent: [tag.value, ...sent],
        })),
      )
  }
}

/** 2024-03-05 in each format, as far as it is written alike everywhere. */
const DAYS = {
  rfc3339: '2024-03-05T00:00:00',
  iso8601_date: '2024-03-05',
  unix_ms: '1709596800000',
  unix_sec: '1709596800',
}

/** An argument and what its value sends. */
interface Given extends Written {
  readonly name: string
}

/** `name=value` pairs for the required slots and some of the others. */
export function argumentsOf(
  slots: readonly Parameter[],
  catalog: Catalog,
  depth = 0,
): fc.Arbitrary<Written & { readonly given: readonly Given[] }> {
  return fc
    .tuple(
      ...slots.map((slot) => {
        const value = writtenOf(slot.type, catalog, depth).map((written) => [{ name: slot.name, ...written }])
        return slot.required
          ? value
          : fc.oneof({ weight: 2, arbitrary: value }, { weight: 3, arbitrary: fc.constant([]) })
      }),
    )
    .map((all) => {
      const given = all.flat()
      return {
        text: given.map(({ name, text }) => `${nameText(name)}=${text}`).join(', '),
        sent: given.flatMap(({ sent }) => sent),
        given,
      }
    })
}

/** A row of an entity by its key. Of a compound key not every part need be sent. */
function keyOf(name: string, catalog: Catalog, depth: number): fc.Arbitrary<Written> {
  const entity = indexOf(catalog).entities.get(name)
  if (!entity) return fc.constant(quoted('k7'))
  return rowKeyOf(entity, catalog, depth).map(({ text, sent }) =>
    entity.key.length === 1 ? { text, sent } : { text: `${name}${text}`, sent: [] },
  )
}

/** The key of a row of its own: `"k7"`, or `(a="x", b="y")`. */
export function rowKeyOf(entity: Entity, catalog: Catalog, depth = 0): fc.Arbitrary<Written> {
  const parts = entity.key.map((name) => {
    const field = entity.fields.find((one) => one.name === name)
    return keyPartOf(field?.type, catalog, depth).map((written) => ({ name, ...written }))
  })
  return fc.tuple(...parts).map((written) => {
    const [only] = written
    if (only && written.length === 1) return only
    return {
      text: `(${written.map(({ name, text }) => `${name}=${text}`).join(', ')})`,
      sent: written.flatMap(({ sent }) => sent),
    }
  })
}

function keyPartOf(type: Type | undefined, catalog: Catalog, depth: number): fc.Arbitrary<Written> {
  switch (type?.kind) {
    case 'integer':
    case 'number':
      return fc.constantFrom('7', '12').map((text) => ({ text, sent: [text] }))
    case 'select':
    case 'uuid':
    case 'reference':
      return writtenOf(type, catalog, depth)
    default:
      return fc.constantFrom(...KEYS).map(quoted)
  }
}

function quoted(word: string): Written {
  return { text: JSON.stringify(word), sent: [word] }
}

function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}
