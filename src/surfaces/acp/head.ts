import { z } from 'zod'
import { DEFAULT_MODE } from './modes.ts'

/** The head of a conversation: what is kept of it besides what was said. Never a server's environment or headers. */
const head = z.object({
  cwd: z.string(),
  additionalDirectories: z.array(z.string()),
  /** Of the logical session. */
  intent: z.string(),
  title: z.string().optional(),
  mode: z.enum(['plan', 'review', 'run']).catch(DEFAULT_MODE),
})

export type Head = z.infer<typeof head>

export function headText(value: Head): string {
  return JSON.stringify(value)
}

/** Only this surface writes heads: another shape is our own mistake. */
export function headOf(text: string): Head {
  return head.parse(JSON.parse(text))
}
