import type { DateFormat, Parameter, ServedCatalog, Slot, Type } from '../model.ts'

/** How descriptions name a moment that is counted from 1970. */
const COUNTED =
  /\b(?:unix|posix|epoch)\b[\s-]*(?:epoch[\s-]*)?(?:time|timestamp|second|milli|ms\b|s\b)|\bsince (?:the )?(?:unix )?epoch\b|\bepoch (?:in|as)\b/i
const IN_MILLISECONDS = /\bmilli-?seconds?\b|\bmillis\b|\bms\b/i
/** Another unit, or a slot that takes other forms as well. */
const OTHERWISE = /\bmicro|\bnano|\bnatural\b|\bISO\b|\bRFC ?3339\b|\brelative\b/i

/** The catalog, with numbers and digits that the API documents as Unix times read as dates. */
export function withUnixTimes(catalog: ServedCatalog): ServedCatalog {
  return {
    ...catalog,
    entities: catalog.entities.map((entity) => ({
      ...entity,
      // A key is a name, also where it is a time.
      fields: entity.fields.map((field) => (entity.key.includes(field.name) ? field : timedSlot(field))),
    })),
    capabilities: catalog.capabilities.map((capability) => ({
      ...capability,
      parameters: capability.parameters.map(timedSlot),
    })),
  }
}

function timedSlot<S extends Slot>(slot: S): S {
  const type = timedType(slot.type, slot.description)
  return type === slot.type ? slot : { ...slot, type }
}

/** The type of a slot, from what its description says of numbers, of digits and of the members of an object. */
function timedType(type: Type, description: string | undefined): Type {
  switch (type.kind) {
    case 'integer':
    case 'number': {
      const format = unixFormat(description)
      return format ? { kind: 'date', format } : type
    }
    case 'string': {
      const format = type.semantics === 'short' ? unixFormat(description) : undefined
      return format ? { kind: 'date', format, text: true } : type
    }
    case 'object': {
      const fields: readonly Parameter[] = type.fields.map(timedSlot)
      return fields.every((field, at) => field === type.fields[at]) ? type : { ...type, fields }
    }
    default:
      return type
  }
}

/** The unit of a Unix time that the description names; seconds unless it says milliseconds. */
function unixFormat(description = ''): DateFormat | undefined {
  if (!COUNTED.test(description) || OTHERWISE.test(description)) return undefined
  return IN_MILLISECONDS.test(description) ? 'unix_ms' : 'unix_sec'
}
