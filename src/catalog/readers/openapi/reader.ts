import type { Reader } from '../reader.ts'

const NAME = /\.(?:json|ya?ml)$/i
/** Its version stands on a line of its own, or between the first keys of a JSON object. */
const MARK = /(?:^|[\n{,])\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]/
/** The version is near the start; some generators write it last. */
const LOOKED_AT = 64 * 1024

/** OpenAPI documents of the versions 2.0, 3.0 and 3.1, in JSON or YAML. */
export const openapi: Reader = {
  accepts: 'an OpenAPI document (.json, .yaml)',
  inFolder: () => undefined,
  isFile: (name, text) => NAME.test(name) && (text === undefined || isDocument(text)),
  idOf: (name) => name.replace(NAME, '').replace(/[._-]?(?:openapi|swagger)$/i, '') || name,
  hint: () => undefined,
  takesOverlay: true,
  read: async ({ path, id, files: [file], overlay }) => {
    const { readOpenapi } = await import('./read.ts')
    return readOpenapi({ path, id, file, overlay })
  },
}

function isDocument(text: string): boolean {
  return MARK.test(text.slice(0, LOOKED_AT)) || MARK.test(text.slice(-LOOKED_AT))
}
