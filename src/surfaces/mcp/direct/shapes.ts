import type { Json } from '../../../base/canonical.ts'
import { isRecord } from '../../../base/json.ts'

/** Does a JSON value have a certain shape? */
export type Shape = (value: Json) => boolean

const isText: Shape = (value) => typeof value === 'string'
const isSwitch: Shape = (value) => typeof value === 'boolean'

/** An object with only these keys, each of its shape; every key may be absent. */
function only(keys: Readonly<Record<string, Shape>>): Shape {
  const shapes = new Map(Object.entries(keys))
  return (value) =>
    isRecord(value) && Object.entries(value).every(([key, held]) => shapes.get(key)?.(held) === true)
}

const isEmpty = only({})

/** The names of a client, as nearly all of them write it. */
export const isClientInfo: Shape = (value) =>
  isNamed(value) && isRecord(value) && 'name' in value && 'version' in value
const isNamed = only({ name: isText, title: isText, version: isText })

/** The capabilities of a client, as nearly all of them write them. */
export const isCapabilities: Shape = only({
  roots: only({ listChanged: isSwitch }),
  sampling: only({ context: isEmpty, tools: isEmpty }),
  elicitation: only({ form: isEmpty, url: isEmpty }),
})
