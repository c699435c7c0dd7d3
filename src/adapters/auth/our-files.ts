import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { type OwnedFile, type FileUser, whyOthersCanWrite } from '../../base/file-owner.ts'

/** The user and group of this process; undefined on Windows, where access rights are inherited from the user's directory. */
export function ourselves(): FileUser | undefined {
  const { getuid, getgid } = process
  return getuid && getgid ? { uid: getuid.call(process), gid: getgid.call(process) } : undefined
}

/** Options of `readFile` for a text. They never wait for the writer of a named pipe. */
export const AT_ONCE = { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK } as const

interface Found extends OwnedFile {
  readonly isFile: () => boolean
  readonly isDirectory: () => boolean
}

/** Why a file or a folder cannot decide who may do what: it is neither of them, or other users can change it. */
export function whyUntrusted(found: Found): string | undefined {
  if (!found.isFile() && !found.isDirectory()) return 'it is not a plain file'
  const us = ourselves()
  return us && whyOthersCanWrite(found, us)
}

/** The text of a small file, read in this turn of the event loop. */
export function textOf(path: string): string {
  const file = openSync(path, AT_ONCE.flag)
  try {
    return readFileSync(file, AT_ONCE.encoding)
  } finally {
    closeSync(file)
  }
}
