import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { every } from '../../../src/app/every.ts'
import { testEngine } from '../engines.ts'

const OPENING = { intent: 'shared', seeds: [{ api: 'shop', entity: 'Customer' }] }

test('another process waits for the note of a delivery', async () => {
  const { losing: processes } = testEngine({ isShared: true, every })
  const [one, other] = [processes(), processes()]
  const first = await one.context(LOCAL_USER, OPENING)
  const second = other.context(LOCAL_USER, OPENING)
  let isAnswered = false
  void second.then(() => (isAnswered = true))
  // Without the wait it would be answered by now: the store is memory.
  for (let turns = 0; turns < 50; turns++) await turn()
  expect(isAnswered).toBe(false)
  if (first.ok) await first.markDelivered?.()
  expect([first.text, (await second).text]).toEqual([
    expect.stringMatching(/^`s0`\n\n```tsv\n/),
    expect.stringMatching(/^`s0`\n\n_Session unchanged/),
  ])
})

test('a lost answer is taught again once its announcement expires', async () => {
  const { losing: processes, advance } = testEngine({ isShared: true, every })
  const first = await processes().context(LOCAL_USER, OPENING)
  const second = processes().context(LOCAL_USER, OPENING)
  advance(1001)
  expect((await second).text).toBe(first.text)
})
