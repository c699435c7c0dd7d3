import { resolve } from 'node:path'
import type { CallOptions } from '../../engine/index.ts'
import type { Flag, Given } from './flags.ts'

/** On every command that calls the engine. */
export const WORKSPACE_FLAG: Readonly<Record<string, Flag>> = {
  workspace: { value: 'PATH', description: 'The folder that the call works in; without it there is none' },
}

/** The workspace that was typed: the directory of this process is none unless it is named (`--workspace .`). */
export function placeOf(given: Given): CallOptions {
  const path = given.text('workspace')
  return path === undefined || path === '' ? {} : { announced: { workspace: resolve(path) } }
}
