import { access, readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { HOST_FORMS, type Places } from './host-forms.ts'
import { entryIn } from './merge.ts'

/** A host that is configured to start Plasmid. */
export interface ConfiguredHost {
  readonly host: string
  readonly file: string
  /** The program that it starts, and the first of its files that is missing. */
  readonly starts: string
  readonly missing?: string
}

const started = z.object({ command: z.string(), args: z.array(z.string()).default([]) })

/** Looks for entries of Plasmid in the files of all hosts; other entries, and files that cannot be read, are ignored. */
export async function configuredHosts(places: Places): Promise<readonly ConfiguredHost[]> {
  const found = await Promise.all(
    HOST_FORMS.map(async (form): Promise<ConfiguredHost[]> => {
      const file = form.file(places)
      const text = await readFile(file, 'utf8').catch(() => '')
      const entry = started.safeParse(entryIn(text, form))
      if (!entry.success) return []
      const { command, args } = entry.data
      const missing = await firstMissing([command, ...args.slice(0, 1)])
      const starts = [command, ...args].join(' ')
      return [{ host: form.host, file, starts, ...(missing !== undefined && { missing }) }]
    }),
  )
  return found.flat()
}

async function firstMissing(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (!isAbsolute(path)) continue
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (!isThere) return path
  }
  return undefined
}
