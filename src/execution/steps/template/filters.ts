/** The functions and filters of templates. The engine does not survive a filter that throws. */
export type Filters = Readonly<Record<string, (...given: unknown[]) => unknown>>

/** Records filters whose result would be too large: the maximum number of characters. */
export interface Bounds {
  exceeded?: number
}

/**
 * Replacements of the engine's filters that lengthen text, or turn values into text, without a limit: a result over the
 * limit is empty and recorded in `bounds`.
 */
export function boundedFilters(bounds: Bounds, most: number): Filters {
  const within = <T>(size: number, make: () => T, otherwise: T): T => {
    if (size <= most) return make()
    bounds.exceeded = most
    return otherwise
  }
  const joined = (texts: readonly string[], separator: string) => {
    const size = texts.reduce(
      (sum, part) => sum + part.length,
      separator.length * Math.max(0, texts.length - 1),
    )
    return within(size, () => texts.join(separator), '')
  }
  const json = (value: unknown, width?: unknown) => {
    const text = JSON.stringify(value, withMaps, widthOf(width)) ?? 'null'
    return within(text.length, () => text, '')
  }
  const split = (text: string, separator: unknown, times: unknown) =>
    within(text.length, () => parts(text, separator, times), [])
  const groups = (value: unknown, count: unknown, fill: unknown, make: typeof inBatches) => {
    const items = listOf(value)
    const size = Math.trunc(Number(count))
    if (!(size > 0)) return []
    return within(items.length + size, () => make(items, size, fill), [])
  }
  return {
    times: (a, b) => Number(a) * Number(b),
    replace: (text, from, to) => joined(String(text).split(String(from)), String(to)),
    indent: (text, width) => {
      const pad = Math.min(64, Math.max(0, Math.trunc(Number(width ?? 4)) || 0))
      return joined(String(text).split('\n'), `\n${' '.repeat(pad)}`)
    },
    join: (items, separator) =>
      joined(
        Array.isArray(items) ? items.map(String) : [String(items)],
        typeof separator === 'string' ? separator : '',
      ),
    tojson: (value, width) =>
      json(value, width).replaceAll(
        /[<>&']/g,
        (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
      ),
    pprint: (value) => json(value, 2),
    list: (value) => (typeof value === 'string' ? split(value, '', undefined) : listOf(value)),
    lines: (text) => split(String(text), '\n', undefined).map((line) => line.replace(/\r$/, '')),
    split: (text, separator, times) => split(String(text), separator ?? undefined, times),
    batch: (value, count, fill) => groups(value, count, fill, inBatches),
    slice: (value, count, fill) => groups(value, count, fill, inSlices),
  }
}

/** The engine passes objects as maps. */
export function withMaps(_: string, held: unknown): unknown {
  return held instanceof Map ? Object.fromEntries(held) : held
}

function widthOf(width: unknown): number {
  return width === true ? 2 : Math.min(8, Math.max(0, Math.trunc(Number(width ?? 0)) || 0))
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value instanceof Map ? [...value.keys()] : []
}

/**
 * Splits text at a separator, or at white space if none is given; the last part is the rest after the maximum number of
 * parts.
 */
function parts(text: string, separator: unknown, times: unknown): readonly string[] {
  const all =
    typeof separator === 'string'
      ? separator === ''
        ? Array.from(text)
        : text.split(separator)
      : text.split(/\s+/).filter((part) => part !== '')
  const most = typeof times === 'number' ? times : Infinity
  if (all.length <= most + 1 || typeof separator !== 'string') return all
  return [...all.slice(0, most), all.slice(most).join(separator)]
}

function inBatches(items: readonly unknown[], size: number, fill: unknown): readonly (readonly unknown[])[] {
  const batches: unknown[][] = []
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size))
  const last = batches.at(-1)
  if (last && fill !== undefined) while (last.length < size) last.push(fill)
  return batches
}

function inSlices(items: readonly unknown[], count: number, fill: unknown): readonly (readonly unknown[])[] {
  const [each, more] = [Math.floor(items.length / count), items.length % count]
  return Array.from({ length: count }, (_, index) => {
    const from = index * each + Math.min(index, more)
    const slice = items.slice(from, from + each + (index < more ? 1 : 0))
    return fill !== undefined && index >= more && more > 0 ? [...slice, fill] : slice
  })
}
