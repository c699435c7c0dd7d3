/** A file by its owner and permission bits, as `stat` gives them. */
export interface OwnedFile {
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** The user and group of a process. */
export interface FileUser {
  readonly uid: number
  readonly gid: number
}

const GROUP_MAY_WRITE = 0o020
const ALL_MAY_WRITE = 0o002

/**
 * Why other users can change a file that decides who may do what; undefined if only this user and root can. The own group
 * counts as this user: on many systems every user has a group of the same name, and its members may write by default.
 */
export function whyOthersCanWrite({ uid, gid, mode }: OwnedFile, us: FileUser): string | undefined {
  if (uid !== us.uid && uid !== 0) return `another user (uid ${uid}) owns it`
  const isOpen = (mode & ALL_MAY_WRITE) !== 0 || ((mode & GROUP_MAY_WRITE) !== 0 && gid !== us.gid)
  return isOpen
    ? `other users can write it (mode ${(mode & 0o777).toString(8).padStart(4, '0')}): remove that right with \`chmod go-w\``
    : undefined
}
