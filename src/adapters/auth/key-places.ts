import { statSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../base/errors.ts'
import { createFile } from '../files/replace.ts'
import { textOf, whyUntrusted } from './our-files.ts'
import type { SharedTexts } from '../../access/shared-texts.ts'

/** Where API keys are stored, each as a text under its id. Additions and removals apply from the next request on. */
export interface KeyPlace {
  /** For messages. */
  readonly where: string
  readonly read: (id: string) => Promise<string | undefined>
  readonly ids: () => Promise<readonly string[]>
  readonly add: (id: string, text: string) => Promise<void>
  readonly remove: (id: string) => Promise<unknown>
}

const FILE = /^([0-9a-f]{16})[.]json$/

/**
 * A directory of this machine with a file `<id>.json` for each key; it may not exist yet. Reading rejects if other users can
 * change the directory or the file (they could add a key of their own), and at once for a named pipe or a device.
 */
export function keysInDirectory(dir: string): KeyPlace {
  const fileOf = (id: string) => join(dir, `${id}.json`)
  return {
    where: dir,
    // Every request does this. It takes some ten microseconds; each asynchronous step would wait for the work of other callers.
    read: async (id) => {
      try {
        mustBeOurs(dir)
        mustBeOurs(fileOf(id))
        return textOf(fileOf(id))
      } catch (error) {
        return missing(error, undefined)
      }
    },
    ids: async () => {
      try {
        mustBeOurs(dir)
        return (await readdir(dir)).flatMap((name) => FILE.exec(name)?.[1] ?? [])
      } catch (error) {
        return missing(error, [])
      }
    },
    add: async (id, text) => {
      await createFile(fileOf(id), text)
    },
    remove: (id) => unlink(fileOf(id)),
  }
}

function mustBeOurs(path: string): void {
  const why = whyUntrusted(statSync(path))
  if (why !== undefined) throw new Error(`${path}: ${why}`)
}

const KEY = /^key:([0-9a-f]{16})$/

/** The store that all nodes share. */
export function sharedKeys(texts: SharedTexts): KeyPlace {
  return {
    where: texts.where,
    read: (id) => texts.read(`key:${id}`),
    ids: async () => (await texts.names()).flatMap((name) => KEY.exec(name)?.[1] ?? []),
    add: (id, text) => texts.write(`key:${id}`, text),
    remove: (id) => texts.remove(`key:${id}`),
  }
}

function missing<T>(error: unknown, instead: T): T {
  if (hasCode(error, 'ENOENT')) return instead
  throw error
}
