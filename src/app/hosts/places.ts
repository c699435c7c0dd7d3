import { homedir } from 'node:os'
import type { Places } from './host-forms.ts'

/** The directories of this process and its user. */
export function placesOf(): Places {
  return { cwd: process.cwd(), home: process.env['HOME'] ?? homedir(), env: process.env }
}
