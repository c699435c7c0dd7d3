import { Readable } from 'node:stream'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eachLogLine } from '../../../src/adapters/mcp/log-lines.ts'

test('every line is reported, also the last one without its end', async () => {
  const stream = Readable.from([Buffer.from('one\n\ntw'), Buffer.from('o\nlast words')])
  const lines: string[] = []
  eachLogLine(stream, (line) => lines.push(line))
  await once(stream, 'end')
  expect(lines).toEqual(['one', 'two', 'last words'])
})
