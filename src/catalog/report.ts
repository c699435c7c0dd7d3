import type { Problem } from '../base/diagnostic.ts'
import type { Reading } from './source.ts'

/** The report of `plasmid catalog check` on one catalog. */
export interface CheckReport {
  readonly path: string
  readonly id: string
  /** Whether the catalog loads. */
  readonly ok: boolean
  readonly entities: number
  readonly capabilities: number
  /** Capabilities that run. */
  readonly supported: number
  /** Capabilities that cannot run, with the missing features. */
  readonly unsupported: readonly { readonly capability: string; readonly features: readonly string[] }[]
  /** Of an imported document: its operations, and those that can be called. */
  readonly operations?: NonNullable<Reading['operations']>
  readonly warnings: readonly Finding[]
  readonly errors: readonly Finding[]
}

/** A problem, without the parts that only programs have. */
export interface Finding {
  readonly file?: string
  /** 1-based. */
  readonly line?: number
  readonly code: string
  readonly message: string
  readonly next: string
}

/** Summarizes a reading. The counts are 0 if errors prevent a model. */
export function checkReport({ path, id, catalog, operations, errors, warnings }: Reading): CheckReport {
  const capabilities = catalog?.capabilities ?? []
  const lacking = capabilities.filter(({ unsupported }) => unsupported.length > 0)
  return {
    path,
    id,
    ok: catalog !== undefined,
    entities: catalog?.entities.length ?? 0,
    capabilities: capabilities.length,
    supported: capabilities.length - lacking.length,
    unsupported: lacking.map(({ name, unsupported }) => ({ capability: name, features: unsupported })),
    ...(operations && { operations }),
    warnings: warnings.map(finding),
    errors: errors.map(finding),
  }
}

function finding({ file, line, code, message, next }: Problem): Finding {
  return { ...(file !== undefined && { file }), ...(line !== undefined && { line }), code, message, next }
}
