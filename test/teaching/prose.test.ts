import { expect, test } from 'vitest'
import { prose } from '../../src/teaching/prose.ts'

test.each([
  ['List repositories.', 'List repositories'],
  ['List messages. Returns only ids; get each of them for more.', 'List messages'],
  ['Create a file (or replace it)', 'Create a file'],
  [
    'Search issues with JQL—filter, sort, and shape the result set in one call of the search',
    'Search issues with JQL—filter, sort, and shape the result…',
  ],
  [
    'Load several issues by key or id in one round-trip for triage boards and reports',
    'Load several issues by key or id in one round-trip…',
  ],
  [
    'A message of a channel, identified by its timestamp within a conversation of the workspace',
    'A message of a channel, identified by its timestamp…',
  ],
  [
    'Change the settings of the whole workspace, which only its owners may do from here',
    'Change the settings of the whole workspace',
  ],
])('%s', (text, short) => {
  expect(prose(text)).toBe(short)
})
