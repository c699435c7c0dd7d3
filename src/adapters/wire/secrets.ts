import { ownValue } from '../../base/json.ts'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { shownReference } from '../../catalog/auth/reference.ts'

/** A missing or invalid secret. Names the reference, never a value. */
class SecretError extends Error {
  constructor(reference: string, detail: string) {
    super(`the secret ${shownReference(reference)} ${detail}`)
    this.name = 'SecretError'
  }
}

/** Larger than any key or certificate. */
const MAX_BYTES = 64 * 1024

/**
 * Reads secrets by reference, on every call: `env:NAME` from the given environment, `file:PATH` from a file. Trims white
 * space. Rejects with a `SecretError` if there is none, and for a pipe, a device or a folder.
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
    const value = ownValue(environment, name)
    if (value === undefined) throw new SecretError(reference, 'is not set')
    return value
  }
  if (scheme !== 'file') throw new SecretError(reference, 'is neither `env:NAME` nor `file:PATH`')
  const file = await open(name, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw new SecretError(reference, 'cannot be read')
  })
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new SecretError(reference, 'is not a plain file')
    if (found.size > MAX_BYTES) throw new SecretError(reference, `is larger than ${MAX_BYTES} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
