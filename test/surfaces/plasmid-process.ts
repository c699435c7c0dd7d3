import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The command that users call `plasmid`: what `npm run build` made last. */
export const PLASMID = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))

/** Runs the command to its end in a process of its own; most tests need none and use `plasmid`. */
export async function plasmidProcess(args: readonly string[], input = '', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PLASMID, ...args], { env: { ...cleanEnv(), ...env } })
  child.stdin.on('error', () => undefined).end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: Number(code), stdout, stderr }
}

/** Our own environment without settings that a developer may have. */
export function cleanEnv(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PLASMID_'))
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
