import type { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Answers with a success status that say of themselves that the call was not done. */

let served: Served | undefined
afterEach(async () => served?.close())

const text = { type: 'string' }
const flag = { type: 'boolean' }
const object = (properties: Json) => ({ type: 'object', properties })
const stone = object({ id: text, colour: text })

const answers = (schema: Json | undefined) => ({
  responses: { 200: { description: 'ok', ...(schema && { content: { 'application/json': { schema } } }) } },
})

/** An API of stones; what its reads and its writes declare, and what they answer. */
async function quarry(declared: { read?: Json; write?: Json }, answer: Json): Promise<Served> {
  const body = { content: { 'application/json': { schema: object({ colour: text }) } } }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/stones': { get: answers(declared.read ?? { type: 'array', items: stone }) },
      '/stones/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: text }],
        get: answers(stone),
        put: { requestBody: body, ...answers(declared.write) },
      },
    },
  }
  const routes = (app: Hono) => {
    app.get('/stones', (c) => c.json(answer))
    app.get('/stones/b', (c) => c.json({ id: 'b', colour: 'red', errors: [{ message: 'cracked' }] }))
    app.put('/stones/:id', (c) => c.json(answer))
  }
  return (served = await serveDocument(document, routes))
}

const WRITE = 'Stone("a").update(colour=red)'

describe('a write', () => {
  test.each<[string, Json | undefined, Json, string]>([
    ['flag and message', object({ success: flag, message: text }), { success: false, message: 'Locked' }, 'Locked'],
    ['flag and errors', object({ ok: flag, errors: { type: 'array', items: text } }), { ok: false, errors: ['Locked'] }, 'Locked'],
    ['state and reason', object({ status: { type: 'string', enum: ['success', 'error'] }, msg: text }), { status: 'error', msg: 'Locked' }, 'Locked'],
    ['flag around the row', object({ success: flag, data: stone }), { success: false, data: null, error: 'Locked' }, 'Locked'],
    ['no declared answer', undefined, { success: false, message: 'Locked' }, 'Locked'],
    ['flag alone', object({ success: flag }), { success: false }, "{'success':false}"],
  ])('fails by %s', async (_, write, answer, said) => {
    const api = await quarry({ ...(write && { write }) }, answer)
    expect(await api.run(WRITE)).toMatchObject({
      effects: ['0 failed'],
      problems: [`\`api.Stone.update\`: the API answered with an error: "${said}".`],
    })
  }) // prettier-ignore

  test.each<[string, Json, Json]>([
    ['a flag that is true', object({ success: flag, message: text }), { success: true, message: 'Painted' }],
    ['a state of the row', object({ id: text, status: { type: 'string', enum: ['ok', 'failed'] }, message: text }), { id: 'a', status: 'failed', message: 'Broken' }],
    ['a flag of the row', object({ id: text, success: flag, message: text }), { id: 'a', success: false, message: 'Broken' }],
  ])('is done with %s', async (_, write, answer) => {
    const api = await quarry({ write }, answer)
    expect(await api.run(WRITE)).toMatchObject({ effects: ['0 done'], problems: [] })
  }) // prettier-ignore
})

describe('a read', () => {
  const read = object({ success: flag, message: text, data: { type: 'array', items: stone } })

  test('fails where its envelope says so, and is not an empty list', async () => {
    const api = await quarry({ read }, { success: false, message: 'Closed on Mondays', data: null })
    expect(await api.run('Stone.aggregate(n=count)')).toMatchObject({
      partial: ['failed'],
      problems: ['`api.Stone`: the API answered with an error: "Closed on Mondays". Not run: `aggregate`.'],
    })
  })

  test('is partial where errors stand beside its data', async () => {
    const schema = object({ data: { type: 'array', items: stone } })
    const answer = { data: [{ id: 'a' }], errors: [{ message: 'One shelf is closed' }] }
    const api = await quarry({ read: schema }, answer)
    expect(await api.run('Stone[id]')).toMatchObject({
      results: { Stone: [{ id: 'a' }] },
      partial: ['failed'],
      problems: ['`api.Stone`: the API left a part of the answer empty: "One shelf is closed".'],
    })
  })

  test('gives a row that has a column of errors', async () => {
    const api = await quarry({}, [])
    expect(await api.run('Stone("b")[id, colour]')).toMatchObject({
      results: { Stone: [{ id: 'b', colour: 'red' }] },
      problems: [],
    })
  })

  test('gives rows that have such a column', async () => {
    const rows = { type: 'array', items: object({ id: text, success: flag, message: text }) }
    const api = await quarry({ read: rows }, [{ id: 'a', success: false, message: 'Broken' }])
    expect(await api.run('Stone[success, message]')).toMatchObject({
      results: { Stone: [{ success: false, message: 'Broken' }] },
    })
  })
})
