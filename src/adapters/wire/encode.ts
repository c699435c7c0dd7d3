import type { ExactJson } from '../../base/canonical.ts'
import { isList, isRecord, jsonText } from '../../base/json.ts'
import type { CallBody } from '../../execution/wire.ts'
import { type BodyPart, multipartBody } from './multipart.ts'

/** A body as it is sent. */
export interface EncodedBody {
  readonly content: string | Uint8Array
  readonly contentType: string
}

/** Encodes a body in its format. */
export function encodedBody(body: CallBody): EncodedBody {
  const { format, value, contentType } = body
  switch (format) {
    case 'json':
      return { content: jsonText(value), contentType: contentType ?? 'application/json' }
    case 'form':
      return { content: formText(value), contentType: 'application/x-www-form-urlencoded' }
    case 'text':
      return { content: textOf(value), contentType: contentType ?? 'text/plain; charset=utf-8' }
    case 'bytes':
      return { content: bytesOf(value), contentType: contentType ?? 'application/octet-stream' }
    case 'multipart':
      return multipart(value, body.fileParts ?? [])
  }
}

/** Null is omitted, a list repeats its key, an object is sent as JSON text. */
function formText(value: ExactJson): string {
  const form = new URLSearchParams()
  for (const [name, item] of partsOf(value)) form.append(name, textOf(item))
  return form.toString()
}

function multipart(value: ExactJson, files: readonly string[]): EncodedBody {
  return multipartBody(
    partsOf(value).map(([name, item]): BodyPart => {
      if (!files.includes(name))
        return { name, content: textOf(item), ...(isRecord(item) && { contentType: 'application/json' }) }
      const [content, fileName] = isRecord(item)
        ? [item['content'] ?? '', item['name'] ?? name]
        : [item, name]
      return {
        name,
        content: bytesOf(content),
        contentType: 'application/octet-stream',
        fileName: textOf(fileName),
      }
    }),
  )
}

/** The values of a form: a list repeats its key, null is omitted. */
function partsOf(value: ExactJson): readonly (readonly [string, ExactJson])[] {
  return Object.entries(value ?? {}).flatMap(([name, held]: [string, ExactJson]) => {
    const items: readonly ExactJson[] = isList(held) ? held : [held]
    return items.filter((item) => item !== null).map((item) => [name, item] as const)
  })
}

function textOf(value: ExactJson): string {
  return typeof value === 'object' ? jsonText(value) : String(value)
}

function bytesOf(value: ExactJson): Uint8Array {
  return Buffer.from(textOf(value), 'base64')
}
