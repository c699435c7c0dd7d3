import type { Reading } from '../source.ts'

/** A file by the name that problems give it, and its text. */
export interface SourceFile {
  readonly file: string
  readonly text: string
}

/** The files of one catalog, as a reader asked for them. */
interface CatalogText {
  /** As the operator named it. */
  readonly path: string
  /** The id where the text gives none: the folder's or the file's name. */
  readonly id: string
  /** In the order in which the reader named them; never empty. */
  readonly files: readonly [SourceFile, ...SourceFile[]]
}

/** Reads catalogs of one format. */
export interface Reader {
  /** What it reads, as messages list it: `a folder with …`. */
  readonly accepts: string
  /** The files to read of a folder with these entries; nothing where the folder is not of this format. */
  readonly inFolder: (names: readonly string[]) => readonly string[] | undefined
  /** Is a single file of this name, with this text, of this format? `text` is absent while only the name is known. */
  readonly isFile: (name: string, text?: string) => boolean
  readonly read: (source: CatalogText) => Reading
}
