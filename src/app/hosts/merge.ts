// oxlint-disable-next-line import/default -- Node gives the exports of this CommonJS package as its default
import jsonc from 'jsonc-parser'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { appProblem } from '../problems.ts'
import type { HostForm } from './host-forms.ts'

/** The text of a file with an entry, or that it has this entry already. */
export type Merged = { readonly kind: 'same' } | { readonly kind: 'changed'; readonly text: string }

interface Wanted {
  readonly form: Pick<HostForm, 'path' | 'syntax'>
  readonly entry: Readonly<Record<string, unknown>>
  /** For messages. */
  readonly file: string
  /** Replace another entry of the same name. */
  readonly replaces: boolean
}

/** The entry alone, as a file of its own. */
export function alone({ form, entry }: Pick<Wanted, 'form' | 'entry'>): string {
  const nested = form.path.reduceRight<unknown>((value, key) => ({ [key]: value }), entry)
  if (form.syntax === 'json') return `${JSON.stringify(nested, undefined, 2)}\n`
  return `${stringifyToml(isTable(nested) ? nested : {})}\n`.replace(/\n+$/, '\n')
}

/**
 * Adds the entry to the text of a host's file. Everything else in it stays as it is, comments included.
 *
 * Gives `host_file_unreadable`, or `host_entry_differs` for another entry of the same name.
 */
export function merged(text: string, wanted: Wanted): Result<Merged> {
  if (text.trim() === '') return ok({ kind: 'changed', text: alone(wanted) })
  return wanted.form.syntax === 'json' ? mergedJson(text, wanted) : mergedToml(text, wanted)
}

/** The entry of a host's file; undefined if there is none, or the file cannot be read. */
export function entryIn(text: string, { path, syntax }: Pick<HostForm, 'path' | 'syntax'>): unknown {
  try {
    return at(syntax === 'json' ? jsonc.parse(text) : parseToml(text), path)
  } catch {
    return undefined
  }
}

function mergedJson(text: string, { form: { path }, entry, file, replaces }: Wanted): Result<Merged> {
  const errors: jsonc.ParseError[] = []
  const held: unknown = jsonc.parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length
    return unreadable(file, `line ${line}: ${jsonc.printParseErrorCode(error.error)}`)
  }
  const refused = whyNot(held, { path, entry, file, replaces })
  if (refused) return refused
  const tab = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !tab.startsWith('\t'),
    tabSize: tab.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  const changed = jsonc.applyEdits(text, jsonc.modify(text, [...path], entry, { formattingOptions }))
  return ok({ kind: 'changed', text: changed })
}

/** A table is added at the end; one that is there is never edited. */
function mergedToml(text: string, { form, entry, file }: Wanted): Result<Merged> {
  const { path } = form
  let held: unknown
  try {
    held = parseToml(text)
  } catch (error) {
    return unreadable(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
  const refused = whyNot(held, { path, entry, file, replaces: false })
  if (refused) return refused
  const changed = `${text.trimEnd()}\n\n${alone({ form, entry })}`
  // The table of servers may be closed, for example where it is written in one line.
  const isThere = isDeepStrictEqual(plain(entryIn(changed, form)), plain(entry))
  return isThere
    ? ok({ kind: 'changed', text: changed })
    : unreadable(file, `no table can be added to \`${path[0]}\``)
}

function whyNot(
  held: unknown,
  { path, entry, file, replaces }: Pick<Wanted, 'entry' | 'file' | 'replaces'> & Pick<HostForm, 'path'>,
): Result<Merged> | undefined {
  for (let depth = 0; depth < path.length; depth++) {
    const parent = at(held, path.slice(0, depth))
    if (parent !== undefined && !isTable(parent))
      return unreadable(file, `\`${path.slice(0, depth).join('.') || 'the file'}\` is no object`)
  }
  const own = at(held, path)
  if (own === undefined) return undefined
  if (isDeepStrictEqual(plain(own), plain(entry))) return ok({ kind: 'same' })
  return replaces ? undefined : failed([appProblem('host_entry_differs', { file, name: path.join('.') })])
}

function unreadable(file: string, reason: string): Result<never> {
  return failed([appProblem('host_file_unreadable', { file, reason })])
}

function at(value: unknown, path: readonly string[]): unknown {
  let held = value
  for (const key of path) held = isTable(held) && Object.hasOwn(held, key) ? held[key] : undefined
  return held
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Without the prototypes of a parser. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
