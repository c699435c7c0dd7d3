import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Rows that have an id and are got by another column. */

let served: Served | undefined
afterEach(async () => served?.close())

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Json) => ({ type: 'object', properties })
const list = (items: Json) => ({ type: 'array', items })
const answers = (schema: Json) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})
const recipe = { id: integer, slug: text, title: text }
const soup = { id: 1, slug: 'soup', title: 'Soup' }

test('other rows refer to them by that column, and not by their id', async () => {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/recipes': { get: answers(list(object(recipe))) },
      '/recipes/{slug}': {
        parameters: [{ in: 'path', name: 'slug', required: true, schema: text }],
        get: answers(object({ ...recipe, steps: text })),
      },
      '/menus': { get: answers(list(object({ day: text, recipe_id: integer, recipe_slug: text }))) },
    },
  }
  const api = (served = await serveDocument(document, (app) => {
    app.get('/recipes', (c) => c.json([soup]))
    app.get('/recipes/soup', (c) => c.json({ ...soup, steps: 'Boil' }))
    app.get('/menus', (c) => c.json([{ day: 'Monday', recipe_id: 1, recipe_slug: 'soup' }]))
  }))
  const { results, problems } = await api.run(
    'a = Menu[day, recipe_slug.steps, recipe_id]\nb = Recipe.limit(1)[steps]\na, b',
  )
  expect(problems).toEqual([])
  expect(results).toEqual({
    a: [{ day: 'Monday', 'recipe_slug.steps': 'Boil', recipe_id: 1 }],
    b: [{ steps: 'Boil' }],
  })
  expect(await api.run('Menu[recipe_id.steps]')).toEqual({
    rejected: ['`recipe_id` (int) has no field `steps`.'],
  })
})
