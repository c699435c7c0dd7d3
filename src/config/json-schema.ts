import { z } from 'zod'
import { describeSettings, settings } from './settings.ts'

/** The JSON Schema of the configuration file, for editors: written into `docs/plasmid.schema.json`. */
export function settingsSchema(): object {
  const about = new Map(describeSettings().map(({ name, about: text }) => [name, text]))
  const schema = schemaOf(settings)
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const description = about.get(name)
    return [
      name,
      typeof property === 'object' && description !== undefined ? { ...property, description } : property,
    ]
  })
  return { ...schema, title: 'Settings of Plasmid', properties: Object.fromEntries(properties) }
}

function schemaOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A value that is also accepted as text, from the environment: a file has it in its own shape.
      // oxlint-disable-next-line no-underscore-dangle -- zod's name for what a schema is made of
      const { def } = zodSchema._zod
      if (def.type !== 'pipe') return
      // oxlint-disable-next-line no-underscore-dangle -- the same
      if (def.in._zod.def.type !== 'transform') return
      const { $schema: _version, ...inner } = z.toJSONSchema(def.out, { io: 'input', unrepresentable: 'any' })
      Object.assign(jsonSchema, inner)
    },
  })
}
