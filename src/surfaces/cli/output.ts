import { type Problem, sentences } from '../../base/diagnostic.ts'
import type { Reply, RunFacts } from '../../engine/index.ts'
import { type Answered, toRunBody } from '../bodies/bodies.ts'
import { toRefusalBody } from '../bodies/refusal.ts'
import { EXIT, type Exit, exitOf } from './exit.ts'
import { refusalInCommands, runInCommands } from './wording.ts'

/** Writes to standard output, which holds answers and nothing else. */
export function print(text: string): void {
  process.stdout.write(text)
}

/** Writes to standard error, a line. */
export function say(line: string): void {
  process.stderr.write(ended(line))
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Prints one line of JSON, as `--json` promises of every answer: `ok` and the body. */
export function printJson(body: object, ok = true): void {
  print(`${JSON.stringify({ ok, ...body })}\n`)
}

interface AnswerOptions {
  /** The outcomes of the changes of a run that was refused in the end. */
  readonly effects?: RunFacts['effects'] | undefined
  /** The text of the answer, with commands in place of tools. */
  readonly inWords?: (text: string) => string
}

/** The answer of a run, with the outcomes of its changes where it was refused in the end. */
export function answerRun(reply: Reply<RunFacts>, asJson: boolean): Promise<Exit> {
  const options = reply.ok ? { inWords: () => runInCommands(reply) } : { effects: reply.facts?.effects }
  return answer(reply, asJson, toRunBody, options)
}

/**
 * An answer: the text of the MCP tools with next steps as commands (a terminal gets a final line break), or with `--json` one
 * line: the body that HTTP gives, with `ok`. Its table counts as delivered once the whole answer is written.
 */
export async function answer<Facts>(
  reply: Reply<Facts>,
  asJson: boolean,
  toBody: (reply: Answered<Facts>) => object,
  { effects, inWords = (text) => text }: AnswerOptions = {},
): Promise<Exit> {
  const isSeen = !reply.ok || process.stdout.isTTY
  const body = () =>
    reply.ok
      ? { ok: true, text: reply.text, ...toBody(reply) }
      : { ok: false, ...toRefusalBody(reply.problems, reply.text, { confirm: reply.confirm, effects }) }
  const words = () => (reply.ok ? inWords(reply.text) : refusalInCommands(reply.text, reply.problems))
  const text = asJson ? `${JSON.stringify(body())}\n` : isSeen ? ended(words()) : words()
  await new Promise<void>((resolve) => {
    const stream = asJson || reply.ok ? process.stdout : process.stderr
    stream.write(text, () => resolve())
  })
  if (!reply.ok) return exitOf(reply.problems)
  await reply.markDelivered?.()
  return EXIT.ok
}

/** Problems before there is an answer: of the command line, the settings or this machine. */
export function refuse(problems: readonly Problem[], asJson: boolean): Exit {
  const text = problems.map((problem) => `${problem.code}: ${sentences(problem)}\n`).join('')
  if (asJson) printJson(toRefusalBody(problems, text), false)
  else say(refusalInCommands(text, problems))
  return exitOf(problems)
}
