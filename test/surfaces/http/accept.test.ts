import { expect, test } from 'vitest'
import { preferred } from '../../../src/surfaces/http/accept.ts'

const OFFERS = ['application/json', 'text/markdown', 'application/x-ndjson'] as const

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/markdown', 'text/markdown'],
  ['TEXT/Markdown; charset=utf-8', 'text/markdown'],
  ['text/*', 'text/markdown'],
  ['application/*;q=0.5, text/markdown;q=0.4', 'application/json'],
  ['application/json;q=0.1, application/x-ndjson', 'application/x-ndjson'],
  ['*/*, application/json;q=0', 'text/markdown'],
  ['image/png', undefined],
  ['*/*;q=0', undefined],
  ['application/json;q=nonsense', undefined],
  [`${'a/b,'.repeat(100)}text/markdown`, undefined],
])('answers %j with %j', (accept, offer) => {
  expect(preferred(accept, OFFERS)).toBe(offer)
})
