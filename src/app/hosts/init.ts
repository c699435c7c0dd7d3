import { constants } from 'node:fs'
import { copyFile, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFile, replaceFile } from '../../adapters/files/replace.ts'
import { hasCode, reasonOf } from '../../base/errors.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { InitOutcome, InitRequest } from '../../surfaces/cli/dependencies.ts'
import { appProblem } from '../problems.ts'
import { HOST_FORMS, type HostForm, HOSTS, type Places, type Protocol, type Start } from './host-forms.ts'
import { alone, merged } from './merge.ts'

/**
 * Shows or writes the configuration by which a host starts Plasmid.
 *
 * Gives `unknown_host`, `host_protocol`, `host_file_unreadable`, `host_entry_differs` or `host_file_failed`; nothing was
 * changed then.
 */
export async function initHost(
  request: InitRequest,
  places: Places,
  startBy: (protocol: Protocol) => Start,
): Promise<Result<InitOutcome>> {
  const found = formOf(request)
  if (!found.ok) return found
  const form = found.value
  const file = request.file ?? form.file(places)
  const entry = form.entry(startBy(form.protocol))
  const { host, title, protocol, afterwards } = form
  const outcome = { host, title, protocol, file, afterwards, text: alone({ form, entry }) }
  if (!request.writes) return ok({ ...outcome, state: 'shown' })
  try {
    const text = await readFile(file, 'utf8').catch(orMissing)
    const merge = merged(text ?? '', { form, entry, file, replaces: request.replaces })
    if (!merge.ok) return merge
    if (merge.value.kind === 'same') return ok({ ...outcome, state: 'unchanged' })
    const backup = await write(file, merge.value.text, text !== undefined)
    return ok({ ...outcome, state: 'written', ...(backup !== undefined && { backup }) })
  } catch (error) {
    const reason = reasonOf(error)
    return failed([appProblem('host_file_failed', { file, reason })])
  }
}

function formOf({ host, protocol }: InitRequest): Result<HostForm> {
  const forms = HOST_FORMS.filter((form) => form.host === host)
  if (forms.length === 0) return failed([appProblem('unknown_host', { host, hosts: HOSTS })])
  const form = protocol === undefined ? forms[0] : forms.find((one) => one.protocol === protocol)
  const known = forms.map((one) => one.protocol)
  return form ? ok(form) : failed([appProblem('host_protocol', { host, protocol: protocol ?? '', known })])
}

/** Replaces the file as a whole, and what a link points to rather than the link. Gives the path of the copy. */
async function write(file: string, text: string, isThere: boolean): Promise<string | undefined> {
  if (!isThere) {
    await mkdir(dirname(file), { recursive: true })
    await createFile(file, text, 0o666 & ~process.umask())
    return undefined
  }
  const real = await realpath(file)
  const { mode } = await stat(real)
  const backup = await copyOf(real)
  await replaceFile(real, text, mode & 0o777)
  return backup
}

/** Copies the file beside itself, over no other copy. */
async function copyOf(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${file}.backup${number === 1 ? '' : `-${number}`}`
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

function orMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
