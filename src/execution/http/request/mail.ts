import { encodeText } from '../../../catalog/values/blob.ts'
import type { MailField } from '../../../catalog/calls/http-request.ts'

export type Mail = Readonly<Partial<Record<MailField, string>>>

interface MailBody {
  readonly body: { readonly raw: string; readonly threadId?: string }
}

/** The length above which lines are folded at a space. */
const LINE = 76
/** Bytes of text per encoded word, which is then 72 characters long. */
const WORD_BYTES = 45

/**
 * A plain-text e-mail (RFC 5322) for an API: `raw`, in base64 of the URL alphabet, and its thread. A reply takes missing
 * fields from the message that it answers: recipient, subject and thread. No header value can start another header;
 * non-ASCII text is encoded (RFC 2047).
 */
export function mailBody(mail: Mail): MailBody | { readonly reason: string } {
  const to = mail.to ?? mail.parentReplyTo ?? mail.parentFrom ?? ''
  const lines: string[] = []
  for (const [name, value] of [
    ['From', mail.from ?? ''],
    ['To', to],
    ['Subject', mail.subject ?? replySubject(mail.parentSubject)],
    ['In-Reply-To', mail.inReplyTo ?? mail.parentMessageId ?? ''],
    [
      'References',
      mail.references ?? [mail.parentReferences, mail.parentMessageId].filter(Boolean).join(' '),
    ],
  ] as const) {
    const header = headerOf(name, unfolded(value))
    if ('reason' in header) return header
    if (header.line !== '') lines.push(header.line)
  }
  lines.push(
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: base64',
  )
  const text = base64((mail.text ?? '').replaceAll(/\r\n|\r|\n/g, '\r\n'))
  const raw = encodeText([...lines, '', ...pieces(text, LINE), ''].join('\r\n'), true)
  const thread = mail.threadId ?? mail.parentThreadId
  return { body: thread === undefined || thread === '' ? { raw } : { raw, threadId: thread } }
}

/** Unfolds a header value that an API gave on several lines. */
function unfolded(value: string): string {
  return value.replaceAll(/\r?\n[ \t]+/g, ' ').trim()
}

function replySubject(subject: string | undefined): string {
  if (subject === undefined) return ''
  return /^\s*re\s*:/i.test(subject) ? subject : `Re: ${subject}`
}

type Header = { readonly line: string } | { readonly reason: string }

/** The most characters of one header. */
const MAX_HEADER = 10_000

function headerOf(name: string, value: string): Header {
  const isAddress = name === 'From' || name === 'To'
  if (value.length > MAX_HEADER) return { reason: `${name} has over ${MAX_HEADER} characters` }
  if (/\p{Cc}/u.test(value)) return { reason: `${name} holds a line break or a control character` }
  if (value === '') return isAddress ? { reason: `${name} is empty` } : { line: '' }
  if (name === 'Subject') return { line: folded(`${name}: ${words(value)}`) }
  if (!isAddress)
    return isPlain(value)
      ? { line: folded(`${name}: ${value}`) }
      : { reason: `${name} wants ids such as <a@b>` }
  const all = mailboxes(value).map(mailbox)
  const known = all.filter((one) => one !== undefined)
  return known.length === all.length
    ? { line: folded(`${name}: ${known.join(', ')}`) }
    : { reason: `${name} wants addresses such as Ann <ann@example.com>` }
}

/** Splits at commas outside of quotes and angle brackets. */
function mailboxes(value: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  let inside = ''
  for (const character of value) {
    if (inside === '' && character === ',') {
      parts.push(part)
      part = ''
      continue
    }
    if (character === '"' && inside !== '<') inside = inside === '"' ? '' : '"'
    else if (character === '<' && inside === '') inside = '<'
    else if (character === '>' && inside === '<') inside = ''
    part += character
  }
  return [...parts, part].map((one) => one.trim())
}

/** One mailbox, with a non-ASCII name encoded; undefined if it has no address. */
function mailbox(text: string): string | undefined {
  const at = text.lastIndexOf('<')
  const [name, address] = at === -1 ? ['', text] : [text.slice(0, at).trim(), text.slice(at)]
  const isAddress = at === -1 ? /^[^\s@<>"]+@[^\s@<>"]+$/ : /^<[^\s@<>"]+@[^\s@<>"]+>$/
  if (!isPlain(address) || !isAddress.test(address) || /[<>]/.test(name)) return undefined
  if (name === '') return address
  return `${isPlain(name) ? name : words(name.replace(/^"(.*)"$/, '$1'))} ${address}`
}

/** Printable ASCII, in words that fit a line. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && !/[^ ]{500}/.test(text)
}

/** Text as encoded words, unless it is printable ASCII. */
function words(text: string): string {
  if (isPlain(text)) return text
  const found: string[] = []
  let word = ''
  let bytes = 0
  for (const character of text) {
    const more = new TextEncoder().encode(character).length
    if (bytes + more > WORD_BYTES) {
      found.push(word)
      word = ''
      bytes = 0
    }
    word += character
    bytes += more
  }
  return [...found, word].map((one) => `=?UTF-8?B?${base64(one)}?=`).join(' ')
}

function base64(text: string): string {
  return encodeText(text, false)
}

/** Folds a header at spaces into lines of at most `LINE` characters. */
function folded(header: string): string {
  const lines: string[] = []
  let line = ''
  for (const [index, word] of header.split(' ').entries()) {
    if (index > 0 && line.length + 1 + word.length > LINE && line.trim() !== '') {
      lines.push(line)
      line = ''
    }
    line = index === 0 ? word : `${line} ${word}`
  }
  return [...lines, line].join('\r\n')
}

function pieces(text: string, size: number): readonly string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
}
