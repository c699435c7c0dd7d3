import { expect, test } from 'vitest'
import { pause } from '../../src/app/pause.ts'

/** Notes each turn of the event loop in which one of these principals continues. */
async function turnsOf(principals: readonly string[]): Promise<readonly (readonly string[])[]> {
  const turns: string[][] = []
  let isOver = false
  const count = () => {
    turns.push([])
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(principals.map((principal) => pause(principal).then(() => turns.at(-1)?.push(principal))))
  isOver = true
  return turns.filter((continued) => continued.length > 0)
}

test('one piece of work continues in each turn of the event loop', async () => {
  expect(await turnsOf(['ann', 'ann', 'ann'])).toEqual([['ann'], ['ann'], ['ann']])
})

test('principals take turns, however much work of each rests', async () => {
  const turns = await turnsOf(['ann', 'ann', 'ann', 'bob', 'ann', 'bob', 'cat'])
  expect(turns.flat()).toEqual(['ann', 'bob', 'cat', 'ann', 'bob', 'ann', 'ann'])
})
