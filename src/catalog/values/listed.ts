import type { ExactJson } from '../../base/canonical.ts'
import type { Type } from '../model.ts'

/** Whether a scalar is a value of a type as it is. */
export function isOf(type: Type, value: ExactJson): boolean {
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return typeof value === 'bigint' || (Number.isInteger(value) && isListed(type.options, value))
    case 'number':
      return typeof value === 'bigint' || (typeof value === 'number' && isListed(type.options, value))
    case 'select':
      return typeof value === 'string' && type.options.includes(value)
    default:
      return typeof value === 'string'
  }
}

/** Whether a number is one of the options, if there are any. */
export function isListed(options: readonly number[] | undefined, value: ExactJson): boolean {
  return options === undefined || options.some((option) => option === value)
}
