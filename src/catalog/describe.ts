import type { ExactJson } from '../base/canonical.ts'
import { jsonText } from '../base/json.ts'
import type { Parameter, Type } from './model.ts'

/** A short notation of a type: `str`, `int`, `open|closed`, `[str]`, or the name of the entity that it refers to. */
export function describeType(type: Type): string {
  switch (type.kind) {
    case 'string':
      return type.semantics === 'short' ? 'str' : type.semantics
    case 'integer':
      return type.options?.join('|') ?? 'int'
    case 'number':
      return type.options?.join('|') ?? 'num'
    case 'boolean':
      return 'bool'
    case 'json':
      return type.written ?? 'json'
    case 'uuid':
    case 'blob':
      return type.kind
    case 'date':
      return type.format === 'iso8601_date' ? 'date' : 'datetime'
    case 'select':
      return type.options.join('|')
    case 'multi_select':
      return `[${type.options.join('|')}]`
    case 'reference':
      return type.entity
    case 'array':
      return `[${describeType(type.items)}]`
    case 'object':
      return `{${type.fields.map((field) => `${memberName(field.name)}${field.required ? '' : '?'}`).join(', ')}${type.open ? (type.fields.length > 0 ? ', …' : '…') : ''}}`
    case 'union':
      return type.variants.map((variant) => variant.name).join(' | ')
  }
}

/** The name of a member as programs write it: `size`, `"@type"`. */
export function memberName(name: string): string {
  return /^[A-Za-z_]\w*(?:-\w+)*$/.test(name) ? name : JSON.stringify(name)
}

/** The names of fields as a message lists them. */
export function namesOf(fields: readonly Parameter[]): string {
  return fields.length === 0 ? 'no fields' : fields.map((field) => `\`${field.name}\``).join(', ')
}

/** A short description of a value, for messages. */
export function describeValue(value: ExactJson): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value !== null && typeof value === 'object') return `{${Object.keys(value).slice(0, 6).join(', ')}}`
  const text = jsonText(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
