import type { Problem } from '../../src/base/diagnostic.ts'
import type { Json } from '../../src/base/canonical.ts'
import { check } from '../../src/language/check/check.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import type { Operand, Plan } from '../../src/language/plan/plan.ts'
import { readProgram } from '../../src/language/program.ts'
import { parse } from '../../src/language/syntax/parse.ts'

export function checkText(
  program: string,
  scope: Scope,
  teaching = false,
): { readonly problems: readonly Problem[] } {
  const parsed = parse(program)
  return parsed.problems.length > 0 ? parsed : check(parsed.program, scope, { teaching })
}

/** The plan of a program that has one. */
export function planOfText(program: string, scope: Scope): Plan {
  const read = readProgram(program, scope)
  if (!read.ok) throw new Error(JSON.stringify(read.problems, null, 2))
  return read.plan
}

/** The plan in short, a line a node: id, label, effect, shape, entity, then the operation without types. */
export function steps(program: string, scope: Scope): readonly string[] {
  return planOfText(program, scope).nodes.map(({ id, label, effect, shape, entity, operation }) => {
    const { kind, ...rest } = operation
    const name = `${id}${label === undefined ? '' : ` ${label}`}`
    return `${name}: ${effect} ${shape}${entity ? ` ${entity.entity}` : ''} ${kind} ${short(rest)}`
  })
}

function short(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(short).join(', ')}]`
  if (value === null || typeof value !== 'object') return String(value)
  if ('operand' in value && 'operator' in value && 'path' in value) {
    return `${Array.isArray(value.path) ? value.path.join('.') : ''}${String(value.operator)}${short(value.operand)}`
  }
  if ('operand' in value && 'name' in value) return `${String(value.name)}=${short(value.operand)}`
  if (isOperand(value)) return operand(value)
  return Object.entries(value)
    .filter(([key, held]) => key !== 'type' && !(Array.isArray(held) && held.length === 0 && key !== 'needs'))
    .map(([key, held]) => `${key}:${short(held)}`)
    .join(' ')
}

function operand(value: Operand): string {
  switch (value.kind) {
    case 'literal':
      return JSON.stringify(value.value satisfies Json)
    case 'node':
      return [value.node, ...value.path].join('.')
    case 'cursor':
      return ['_', ...value.path].join('.')
    case 'text':
      return `"${value.parts.map((part) => (typeof part === 'string' ? part : `\${${operand(part)}}`)).join('')}"`
    case 'list':
      return `[${value.items.map(operand).join(', ')}]`
    case 'integer':
      return operand(value.value)
    case 'record':
      return `{${value.entries.map(([key, held]) => `${key}: ${operand(held)}`).join(', ')}}`
  }
}

function isOperand(value: object): value is Operand {
  return (
    'kind' in value && ['literal', 'node', 'cursor', 'text', 'list', 'record'].includes(String(value.kind))
  )
}
