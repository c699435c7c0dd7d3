import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Drafts that are older were left by a process that was killed. */
const LEFT_MS = 60_000
const OURS = 0o600
const DRAFT = /\.[0-9a-f]{12}\.draft$/

/**
 * Replaces a file at once: a reader sees the old content or the new one, also where several write. Only this user may read it,
 * unless a mode is given, and the folders that it makes.
 */
export function replaceFile(
  path: string,
  content: string | Iterable<Uint8Array>,
  mode = OURS,
): Promise<void> {
  return fromDraft(path, { content, mode }, rename)
}

/** Creates a file at once, whole or not at all. Rejects with `EEXIST` if there is one. */
export function createFile(path: string, content: string, mode = OURS): Promise<void> {
  // A link, unlike a rename, fails if another process was first.
  return fromDraft(path, { content, mode }, link)
}

async function fromDraft(
  path: string,
  { content, mode }: { readonly content: string | Iterable<Uint8Array>; readonly mode: number },
  place: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await dropDrafts(folder)
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
  try {
    await writeFile(draft, content, { flag: 'wx', mode: OURS, flush: true })
    if (mode !== OURS) await chmod(draft, mode)
    await place(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Removes what processes left here that were killed while they wrote. */
async function dropDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => DRAFT.test(name))
  for (const path of drafts.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > LEFT_MS) await rm(path, { force: true })
  }
}
