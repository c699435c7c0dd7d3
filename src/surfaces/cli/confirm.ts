import { createInterface } from 'node:readline/promises'

/** Shows the person at the terminal what is to be agreed to; anything but yes, and no terminal, is no. */
export async function agrees(review: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => void terminal.once('close', () => resolve('')))
  try {
    const asked = terminal.question(`${review}\n\nRun this plan? [y/N] `, { signal }).catch(() => '')
    return /^y(es)?$/i.test((await Promise.race([asked, ended])).trim())
  } finally {
    terminal.close()
  }
}
