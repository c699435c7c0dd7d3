import { readdirSync } from 'node:fs'
import type { Wording } from '../../src/base/diagnostic.ts'

const src = new URL('../../src/', import.meta.url)

/** Where a room's problems come from, as a reader of the document would say it. */
const ORIGINS: Readonly<Record<string, string>> = {
  access: 'Policies and callers',
  'adapters/auth': 'Secrets, tokens and API keys',
  'adapters/stores': 'Stores',
  'adapters/wire': 'Calls to APIs',
  app: 'The start of a server',
  catalog: 'Catalogs',
  'catalog/readers/plasm': 'Catalogs in the Plasm format',
  discovery: 'Discovery',
  engine: 'Requests: contexts, plans and runs',
  execution: 'Runs of programs',
  language: 'Programs: what they mean',
  'language/syntax': 'Programs: how they are written',
  'surfaces/cli': 'The command line',
  'surfaces/http': 'HTTP requests',
}

interface Row {
  readonly code: string
  readonly message: string
  readonly next: string
}

/** The document of all problem codes, made from the tables of the rooms. */
export async function errorDocument(): Promise<string> {
  const rooms = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/problems.ts'))
    .map((path) => path.replace(/\/problems\.ts$/, ''))
    .toSorted()
  const parts = await Promise.all(rooms.map(section))
  return [HEAD, ...parts].join('\n')
}

const HEAD = `# Problem codes

What an agent, a user or the world outside got wrong is answered with a code, a sentence that says what happened, and a
sentence that says what to do next. Codes are stable: programs may branch on them. \`{holes}\` are filled in with what was
found; a message may be shorter where it has nothing to list. Made by \`npm run docs:errors\` from the tables of the code.
`

async function section(room: string): Promise<string> {
  const rows = (await tables(room)).flatMap(rowsOf).toSorted((a, b) => (a.code < b.code ? -1 : 1))
  const lines = rows.map(({ code, message, next }) => `| \`${code}\` | ${cell(message)} | ${cell(next)} |`)
  const heading = `## ${ORIGINS[room] ?? room}`
  return [
    heading,
    '',
    '| Code | What happened | What to do next |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n')
}

type Table = Readonly<Record<string, Wording<object>>>

async function tables(room: string): Promise<readonly Table[]> {
  const module: object = await import(new URL(`${room}/problems.ts`, src).pathname)
  const found = Object.values(module).filter(
    (held): held is { readonly table: Table } => typeof held === 'function' && 'table' in held,
  )
  if (found.length === 0) throw new Error(`no table of problems in ${room}`)
  return found.map(({ table }) => table)
}

function rowsOf(table: Table): readonly Row[] {
  return Object.entries(table).map(([code, { message, next }]) => ({
    code,
    message: said(message),
    next: said(next),
  }))
}

/** A sentence may be chosen by what was found: then there is not one to show. */
function said(sentence: (holes: object) => string | undefined): string {
  return sentence(HOLES) ?? 'It depends on what was found.'
}

/** Whatever a sentence asks for is a list of one that prints as its name. */
const HOLES: object = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? hole(name) : undefined) })

function hole(name: string) {
  const text = `{${name}}`
  const spoken = {
    replaceAll: () => text,
    trim: () => text,
    toLowerCase: () => text,
    startsWith: () => false,
  }
  // What makes a date of it gets the epoch, which is then printed as a time.
  const asPrimitive = (hint: string) => (hint === 'string' ? text : 0)
  const own = { slice: () => [text], toString: () => text, [Symbol.toPrimitive]: asPrimitive }
  return Object.assign([text], spoken, own)
}

const EPOCH = new Date(0).toISOString()

function cell(text: string): string {
  // A word that is looked up by what was found.
  return text
    .replaceAll(/\bundefined\b/g, '…')
    .replaceAll(EPOCH, '{time}')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
}
