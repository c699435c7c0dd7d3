import { z } from 'zod'
import { isName } from '../readers/name.ts'

const name = z.string().min(1).max(128)
const newName = name.refine(isName, 'must be a name without spaces and quotes')

const paging = z.union([
  z.enum(['none', 'link_header']),
  z.strictObject({ page: name, start: z.int().min(0).default(1) }),
  z.strictObject({ offset: name }),
  z.strictObject({ cursor: name, from: name }),
  z.strictObject({ next_url: name }),
])

const entity = z.strictObject({
  name: newName.optional().meta({ description: 'Another name' }),
  description: z.string().min(1).optional(),
  key: z.array(name).min(1).optional().meta({ description: 'The fields that identify a row' }),
  hidden: z.boolean().optional().meta({ description: 'Leave out the entity and its operations' }),
})

const capability = z.strictObject({
  name: newName.optional().meta({ description: 'Another method name in programs' }),
  description: z.string().min(1).optional(),
  effect: z.enum(['read', 'write']).optional().meta({ description: 'Whether a call changes data' }),
  paging: paging
    .optional()
    .meta({ description: 'How a list is read on; `from` and `next_url` are dotted paths in the answer' }),
  hidden: z.boolean().optional().meta({ description: 'Leave out the operation' }),
})

/** What the configuration corrects of a catalog, without a change of its source. */
export const correctionSettings = {
  description: z.string().min(1).optional(),
  entities: z.record(name, entity).optional().meta({ description: 'Corrections by the name of the entity' }),
  capabilities: z
    .record(name, capability)
    .optional()
    .meta({ description: 'Corrections by the name of the capability, as `plasmid catalog show` lists it' }),
}

const schema = z.object(correctionSettings)
export type Corrections = z.output<typeof schema>
export type PagingCorrection = z.output<typeof paging>
