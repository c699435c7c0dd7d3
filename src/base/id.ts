const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lowercase hex, two characters a byte. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => HEX[byte]).join('')
}

/** Sixteen bytes as a UUID of version 8 (RFC 9562, section 5.8): ours to fill, marked as such. */
export function uuidV8(bytes: Uint8Array): string {
  const marked = Uint8Array.from(bytes.subarray(0, 16))
  marked[6] = ((marked[6] ?? 0) & 0x0f) | 0x80
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80
  const text = hex(marked)
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Unpadded base64url (RFC 4648, section 5). Sixteen bytes give 22 characters. */
export function base64url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    const group = (a << 16) | (b << 8) | c
    const characters = Math.min(4, bytes.length - at + 1)
    for (let index = 0; index < characters; index++) text += ALPHABET.charAt((group >> (18 - 6 * index)) & 63)
  }
  return text
}
