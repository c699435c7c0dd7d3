import { resolve } from 'node:path'
import { z } from 'zod'
import { authOf, authSetting } from '../catalog/auth/setting.ts'
import type { Auth } from '../catalog/auth/auth.ts'
import { correctionSettings, type Corrections } from '../catalog/corrections/setting.ts'
import { CATALOG_FORMATS, type CatalogFormat } from '../catalog/format.ts'

/** A catalog with its own settings, as `plasmid add` writes it. */
export const catalogEntry = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z][\w.-]{0,63}$/, 'must be letters, digits, `_`, `.` and `-`, at most 64')
    .meta({ description: 'The name of the API in goals, seeds and settings' }),
  source: z
    .string()
    .min(1)
    .meta({ description: 'A folder, a file, or the http(s) address that `plasmid add` fetched' }),
  kind: z
    .enum(CATALOG_FORMATS)
    .optional()
    .meta({ description: 'What the source is, where `plasmid add` found or was given it' }),
  overlay: z.string().min(1).optional().meta({
    description: 'A file with an OpenAPI Overlay document, which corrects the document before it is read',
  }),
  server: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'The address of the API, in place of the one in the source' }),
  auth: authSetting.optional(),
  ...correctionSettings,
})

/** The keys of an entry. */
export const ENTRY_KEYS: readonly string[] = Object.keys(catalogEntry.shape)

/** A catalog of the configuration, its source absolute. */
export interface CatalogEntry {
  readonly source: string
  /** Absent if the entry is a path alone. */
  readonly id?: string
  readonly kind?: CatalogFormat
  /** Absolute. */
  readonly overlay?: string
  readonly server?: string
  readonly auth?: Auth
  readonly corrections?: Corrections
}

/** The entry that a path or an object of the configuration describes. */
export function entryOf(given: string | z.output<typeof catalogEntry>, cwd: string): CatalogEntry {
  if (typeof given === 'string') return { source: resolve(cwd, given) }
  const { id, source, kind, overlay, server, auth, ...corrections } = given
  return {
    id,
    source: isUrl(source) ? source : resolve(cwd, source),
    ...(kind !== undefined && { kind }),
    ...(overlay !== undefined && { overlay: resolve(cwd, overlay) }),
    ...(server !== undefined && { server }),
    ...(auth && { auth: authOf(auth, id) }),
    ...(Object.values(corrections).some((one) => one !== undefined) && { corrections }),
  }
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}
