import { constants } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { whyOthersCanWrite } from '../../../base/file-owner.ts'
import { replaceFile } from '../../files/replace.ts'

/** What a person's login to an API gave. Its tokens are secrets. */
export interface Login {
  readonly accessToken: string
  /** When the access token expires, in ms since the epoch; absent if the server did not state it. */
  readonly goodUntil?: number | undefined
  /** Absent if the server gave none: after the access token's end, the person signs in again. */
  readonly refreshToken?: string | undefined
}

/** The logins that `plasmid auth login` keeps, by name. */
export interface Logins {
  /** Undefined if there is none under the name, none that can be read, or one that other users could have written. */
  readonly read: (name: string) => Promise<Login | undefined>
  readonly write: (name: string, login: Login) => Promise<void>
  /** False if there was none. */
  readonly remove: (name: string) => Promise<boolean>
}

const stored = z.object({
  accessToken: z.string().min(1),
  goodUntil: z.number().optional(),
  refreshToken: z.string().min(1).optional(),
})

/** Reading never waits for the writer of a named pipe. */
const AT_ONCE = { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK } as const

/** Logins as files that only their owner may read, in a folder of their own. */
export function loginFiles(folder: string): Logins {
  // A catalog's id has no slash, but another reference may: every name is one file of this folder.
  const path = (name: string) => join(folder, `${encodeURIComponent(name).replaceAll('.', '%2E')}.json`)
  return {
    read: async (name) => {
      try {
        return (await isOurs(path(name)))
          ? stored.safeParse(JSON.parse(await readFile(path(name), AT_ONCE))).data
          : undefined
      } catch {
        return undefined
      }
    },
    write: (name, login) => replaceFile(path(name), `${JSON.stringify(login)}\n`),
    remove: async (name) => {
      const was = await readFile(path(name)).then(
        () => true,
        () => false,
      )
      await rm(path(name), { force: true })
      return was
    },
  }
}

async function isOurs(path: string): Promise<boolean> {
  const { getuid, getgid } = process
  if (!getuid || !getgid) return true
  const us = { uid: getuid.call(process), gid: getgid.call(process) }
  return whyOthersCanWrite(await stat(path), us) === undefined
}
