import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AGENT_METHODS, CLIENT_METHODS } from '@agentclientprotocol/sdk'

/*
 * Checks every frame that the agent writes against the SDK's JSON Schema, and against rules that the schema leaves open: no
 * unknown keys at the root of results, parameters and updates.
 */

type Schema = { readonly [key: string]: unknown }

const path = fileURLToPath(import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.json'))
const root: { readonly $defs: Readonly<Record<string, Schema>> } = JSON.parse(readFileSync(path, 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false, allErrors: true })
ajv.addSchema(root, 'acp')
const compiled = new Map<string, ValidateFunction>()

/** One line of the agent. */
export interface Frame {
  readonly jsonrpc?: string
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: Record<string, unknown>
  }
}

/** What is wrong with a frame; empty if nothing is. `asked` is the method of our request that it answers. */
export function wrongWith(frame: Frame, asked: string | undefined): string[] {
  if (frame.jsonrpc !== '2.0') return ['no JSON-RPC 2.0']
  if (frame.method !== undefined) {
    if (!Object.values<string>(CLIENT_METHODS).includes(frame.method) && frame.method !== '$/cancel_request')
      return [`not a method of the client: ${frame.method}`]
    if (frame.method === '$/cancel_request') return []
    const name = defOf(frame.method, frame.id === undefined ? 'Notification' : 'Request')
    return [...against(name, frame.params), ...unknownKeys(name, frame.params), ...updateKeys(frame.params)]
  }
  if (frame.error) {
    const isSentence = !frame.error.message.includes('\n')
    return [...against('Error', frame.error), ...(isSentence ? [] : ['an error of several lines'])]
  }
  if (asked === undefined) return ['an answer to nothing']
  if (!Object.values<string>(AGENT_METHODS).includes(asked)) return []
  const name = defOf(asked, 'Response')
  return [...against(name, frame.result), ...unknownKeys(name, frame.result)]
}

function defOf(method: string, ending: string): string {
  const found = Object.entries(root.$defs).find(
    ([name, schema]) => schema['x-method'] === method && name.endsWith(ending),
  )
  if (!found) throw new Error(`the schema has no ${ending} of ${method}`)
  return found[0]
}

function against(name: string, value: unknown): string[] {
  let validate = compiled.get(name)
  if (!validate) compiled.set(name, (validate = ajv.compile({ $ref: `acp#/$defs/${name}` })))
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${name}${instancePath}: ${message ?? ''}`,
  )
}

function unknownKeys(name: string, value: unknown): string[] {
  const known = keysOf({ $ref: `#/$defs/${name}` })
  return Object.keys(value ?? {})
    .filter((key) => !known.has(key))
    .map((key) => `${name} has the unknown key ${key}`)
}

function updateKeys(params: Frame['params']): string[] {
  return params?.['update'] === undefined ? [] : unknownKeys('SessionUpdate', params['update'])
}

/** The properties of an object's schema, through every composition. */
function keysOf(schema: unknown): Set<string> {
  const keys = new Set<string>()
  if (typeof schema !== 'object' || schema === null) return keys
  const { properties, $ref, allOf, anyOf, oneOf }: Schema = { ...schema }
  for (const key of Object.keys(properties ?? {})) keys.add(key)
  if (typeof $ref === 'string')
    for (const key of keysOf(root.$defs[$ref.replace('#/$defs/', '')])) keys.add(key)
  for (const list of [allOf, anyOf, oneOf])
    if (Array.isArray(list)) for (const part of list) for (const key of keysOf(part)) keys.add(key)
  return keys
}
