import { expect, test } from 'vitest'
import { type Mail, mailBody } from '../../../../src/execution/http/request/mail.ts'

const TO = { to: 'bob@example.com' }
const written = (mail: Mail) => {
  const made = mailBody({ from: 'ann@example.com', text: 'hi', ...mail })
  return 'reason' in made ? made.reason : Buffer.from(made.body.raw, 'base64url').toString('utf8')
}
/** The headers that are no matter of course, unfolded. */
const headers = (mail: Mail) =>
  written(mail)
    .split('\r\n\r\n')[0]
    ?.replaceAll('\r\n ', ' ')
    .split('\r\n')
    .filter((line) => !/^(?:MIME|Content)-/.test(line))

test('a message as it goes out', () => {
  expect(written({ ...TO, subject: 'Hello', text: 'One\nTwo\r\n' })).toBe(
    [
      'From: ann@example.com',
      'To: bob@example.com',
      'Subject: Hello',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('One\r\nTwo\r\n').toString('base64'),
      '',
    ].join('\r\n'),
  )
})

test('text beyond ASCII is encoded, and comes back as it was', () => {
  const subject = 'Grüße aus 東京 '.repeat(9).trim()
  const [, to, line] = headers({ to: 'Zoë "Z" <zoe@example.com>, plain@example.com', subject }) ?? []
  expect(to).toBe(
    `To: =?UTF-8?B?${Buffer.from('Zoë "Z"').toString('base64')}?= <zoe@example.com>, plain@example.com`,
  )
  const words = (line ?? '').replace('Subject: ', '').split(' ')
  expect(words.every((word) => word.length <= 75)).toBe(true)
  expect(words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString()).join('')).toBe(subject)
  const body = 'ünï '.repeat(100)
  expect(Buffer.from(written({ ...TO, text: body }).split('\r\n\r\n')[1] ?? '', 'base64').toString()).toBe(
    body,
  )
})

test('no line is longer than mail allows', () => {
  const references = Array.from({ length: 60 }, (_, at) => `<id-${at}@mail.example.com>`).join(' ')
  const text = written({ ...TO, references, subject: 'x'.repeat(2000), text: 'y'.repeat(5000) })
  expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
  expect(headers({ ...TO, references })?.at(-1)).toBe(`References: ${references}`)
})

test('a reply takes from what it answers what it does not say', () => {
  const parent: Mail = {
    parentFrom: 'Cy <cy@example.com>',
    parentSubject: 'Plan',
    parentMessageId: '<m2@example.com>',
    parentReferences: '<m0@example.com>\r\n <m1@example.com>',
    parentThreadId: 't1',
  }
  const answer = { from: 'ann@example.com', text: 'ok', ...parent }
  const made = mailBody(answer)
  expect(made).toMatchObject({ body: { threadId: 't1' } })
  expect(headers(parent)).toEqual([
    'From: ann@example.com',
    'To: Cy <cy@example.com>',
    'Subject: Re: Plan',
    'In-Reply-To: <m2@example.com>',
    'References: <m0@example.com> <m1@example.com> <m2@example.com>',
  ])
  expect(
    headers({ ...parent, to: 'x@y.z', subject: 'Other', parentSubject: 'RE: Plan' })?.slice(1, 3),
  ).toEqual(['To: x@y.z', 'Subject: Other'])
  expect(headers({ ...parent, parentSubject: 'RE: Plan' })).toContain('Subject: RE: Plan')
})

test.each([
  ['a header in a subject', { subject: 'Hi\r\nBcc: eve@example.com' }, 'Subject holds a line break or a control character'],
  ['a header in an address', { to: 'bob@example.com\nBcc: eve@example.com' }, 'To holds a line break or a control character'],
  ['a header in an id', { inReplyTo: '<a@b>\u0000' }, 'In-Reply-To holds a line break or a control character'],
  ['an empty recipient', { to: ' ' }, 'To is empty'],
  ['a name without an address', { to: 'Bob' }, 'To wants addresses such as Ann <ann@example.com>'],
  ['one bad address of two', { to: 'bob@example.com, eve' }, 'To wants addresses such as Ann <ann@example.com>'],
  ['two addresses in one', { to: '<bob@example.com> <eve@example.com>' }, 'To wants addresses such as Ann <ann@example.com>'],
  ['an address beyond ASCII', { to: 'bøb@example.com' }, 'To wants addresses such as Ann <ann@example.com>'],
  ['an id beyond ASCII', { references: '<ø@b>' }, 'References wants ids such as <a@b>'],
  ['a header without end', { subject: 'x '.repeat(6000) }, 'Subject has over 10000 characters'],
])('refuses %s', (_, mail, reason) => {
  expect(written({ ...TO, ...mail })).toBe(reason)
}) // prettier-ignore

test('a comma in quotes separates nothing', () => {
  expect(headers({ to: '"Lee, Ann" <ann@example.com>,bob@example.com' })?.[1]).toBe(
    'To: "Lee, Ann" <ann@example.com>, bob@example.com',
  )
})
