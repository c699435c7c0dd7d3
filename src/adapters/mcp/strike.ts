import type { Transport } from '@modelcontextprotocol/client'
import type { Json } from '../../base/canonical.ts'
import { type StrikeOut, strikeOut } from '../wire/strike-out.ts'
import { INHERITED } from './launch.ts'
import type { Lookup } from './resolve.ts'

/** A shorter value of a variable is no secret: switches and numbers such as `1` stand in every answer. */
const SHORTEST = 8

/**
 * A lookup that notes what it gave, to strike it out of everything that the server then sends: answers, errors and lines for
 * the log. `strike` is asked for when everything was looked up.
 */
export function noting({ variable, secret }: Lookup): {
  readonly lookup: Lookup
  readonly strike: () => StrikeOut
  readonly hasSecrets: () => boolean
} {
  let strike: StrikeOut | undefined
  const known = new Set<string>()
  const lookup: Lookup = {
    variable: (name) => {
      const value = variable(name)
      if (value !== undefined && value.length >= SHORTEST && !INHERITED.includes(name)) known.add(value)
      return value
    },
    secret: async (reference) => {
      const value = await secret(reference)
      known.add(value)
      return value
    },
  }
  return { lookup, strike: () => (strike ??= strikeOut([...known])), hasSecrets: () => known.size > 0 }
}

type Receive = NonNullable<Transport['onmessage']>
type Message = Parameters<Receive>[0]

/**
 * The transport, whose messages from now on come without the secrets: results, errors and notifications. What the protocol
 * needs to assign a message stays as it is.
 */
export function striking(transport: Transport, strike: StrikeOut): Transport {
  let receive: Receive | undefined
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (onmessage: Receive | undefined) => {
      receive = onmessage && ((message, extra) => onmessage(struck(message, strike), extra))
    },
  })
  return transport
}

function struck(message: Message, { value }: StrikeOut): Message {
  const parts = Object.entries(message).map(([key, part]: [string, Json]) =>
    key === 'result' || key === 'error' || key === 'params'
      ? [key, value(part, JSON.stringify(part))]
      : [key, part],
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts in it became others
  return Object.fromEntries(parts) as Message
}
