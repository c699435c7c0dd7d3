import type { Problem } from '../../base/diagnostic.ts'
import type { Reading } from '../source.ts'

/** A file's text, and the name of the file in problems. */
export interface SourceFile {
  readonly file: string
  readonly text: string
}

/** The files of one catalog that its reader asked for. */
interface CatalogText {
  /** The path that the operator configured. */
  readonly path: string
  /** The id of the catalog unless its text has one. */
  readonly id: string
  /** In the order of `inFolder`; never empty. */
  readonly files: readonly [SourceFile, ...SourceFile[]]
  /** An OpenAPI Overlay document that corrects the first file. */
  readonly overlay?: SourceFile | undefined
}

/** Reads catalogs of one format. */
export interface Reader {
  /** The accepted input, as messages list it: `a folder with …`. */
  readonly accepts: string
  /** The files to read from a folder with these entries; undefined if the folder is not of this format. */
  readonly inFolder: (names: readonly string[]) => readonly string[] | undefined
  /** Whether a single file is of this format. `text` is absent before the file is read. */
  readonly isFile: (name: string, text?: string) => boolean
  /** The id of a catalog whose text gives none, from the name of its folder or file. */
  readonly idOf: (name: string) => string
  /** Whether an Overlay document can correct its files. */
  readonly takesOverlay?: true
  /** A hint about a file that no reader accepts, where this reader knows the mistake. */
  readonly hint: (name: string) => Problem | undefined
  /** Loads the code of the format first: most servers read few formats. */
  readonly read: (source: CatalogText) => Promise<Reading>
}
