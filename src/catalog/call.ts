import type { Capability, Role } from './model.ts'
import type { HttpRequest } from './calls/http-request.ts'
import type { View } from './view.ts'

type Answered = Pick<Capability, 'call'>

/** The request template of the capability; undefined if its call has none, or is not supported. */
export function requestOf(capability: Answered | undefined): HttpRequest | undefined {
  const call = capability?.call
  return call && 'request' in call ? call.request : undefined
}

/** The view that answers instead of the API, if there is one. */
export function viewOf(capability: Answered | undefined): View | undefined {
  const call = capability?.call
  return call?.kind === 'view' ? call.view : undefined
}

/** The variables of the request's path, in order. */
export function pathVariables(capability: Answered): readonly string[] {
  return (
    requestOf(capability)?.path.flatMap((segment) => (segment.type === 'var' ? [segment.name] : [])) ?? []
  )
}

/** Arguments of the path or the scope are left out of `input`: bodies would carry them twice. */
export function isOutsideBody(
  capability: Answered,
  { name, role }: { readonly name: string; readonly role: Role | undefined },
): boolean {
  return role === 'scope' || pathVariables(capability).includes(name)
}

/** Whether programs should call it by its name, which says what it does: a tool of an MCP server, or a URI template. */
export function hasOwnName({ call }: Answered): boolean {
  if (call?.kind !== 'mcp') return false
  const { operation } = call
  return operation.type === 'tool' || (operation.type === 'resource' && operation.template !== undefined)
}

/** Whether nothing is known of the answer's shape before it comes: a tool without an output schema. */
export function isUntyped({ call }: Answered): boolean {
  return call?.kind === 'mcp' && call.operation.type === 'tool' && call.operation.rows === undefined
}
