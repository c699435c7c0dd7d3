import { expect, test } from 'vitest'
import { requestOf } from '../../../../src/catalog/call.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn } from '../imported.ts'

/* Lists that are read on by headers other than `Link`. */

const schema = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }

/** How a list with these query parameters and response headers is read on. */
function pagingOf(parameters: readonly string[], headers: readonly string[]) {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://mill.example' }],
    paths: {
      '/sacks': {
        get: {
          parameters: parameters.map((name) => ({
            name,
            in: 'query',
            schema: { type: name === 'page' || name === '_limit' ? 'integer' : 'string' },
          })),
          responses: {
            200: {
              description: 'ok',
              headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }])),
              content: { 'application/json': { schema } },
            },
          },
        },
      },
    },
  }
  const file = { file: '', text: JSON.stringify(document) }
  const { capabilities } = catalogIn(readOpenapi({ path: '', id: 'mill', file }))
  return capabilities[0] && requestOf(capabilities[0])?.paging
}

const cursor = (name: string, field: string) => ({
  location: 'query',
  parameters: [{ name, kind: 'cursor', field, ofHeader: true }],
})

test('a cursor, a page or an address in a header leads to the next page', () => {
  expect(pagingOf(['cursor'], ['X-Next-Cursor'])).toMatchObject(cursor('cursor', 'x-next-cursor'))
  expect(pagingOf(['page'], ['X-Next-Page'])).toMatchObject(cursor('page', 'x-next-page'))
  expect(pagingOf(['_limit', '_token'], ['Next-Page'])).toEqual({
    location: 'link_header',
    parameters: [],
    bodyPath: [],
    responsePath: [],
    nextHeader: 'next-page',
  })
})

test('a token that nothing fills makes the end of the rows a guess', () => {
  expect(pagingOf(['_limit', '_token'], [])).toMatchObject({ nextHeader: 'next-page', isGuess: true })
  expect(pagingOf(['page_token'], [])).toMatchObject({ isGuess: true })
  expect(pagingOf(['_limit', '_token'], ['Link'])).not.toHaveProperty('isGuess')
})

test('a credential and a date are no tokens', () => {
  expect(pagingOf(['token'], [])).toBeUndefined()
  expect(pagingOf(['after'], [])).toBeUndefined()
})
