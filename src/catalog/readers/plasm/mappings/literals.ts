import type { Expression } from '../../../calls/http-request.ts'
import { problem } from '../../../problems.ts'
import type { Setting } from './expressions.ts'
import type { Section } from '../../document/section.ts'
import type { Spot } from '../../document/tree.ts'

/** The literal of a path as a URL writes it: blanks and `#` are a part of the path. */
export function escapedLiteral(text: string): string {
  return text.replaceAll(/[ #]/g, encodeURIComponent)
}

/** Checks the literals of a path: an address that a URL parser reads differently is refused. */
export function checkPathText(text: string, where: string, at: Spot, setting: Setting): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const stray = /[\u0000-\u0020\u007F\\#]/.exec(text)?.[0]
  const [path = ''] = text.replace(/^https?:\/\//i, '').split('?')
  const dots = path.split('/').find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  if (stray === undefined && dots === undefined) return
  const found = JSON.stringify(dots ?? stray)
  setting.unsupported.add('unsafe_path')
  setting.notes.warn(problem('unsafe_literal', { where, found, part: 'a path' }, at))
}

/** Checks the literals of headers: invalid names, and values that would start another header. */
export function checkHeaderTexts(read: Section, headers: Expression, setting: Setting): void {
  const refuse = (found: string) => {
    setting.unsupported.add('unsafe_header')
    const params = { where: read.path('headers'), found: JSON.stringify(found), part: 'a header' }
    setting.notes.warn(problem('unsafe_literal', params, read.at('headers')))
  }
  for (const object of objectsIn(headers)) {
    for (const [name, value] of object.fields) {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse(name)
      for (const text of textsIn(value)) if (/[^\P{Cc}\t]/u.test(text)) refuse(text)
    }
  }
}

/** Every object that the expression may evaluate to. */
function objectsIn(expression: Expression): readonly Extract<Expression, { readonly type: 'object' }>[] {
  if (expression.type === 'object') return [expression]
  return expression.type === 'if' ? [...objectsIn(expression.then), ...objectsIn(expression.else)] : []
}

/** The literal texts of the expression, whatever its variables hold. */
function textsIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'const':
      return typeof expression.value === 'string' ? [expression.value] : []
    case 'array':
      return expression.elements.flatMap(textsIn)
    case 'if':
      return [...textsIn(expression.then), ...textsIn(expression.else)]
    case 'join':
      return [expression.separator, ...textsIn(expression.items)]
    case 'map':
      return textsIn(expression.each)
    case 'pairs':
      return textsIn(expression.value)
    case 'format':
      return [expression.template, ...expression.vars.flatMap(([, held]) => textsIn(held))]
    case 'var':
    case 'object':
    case 'mail':
      return []
  }
}
