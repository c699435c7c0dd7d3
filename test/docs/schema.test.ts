import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsSchema } from '../../src/config/json-schema.ts'

const FILE = new URL('../../docs/plasmid.schema.json', import.meta.url)

test('editors get the schema of the settings', () => {
  const text = `${JSON.stringify(settingsSchema(), undefined, 2)}\n`
  if (process.env['WRITE_DOCS'] !== undefined) writeFileSync(FILE, text)
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(text))
})

test('it describes the entries of catalogs and each setting', () => {
  expect(settingsSchema()).toMatchObject({
    properties: {
      port: { description: 'the port to listen on; 0: any free port' },
      catalogs: { items: { anyOf: [{ type: 'string' }, { required: ['id', 'source'] }] } },
    },
  })
})
