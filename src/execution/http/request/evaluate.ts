import { type ExactJson, sameJson } from '../../../base/canonical.ts'
import { cookieValue } from '../../../catalog/values/cookie.ts'
import { failed, ok, type Problem, type Result } from '../../../base/diagnostic.ts'
import type { Condition, Expression, MailField } from '../../../catalog/calls/http-request.ts'
import { isList } from '../../../base/json.ts'
import { problem, type Where } from '../../problems.ts'
import { mailBody } from './mail.ts'
import { pairsOf } from './pairs.ts'
import { asText } from './text.ts'

/** The input of a template. */
export interface Filling {
  readonly where: Where
  readonly env: ReadonlyMap<string, ExactJson>
  /** Names that the capability declares: without a value they are left out; any other missing name is a problem. */
  readonly optional: ReadonlySet<string>
  /** Arguments that the call gives as null: they are sent as null, not left out. */
  readonly nulls: ReadonlySet<string>
}

/** Templates come from catalogs: deeper nesting is a mistake or an attack. */
const MAX_DEPTH = 64

/** The value of a template's expression: all of its problems, or one value. */
export function evaluate(expression: Expression, filling: Filling): Result<ExactJson> {
  const problems: Problem[] = []
  const value = new Evaluation(filling, problems).value(expression, 0)
  return problems.length > 0 ? failed(problems) : ok(value ?? null)
}

class Evaluation {
  readonly #filling: Filling
  readonly #problems: Problem[]

  constructor(filling: Filling, problems: Problem[]) {
    this.#filling = filling
    this.#problems = problems
  }

  /** Undefined for what the request leaves out. */
  value(expression: Expression, depth: number): ExactJson | undefined {
    if (depth > MAX_DEPTH) return this.#wrong('it is nested too deeply')
    switch (expression.type) {
      case 'var':
        return this.#variable(expression.name)
      case 'const':
        // Templates write null for what they leave out.
        return expression.value ?? undefined
      case 'object':
        return this.#object(expression.fields, depth)
      case 'array':
        return expression.elements.map((element) => this.value(element, depth + 1) ?? null)
      case 'if':
        return this.value(
          this.#holds(expression.condition, depth) ? expression.then : expression.else,
          depth + 1,
        )
      case 'join':
        return this.#join(this.value(expression.items, depth + 1), expression.separator)
      case 'map':
        return this.#map(expression, depth)
      case 'pairs':
        return this.value(expression.value, depth + 1)
      case 'format':
        return this.#format(expression, depth)
      case 'mail':
        return this.#mail(expression.fields, depth)
    }
  }

  #wrong(reason: string): undefined {
    this.#problems.push(problem('template_wrong', { ...this.#filling.where, reason }))
    return undefined
  }

  #variable(name: string): ExactJson | undefined {
    const value = this.#filling.env.get(name)
    if (value === null) return this.#filling.nulls.has(name) ? null : undefined
    if (value !== undefined) return value
    if (!this.#filling.optional.has(name)) {
      this.#problems.push(problem('template_variable_missing', { ...this.#filling.where, name }))
    }
    return undefined
  }

  /** A key without a value is left out: templates mark optional keys this way. */
  #object(fields: readonly (readonly [string, Expression])[], depth: number): ExactJson {
    return Object.fromEntries(
      fields.flatMap(([key, held]) => {
        const value = this.value(held, depth + 1)
        if (value === undefined) return []
        return held.type === 'pairs' ? pairsOf(key, value, held.style) : [[key, value] as const]
      }),
    )
  }

  #mail(fields: readonly (readonly [MailField, Expression])[], depth: number): ExactJson | undefined {
    const mail: { [Field in MailField]?: string } = {}
    for (const [field, held] of fields) {
      const value = this.value(held, depth + 1)
      if (value === null)
        this.#problems.push(problem('null_not_sent', { ...this.#filling.where, name: field }))
      else if (value !== undefined) mail[field] = asText(value)
    }
    if (this.#problems.length > 0) return undefined
    const made = mailBody(mail)
    if ('body' in made) return { ...made.body }
    this.#problems.push(problem('mail_refused', { ...this.#filling.where, reason: made.reason }))
    return undefined
  }

  #join(items: ExactJson | undefined, separator: string): ExactJson | undefined {
    return isList(items)
      ? items
          .filter((item) => item !== null)
          .map(asText)
          .join(separator)
      : items
  }

  #map({ items, item, each }: Extract<Expression, { type: 'map' }>, depth: number): ExactJson | undefined {
    const list = this.value(items, depth + 1)
    if (list === undefined || list === null) return undefined
    if (!isList(list)) return this.#wrong('what a map goes over is no list')
    const env = new Map(this.#filling.env)
    const inner = new Evaluation({ ...this.#filling, env }, this.#problems)
    return list.map((element) => {
      env.set(item, element)
      return inner.value(each, depth + 1) ?? null
    })
  }

  /** Replaces all placeholders at once: a value that contains `{other}` is left as it is. */
  #format({ template, vars, isCookie }: Extract<Expression, { type: 'format' }>, depth: number): ExactJson {
    const values = new Map(vars.map(([name, held]) => [name, this.value(held, depth + 1)] as const))
    return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
      if (!values.has(name)) return whole
      const value = values.get(name) ?? null
      if (value === null && this.#problems.length === 0) this.#lacks(name, template, vars)
      return isCookie ? cookieValue(asText(value)) : asText(value)
    })
  }

  /** A text with a missing part would have another meaning: the missing name is a problem. */
  #lacks(name: string, template: string, vars: readonly (readonly [string, Expression])[]): void {
    const held = vars.find(([hole]) => hole === name)?.[1]
    if (held?.type === 'var')
      this.#problems.push(problem('argument_missing', { ...this.#filling.where, name: held.name }))
    else this.#wrong(`\`${name}\` in \`${template}\` has no value`)
  }

  #holds(condition: Condition, depth: number): boolean {
    switch (condition.type) {
      case 'exists':
        return this.#filling.env.has(condition.var)
      case 'equals':
        return sameJson(
          this.value(condition.left, depth + 1) ?? null,
          this.value(condition.right, depth + 1) ?? null,
        )
      case 'bool': {
        const value = this.value(condition.value, depth + 1) ?? null
        if (value !== null && typeof value !== 'boolean') this.#wrong('a condition is neither true nor false')
        return value === true
      }
    }
  }
}
