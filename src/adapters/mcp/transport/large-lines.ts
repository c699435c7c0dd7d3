import { Joined } from '../../../base/slices/parts.ts'
import { JobThread } from '../../threads/job-thread.ts'
import type { Parsed } from '../../wire/json.ts'
import type { LinePart } from './worker.ts'

/** Lines from so many bytes on block the thread that serves for noticeable time when they are parsed. */
export const LARGE_BYTES = 256 * 1024

/** One for all servers: large lines are rare, and a thread costs memory. */
const thread = new JobThread<string, LinePart>(new URL('./worker.js', import.meta.url), {
  timeoutMs: 10_000,
  heapMb: 512,
})

/** It needs more time or memory than a line may. */
export interface TooHard {
  readonly wrong: 'too_hard'
}

/** Parses JSON in a thread of its own. */
export async function parseInThread(line: string): Promise<Parsed | TooHard> {
  const joined = new Joined()
  let unread: Parsed | undefined
  const end = await thread.run(line, (part) => {
    if ('wrong' in part) unread = part
    else joined.add(part)
  })
  if (end.kind !== 'done') return { wrong: 'too_hard' }
  return unread ?? { value: joined.value ?? null }
}
