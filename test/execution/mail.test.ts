import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveFixture, type Served } from './served.ts'

/* E-mails that templates write. */

let harbor: Served
let mails: { readonly raw: string; readonly threadId?: string }[] = []
beforeAll(async () => {
  harbor = await serveFixture('harbor', (app) => {
    app.post('/letters', async (c) => {
      mails.push(await c.req.json())
      return c.json({ id: 'L-9' })
    })
    app.get('/letters/:id', (c) =>
      c.req.param('id') === 'L-1'
        ? c.json({
            id: 'L-1',
            threadId: 'T-1',
            headerFrom: 'Cy <cy@example.com>',
            headerSubject: 'Plan',
            headerMessageId: '<m1@example.com>',
          })
        : c.json({ id: c.req.param('id'), headerFrom: 'x\nBcc: eve@example.com', headerSubject: 'a' }),
    )
  })
})
afterAll(() => harbor.close())
beforeEach(() => void (mails = []))

const letter = () =>
  Buffer.from(mails[0]?.raw ?? '', 'base64url')
    .toString()
    .split('\r\n')

test('a letter is written and sent', async () => {
  const ran = await harbor.run(
    'Letter.send(from="ann@example.com", to="bob@example.com", subject="Hi", plainBody=<<T\nOne\nTwo\nT\n)',
  )
  expect(ran).toMatchObject({ results: { send: [{ id: 'L-9' }] }, problems: [] })
  expect(letter().slice(0, 3)).toEqual(['From: ann@example.com', 'To: bob@example.com', 'Subject: Hi'])
  expect(letter().at(-2)).toBe(Buffer.from('One\r\nTwo\r\n').toString('base64'))
})

test('a reply goes where the letter came from, in its thread', async () => {
  const ran = await harbor.run('Letter("L-1").reply(from="ann@example.com", plainBody="ok")')
  expect(ran).toMatchObject({ problems: [] })
  expect(mails[0]?.threadId).toBe('T-1')
  expect(letter().slice(0, 5)).toEqual([
    'From: ann@example.com',
    'To: Cy <cy@example.com>',
    'Subject: Re: Plan',
    'In-Reply-To: <m1@example.com>',
    'References: <m1@example.com>',
  ])
})

test.each([
  ['Letter.send(from="ann@example.com", to="bob@example.com\\nBcc: eve@example.com", subject="Hi", plainBody="x")', 'Letter.send', 'To holds a line break or a control character'],
  ['Letter("L-2").reply(from="ann@example.com", plainBody="x")', 'Letter.reply', 'To holds a line break or a control character'],
  ['Letter("L-1").reply(from="ann", plainBody="x")', 'Letter.reply', 'From wants addresses such as Ann <ann@example.com>'],
])('what would be another letter is not sent: %s', async (program, capability, reason) => {
  expect(await harbor.run(program)).toMatchObject({
    problems: [`\`harbor.${capability}\`: cannot write the e-mail: ${reason}.`],
    effects: ['0 not_sent'],
  })
  expect(mails).toEqual([])
}) // prettier-ignore
