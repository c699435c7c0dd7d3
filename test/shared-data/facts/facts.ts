import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { SHARED_FACTS, whyNoSharedFacts } from '../shared-data.ts'

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

/** Facts about an existing implementation of the language; empty where they are absent. */
export const FACTS: readonly Fact[] =
  whyNoSharedFacts === undefined ? shape.parse(JSON.parse(readFileSync(SHARED_FACTS, 'utf8'))).cases : []
