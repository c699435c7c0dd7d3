import { isOutsideBody, requestOf } from '../call.ts'
import type { Capability, Entity, Parameter } from '../model.ts'
import { argumentsOf } from '../preflight.ts'
import { askedOf, variablesOf } from '../variables.ts'

/**
 * The parameters that neither the request nor the reads before it use, and optional ones that a constant of the paging
 * replaces: a call with one would be the call without it, so none is offered.
 */
export function unsentParameters(
  capability: Capability,
  entityOf: (name: string) => Entity | undefined,
): readonly Parameter[] {
  const request = requestOf(capability)
  if (!request) return []
  const used = new Set([
    ...variablesOf(request).map(({ name }) => name),
    ...askedOf(request),
    ...argumentsOf(capability.preflight ?? []),
    ...(request.paging?.parameters ?? []).flatMap(({ kind, name }) => (kind === 'fixed' ? [] : [name])),
  ])
  // A declared `input` is the whole body; an undeclared one consists of the parameters that go nowhere else.
  const isWhole = capability.parameters.some(({ name }) => name === 'input')
  const isInBody = (parameter: Parameter) =>
    used.has('input') && !isWhole && !isOutsideBody(capability, parameter)
  const replaced = new Set(
    request.paging?.parameters.flatMap(({ kind, name }) => (kind === 'fixed' ? [name] : [])),
  )
  return capability.parameters.filter((parameter) => {
    if (replaced.has(parameter.name) && !parameter.required) return true
    if (used.has(parameter.name) || isInBody(parameter)) return false
    const key = parameter.type.kind === 'reference' ? (entityOf(parameter.type.entity)?.key ?? []) : []
    return !(key.length > 1 && key.some((slot) => used.has(slot)))
  })
}
