import type { Problem } from '../base/diagnostic.ts'
import type { Reading } from './source.ts'

/** What `plasmid catalog check` tells of one catalog. */
export interface CheckReport {
  readonly path: string
  readonly id: string
  /** It loads. */
  readonly ok: boolean
  readonly entities: number
  readonly capabilities: number
  /** Capabilities that run. */
  readonly supported: number
  /** Those that do not, and what they need. */
  readonly unsupported: readonly { readonly capability: string; readonly features: readonly string[] }[]
  readonly warnings: readonly Finding[]
  readonly errors: readonly Finding[]
}

/** A problem, without what only programs use. */
export interface Finding {
  readonly file?: string
  /** 1-based. */
  readonly line?: number
  readonly code: string
  readonly message: string
  readonly next: string
}

/** Sums up a reading. The counts are 0 where errors stand in the way of a model. */
export function checkReport({ path, id, catalog, errors, warnings }: Reading): CheckReport {
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
    warnings: warnings.map(finding),
    errors: errors.map(finding),
  }
}

function finding({ file, line, code, message, next }: Problem): Finding {
  return { ...(file !== undefined && { file }), ...(line !== undefined && { line }), code, message, next }
}
