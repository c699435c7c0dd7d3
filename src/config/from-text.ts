import { delimiter } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/*
 * Settings come as text from the environment and the command line, and typed from a file. Each of these schemas accepts both;
 * text that does not fit is left for the inner schema to refuse.
 */

/** A list; as text, separated as `PATH` is. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((given) => (typeof given === 'string' ? parts(given, delimiter) : given), z.array(item))
}

/** A record; also a list of `KEY=VALUE`; as text, separated by commas. */
export function recordOf<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) {
  return pairsOf(z.record(key, value))
}

/** An object of named values; also a list of `KEY=VALUE`; as text, separated by commas. */
export function pairsOf<Held extends z.ZodType>(held: Held) {
  return z.preprocess((given) => fromPairs(typeof given === 'string' ? parts(given, ',') : given), held)
}

/** A number, also as its digits. */
export function numeric<Inner extends z.ZodType>(inner: Inner) {
  return z.preprocess(
    (given) => (typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : given),
    inner,
  )
}

/** True or false; as text also `1` and `0`. */
export function flag() {
  return z.preprocess((given) => SWITCHES.get(given) ?? given, z.boolean())
}

const SWITCHES = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** A list of objects; as text, in YAML or JSON. */
export function yamlListOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((given) => (typeof given === 'string' ? valueOfYaml(given) : given), z.array(item))
}

/** A value of any shape; as text, in YAML or JSON. */
export function yamlOf<Inner extends z.ZodType>(inner: Inner) {
  return z.preprocess((given) => (typeof given === 'string' ? valueOfYaml(given) : given), inner)
}

function parts(text: string, separator: string): string[] {
  return text.split(separator).filter((part) => part !== '')
}

/** Without an `=` the value is empty, which the schemas refuse. */
function fromPairs(given: unknown): unknown {
  if (!Array.isArray(given)) return given
  return Object.fromEntries(
    given.map(String).map((pair) => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

function valueOfYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch {
    return text
  }
}
