import type { Header } from './recognise.ts'

/** The body of a request: its text, its refusal, or what the SDK reads in its place. */
export type ReadBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly response: Response }
  /** Too long by its own header, and unread. */
  | { readonly kind: 'unread' }
  /** A body that fails as the read one did. */
  | { readonly kind: 'broken'; readonly body: ReadableStream }

/** The longest body that the SDK reads, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the body of a POST: the SDK would replace bytes that are no UTF-8, and two texts would become one. */
export async function readBody(request: Request, header: Header): Promise<ReadBody> {
  const length = header('content-length')
  if (length !== null && !(Number(length) <= MAX_BYTES)) return { kind: 'unread' }
  let bytes: Uint8Array | undefined
  try {
    bytes = length === null ? await streamed(request) : new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    return { kind: 'broken', body: new ReadableStream({ start: (controller) => controller.error(error) }) }
  }
  if (!bytes)
    return refused(413, -32000, `Payload Too Large: Request body must not exceed ${MAX_BYTES} bytes`)
  try {
    return { kind: 'text', text: utf8.decode(bytes) }
  } catch {
    return refused(400, -32700, 'Parse error: The body is not UTF-8')
  }
}

/** A body of unknown length; undefined if it is too long. */
async function streamed({ body }: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function refused(status: number, code: number, message: string): ReadBody {
  const response = Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
  return { kind: 'refused', response }
}
