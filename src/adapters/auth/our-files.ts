import type { Owner } from '../../base/file-owner.ts'

/** The user and group of this process; undefined on Windows, where access rights are inherited from the user's directory. */
export function ourselves(): Owner | undefined {
  const { getuid, getgid } = process
  return getuid && getgid ? { uid: getuid.call(process), gid: getgid.call(process) } : undefined
}
