import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn, tableOf } from '../imported.ts'

/* A document as web frameworks generate it from code: 3.1, an id of each operation that repeats its path. */

const file = new URL('../../../fixtures/openapi/styles/generated.json', import.meta.url)
const reading = readOpenapi({ path: '', id: 'garden', file: { file: '', text: readFileSync(file, 'utf8') } })
const garden = catalogIn(reading)

const run = (program: string, answers: Readonly<Record<string, Json>>) => runOn(garden, program, answers)

test('a part of a media type without an encoding is a file with a name', async () => {
  expect(tableOf(garden, 'Photo')).toContain('file blob')
  const made = { id: 1, bed_id: 7, size: 5 }
  const { calls } = await run('Photo.create(bed_id=7, file={text="hello"}, file_name="a.txt", title=Rose)', {
    '/beds/7/photos': made,
  })
  expect(calls).toEqual(['POST /beds/7/photos {"file":{"content":"aGVsbG8=","name":"a.txt"},"title":"Rose"}'])
  const plain = await run('Photo.create(bed_id=7, file={text="hello"})', { '/beds/7/photos': made })
  expect(plain.calls).toEqual(['POST /beds/7/photos {"file":"aGVsbG8="}'])
})

test('a title that repeats the name gives way to the description', () => {
  const descriptions = garden.capabilities.map(({ name, description }) => [name, description])
  expect(Object.fromEntries(descriptions)).toMatchObject({
    bed_get: 'Read Bed',
    photo_create: 'Keeps a picture of the bed as it is today',
  })
})
