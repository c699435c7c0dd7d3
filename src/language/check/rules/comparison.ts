import type { Type } from '../../../catalog/model.ts'
import { describeType } from '../../../catalog/values/value.ts'
import { problem } from '../../problems.ts'
import type { Operator, Predicate } from '../../syntax/tree.ts'
import type { Context } from '../model/context.ts'

/** The operators that a type supports. Dates and text are ordered like numbers. */
function operatorsOf(type: Type): readonly Operator[] {
  switch (type.kind) {
    case 'integer':
    case 'number':
    case 'date':
      return ['=', '!=', '<', '<=', '>', '>=']
    case 'string':
    case 'json':
      return ['=', '!=', '<', '<=', '>', '>=', '~']
    case 'uuid':
    case 'select':
    case 'blob':
      return ['=', '!=', '~']
    case 'multi_select':
    case 'array':
      return ['=', '!=', '~']
    case 'boolean':
    case 'reference':
    case 'object':
    case 'union':
      return ['=', '!=']
  }
}

/** Is the condition about null: `owner=null`, or `owner=` with nothing behind it? Quoted null is text. */
export function isAboutNull({ value }: Predicate): boolean {
  return value === undefined || (value.kind === 'bare' && value.text === 'null')
}

/** Reports an operator that the type does not support. Null supports equality only. */
export function refusesOperator(context: Context, predicate: Predicate, slot: string, type: Type): boolean {
  const { operator, span } = predicate
  const operators: readonly Operator[] = isAboutNull(predicate) ? ['=', '!='] : operatorsOf(type)
  if (operators.includes(operator)) return false
  const shown = isAboutNull(predicate) ? 'null' : describeType(type)
  context.report(
    problem('wrong_operator', { operator, slot: `\`${slot}\``, type: shown, operators }, { span }),
  )
  return true
}
