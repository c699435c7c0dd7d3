import { randomUUID } from 'node:crypto'

/** A part of a multipart body. */
export interface BodyPart {
  readonly name: string
  readonly content: string | Uint8Array
  /** Absent: plain text. */
  readonly contentType?: string
  /** Of a file. */
  readonly fileName?: string
}

/**
 * Writes a multipart body (RFC 7578). `FormData` cannot: it makes a file of each part that has a content type, and servers read a
 * JSON part as a field only where it is no file.
 */
export function multipartBody(parts: readonly BodyPart[]): {
  readonly content: Uint8Array
  readonly contentType: string
} {
  const boundary = `plasmid-${randomUUID()}`
  const written = parts.flatMap(({ name, content, contentType, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${escaped(fileName)}"`
    const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}${type}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]
  })
  return {
    content: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** As browsers write names: a quotation mark or a line break would end the header. */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
