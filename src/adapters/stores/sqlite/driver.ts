import { reasonOf } from '../../../base/errors.ts'
import { StoreError, storeProblem } from '../problems.ts'

type Value = string | number | null

/** A prepared statement. Rows come as objects by column name. */
export interface Statement<Row> {
  /** Returns the number of changed rows. */
  run(...values: readonly Value[]): number
  get(...values: readonly Value[]): Row | undefined
  all(...values: readonly Value[]): readonly Row[]
}

/** The interface to SQLite, implemented by two drivers. */
export interface Driver {
  readonly name: 'node:sqlite' | 'libsql'
  exec(sql: string): void
  prepare<Row = never>(sql: string): Statement<Row>
  /** About how many bytes the changes of statements came to so far. */
  written(): number
  close(): void
}

/** What the two libraries have in common. */
interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: readonly Value[]): { readonly changes: number | bigint }
    get(...values: readonly Value[]): unknown
    all(...values: readonly Value[]): unknown[]
  }
  close(): void
}

/**
 * Opens the file with the SQLite of the runtime where it has one (Node 22.13 and later), else with libsql. Throws
 * `store_without_driver` if there is neither: the binary of libsql is an optional dependency.
 */
export async function openDriver(path: string): Promise<Driver> {
  const BuiltIn = await builtInSqlite()
  if (BuiltIn) return wrap('node:sqlite', new BuiltIn(path))
  const Libsql = await libsqlBinding()
  const libsql = new Libsql(path)
  return wrap('libsql', {
    exec: (sql) => libsql.exec(sql),
    prepare: (sql) => libsql.prepare<Value[]>(sql),
    close: () => libsql.close(),
  })
}

async function libsqlBinding() {
  try {
    return (await import('libsql')).default
  } catch (error) {
    const [detail = ''] = reasonOf(error).split('\n')
    throw new StoreError(storeProblem('store_without_driver', { detail, node: process.versions.node }))
  }
}

async function builtInSqlite(): Promise<(new (path: string) => Connection) | undefined> {
  // The types of Node 20 do not know the module; a runtime without it rejects the import.
  const specifier = 'node:sqlite'
  try {
    const module: { readonly DatabaseSync: new (path: string) => Connection } = await import(specifier)
    return module.DatabaseSync
  } catch {
    return undefined
  }
}

/** A changed row changes a page of its table, and one of an index, besides those that its values fill. */
const BYTES_OF_A_CHANGE = 2 * 4096

function wrap(name: Driver['name'], connection: Connection): Driver {
  let written = 0
  return {
    name,
    exec: (sql) => void connection.exec(sql),
    prepare: <Row>(sql: string): Statement<Row> => {
      const statement = connection.prepare(sql)
      return {
        run: (...values) => {
          const changes = Number(statement.run(...values).changes)
          if (changes > 0) written += BYTES_OF_A_CHANGE
          for (const value of values) if (typeof value === 'string') written += value.length
          return changes
        },
        // The columns of a statement are what its SQL says: the caller names them once, beside the SQL.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        get: (...values) => (statement.get(...values) ?? undefined) as Row | undefined,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        all: (...values) => statement.all(...values) as Row[],
      }
    },
    written: () => written,
    close: () => connection.close(),
  }
}

/** Primary result codes of SQLite that we distinguish. */
export const SQL_ERROR = 1
const BUSY = 5
const LOCKED = 6
export const CORRUPT = 11
export const FULL = 13
export const NOT_A_DATABASE = 26

/** The primary result code of an error of either driver; undefined for other errors. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = 'rawCode' in error ? error.rawCode : 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}

/** Does another connection hold the lock, so that a retry may succeed? */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}
