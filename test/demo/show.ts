/** A claim of the demo that did not hold. */
class ClaimFailed extends Error {}

const colours = process.stdout.isTTY && !process.env['NO_COLOR']
const paint = (code: number) => (text: string) => (colours ? `\u001B[${code}m${text}\u001B[0m` : text)
const [bold, dim, green, red] = [paint(1), paint(2), paint(32), paint(31)]

let steps = 0

/** A new step of the story. */
export function step(title: string): void {
  steps += 1
  line(`\n${bold(`${steps}. ${title}`)}`)
}

/** What the agent sends. */
export function sent(tool: string, input: Readonly<Record<string, unknown>>): void {
  const { program, ...rest } = input
  line(dim(`   → ${tool} ${JSON.stringify(rest)}`))
  if (typeof program === 'string') for (const part of program.split('\n')) line(dim(`     ${part}`))
}

/** The answer, exactly as the agent sees it. */
export function seen(text: string): void {
  for (const part of text.trimEnd().split('\n')) line(`   ${dim('│')} ${part}`)
}

export function note(text: string): void {
  line(`   ${text}`)
}

/** Prints a claim and whether it holds; ends the demo if it does not. */
export function claim(what: string, holds: boolean): void {
  line(`   ${holds ? green('✓') : red('✗')} ${what}`)
  if (!holds) throw new ClaimFailed(what)
}

/** The last line of a demo that failed. */
export function failure(reason: string): void {
  process.stderr.write(`${red('The demo failed:')} ${reason}\n`)
}

function line(text: string): void {
  process.stdout.write(`${text}\n`)
}
