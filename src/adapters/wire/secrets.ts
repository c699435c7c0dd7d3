import { readFile } from 'node:fs/promises'
import { shownReference } from '../../catalog/auth/reference.ts'

/** A missing or invalid secret. Names the reference, never a value. */
class SecretError extends Error {
  constructor(reference: string, detail: string) {
    super(`the secret ${shownReference(reference)} ${detail}`)
    this.name = 'SecretError'
  }
}

/**
 * Reads secrets by reference, on every call: `env:NAME` from the given environment, `file:PATH` from a file. Trims white
 * space. Rejects with a `SecretError` if there is none.
 */
export function secretReader(
  environment: Readonly<Record<string, string | undefined>>,
): (reference: string) => Promise<string> {
  return async (reference) => {
    const value = (await read(environment, reference)).trim()
    if (value === '') throw new SecretError(reference, 'is empty')
    // A line break would inject another header.
    if (/[^\t -~\u0080-\u{10FFFF}]/u.test(value)) throw new SecretError(reference, 'holds control characters')
    return value
  }
}

async function read(
  environment: Readonly<Record<string, string | undefined>>,
  reference: string,
): Promise<string> {
  const [scheme, ...rest] = reference.split(':')
  const name = rest.join(':')
  if (scheme === 'env') {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (value === undefined) throw new SecretError(reference, 'is not set')
    return value
  }
  if (scheme !== 'file') throw new SecretError(reference, 'is neither `env:NAME` nor `file:PATH`')
  try {
    return await readFile(name, 'utf8')
  } catch {
    throw new SecretError(reference, 'cannot be read')
  }
}
