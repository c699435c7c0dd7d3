import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod'

const file = new URL('../../../../shared/spec/language-cases.json', import.meta.url)

const shape = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      area: z.string(),
      surface: z.string(),
      fixture: z.string(),
      program: z.string(),
      outcome: z.enum(['ok', 'error']),
    }),
  ),
})

export type Fact = z.infer<typeof shape>['cases'][number]

/** Facts about an existing implementation of the language, where they are at hand: other people's, read and never kept. */
export const FACTS: readonly Fact[] = existsSync(file)
  ? shape.parse(JSON.parse(readFileSync(file, 'utf8'))).cases
  : []
