import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../src/discovery/goal.ts'

/** The words of a goal as `clause:word weight/need`; verbs of the lexicon end in `!`. */
const read = (goal: string) =>
  wordsOf(goal).map(({ clause, typed, verb, weight, need }) =>
    verb ? `${clause}:${typed}!` : `${clause}:${typed} ${weight.toFixed(2)}/${need.toFixed(2)}`,
  )

describe('reading a goal', () => {
  test.each([
    [
      'what is wanted before what it belongs to',
      'the lyrics of the song',
      ['0:lyrics 1.00/1.00', '0:song 0.70/0.70'],
    ],
    [
      'the last word of a phrase first',
      'mute the sales channel',
      ['0:mute 1.00/1.00', '0:sales 0.60/0.21', '0:channel 1.00/1.00'],
    ],
    ['names as values', 'invite Maya', ['0:invite 1.00/1.00', '0:maya 1.00/0.00']],
    [
      'part by part',
      'close a ticket, then tell the team',
      ['0:close!', '0:ticket 1.00/1.00', '1:tell!', '1:team 1.00/1.00'],
    ],
    [
      'a pair of nouns as one part',
      'list pages and comments',
      ['0:list!', '0:pages 1.00/1.00', '0:comments 1.00/1.00'],
    ],
    ['verbs that are nouns by what follows', 'order history', ['0:order 0.60/0.21', '0:history 1.00/1.00']],
    ['verbs that are nouns by what follows', 'order a taxi', ['0:order!', '0:taxi 1.00/1.00']],
    ['what happens to a thing as an aside', 'files attached', ['0:files 1.00/1.00', '0:attached 0.60/0.21']],
  ])('%s: %s', (_, goal, words) => {
    expect(read(goal)).toEqual(words)
  })
})
