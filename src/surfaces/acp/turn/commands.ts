import { ownValue } from '../../../base/json.ts'
import type { AvailableCommand } from '@agentclientprotocol/sdk'
import { setTimeout as delay } from 'node:timers/promises'
import { nearest } from '../../../base/suggest.ts'
import { GRAMMAR, readingOf, seedIn } from '../../../engine/index.ts'
import { logicalSession, pick } from './logical-session.ts'
import { planProgram, runProgram } from './programs.ts'
import { fencedText, freshId, tell, type TurnContext } from './turn-context.ts'

interface Command {
  readonly description: string
  /** A placeholder for what follows the name. */
  readonly hint?: string
  readonly run: (turn: TurnContext, rest: string) => Promise<void> | void
}

/** The longest `/sleep`, in seconds. */
const LONGEST_SLEEP = 3600
/** Rows of a discovery that the suggested `/context` picks. */
const SUGGESTED = 3

const COMMANDS: Readonly<Record<string, Command>> = {
  discover: { description: 'Find the APIs and entities that fit a goal', hint: 'a goal', run: discover },
  context: {
    description: 'Pick entities and see what they can do; without any, see the whole table',
    hint: 'api:Entity …',
    run: context,
  },
  plan: { description: 'Check a program and show its plan', hint: 'a program', run: planProgram },
  run: { description: 'Run a program', hint: 'a program', run: runProgram },
  sessions: { description: 'List your sessions', run: sessions },
  help: { description: 'Show the commands and the program language', run: help },
  sleep: { description: 'Wait some seconds: for tests of cancelling', hint: 'seconds', run: sleep },
}

/** As they are announced to the client. */
export const AVAILABLE_COMMANDS: readonly AvailableCommand[] = Object.entries(COMMANDS).map(
  ([name, { description, hint }]) => ({ name, description, ...(hint && { input: { hint } }) }),
)

/** Answers a prompt: a command, a program, or plain words. */
export async function answer(turn: TurnContext): Promise<void> {
  const { text, embedded } = turn.prompt
  const [, name, rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  if (name === undefined) return answerText(turn, text === '' ? embedded : text)
  const command = ownValue(COMMANDS, name)
  if (command) return command.run(turn, rest === '' ? embedded : rest)
  const [closest] = nearest(name, Object.keys(COMMANDS), 1)
  const hint = closest === undefined ? 'Send `/help` for the commands.' : `Did you mean \`/${closest}\`?`
  tell(turn, `There is no command \`/${name}\`. ${hint}`)
}

async function answerText(turn: TurnContext, text: string): Promise<void> {
  const reading = readingOf(text)
  if (reading === 'program') return runProgram(turn, text)
  if (reading === 'name' && (await isKnown(turn, text))) return runProgram(turn, text)
  return discover(turn, text)
}

/** Is it an entity of the session, by its symbol or its name? */
async function isKnown(turn: TurnContext, name: string): Promise<boolean> {
  const session = await logicalSession(turn)
  return session?.entities.some(({ symbol, entity }) => symbol === name || entity === name) ?? false
}

async function discover(turn: TurnContext, words: string): Promise<void> {
  const { gateway, caller, options } = turn
  const reply = await gateway.discover(caller, { intent: words }, options)
  if (!reply.ok) return tell(turn, fencedText(reply.text))
  const session = await logicalSession(turn)
  const isHeld = ({ api, entity }: { readonly api: string; readonly entity: string }) =>
    session?.entities.find((one) => one.live && one.api === api && one.entity === entity)?.symbol
  const held = reply.facts.rows.flatMap((row) => isHeld(row) ?? [])
  const fresh = reply.facts.rows.filter((row) => !isHeld(row)).slice(0, SUGGESTED)
  const picks = fresh.map(({ api, entity }) => `${api}:${entity}`).join(' ')
  const next = [
    ...(held.length > 0 ? [`Already picked: ${held.map((symbol) => `\`${symbol}\``).join(', ')}.`] : []),
    ...(fresh.length > 0
      ? [`To see what can be done with them, send:\n\n${fencedText(`/context ${picks}`)}`]
      : []),
    ...(reply.facts.rows.length > 0 ? ['Then send a program; `/help` shows the language.'] : []),
  ]
  tell(turn, [reply.text.trimEnd(), ...next].join('\n\n'))
}

async function context(turn: TurnContext, rest: string): Promise<void> {
  const words = rest.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length > 0) {
    const wrong = words.find((word) => !seedIn(word))
    if (wrong !== undefined)
      return tell(turn, `Write each entity as \`api:Entity\`, not ${fencedInline(wrong)}.`)
    await pick(turn, { seeds: words.flatMap((word) => seedIn(word) ?? []) })
    return
  }
  const session = await logicalSession(turn)
  if (!session) return tell(turn, 'This session has no entities yet. Pick some: `/context api:Entity …`.')
  const table = await turn.gateway.table(turn.caller, session.logicalSessionRef)
  tell(turn, table.ok ? table.text : fencedText(table.text))
}

function fencedInline(text: string): string {
  return `\`${text.replaceAll('`', "'").slice(0, 80).toWellFormed()}\``
}

async function sessions(turn: TurnContext): Promise<void> {
  const reply = await turn.gateway.sessions(turn.caller)
  tell(turn, fencedText(reply.text))
}

function help(turn: TurnContext): void {
  const rows = Object.entries(COMMANDS).map(
    ([name, { description, hint }]) => `- \`/${name}${hint ? ` ${hint}` : ''}\`: ${description}.`,
  )
  const words = 'Plain words are searched for APIs that fit; a program is planned and run.'
  tell(turn, [words, rows.join('\n'), fencedText(GRAMMAR)].join('\n\n'))
}

async function sleep(turn: TurnContext, rest: string): Promise<void> {
  const seconds = Number(rest)
  if (rest === '' || !(seconds >= 0 && seconds <= LONGEST_SLEEP))
    return tell(turn, `Write the seconds, at most ${LONGEST_SLEEP}: \`/sleep 5\`.`)
  const toolCallId = freshId('call')
  const title = `Sleep ${seconds} s`
  turn.speaker.say({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status: 'in_progress' })
  await delay(seconds * 1000, undefined, { signal: turn.signal }).catch(() => undefined)
  const status = turn.signal.aborted ? 'failed' : 'completed'
  turn.speaker.say({ sessionUpdate: 'tool_call_update', toolCallId, status })
  if (!turn.signal.aborted) tell(turn, `Slept ${seconds} s.`)
}
