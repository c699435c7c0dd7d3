import { existsSync } from 'node:fs'
import type { Catalog } from '../../../src/catalog/model.ts'
import type { Scope } from '../../../src/language/check/model/scope.ts'
import { readingOf } from '../../readings.ts'
import { sessionOf } from '../../language/sessions.ts'
import { SHARED_DATA } from '../shared-data.ts'
import * as small from './small-catalogs.ts'

const own = new Map<string, Catalog | undefined>(Object.entries(small))
const sessions = new Map<string, Promise<Scope>>()

/**
 * A session by its description: catalogs separated by `+`, each with the entities that it was taught after `:`, as in
 * `github:Commit,Repository + linear:Issue`; without entities all of them.
 */
export function session(world: string): Promise<Scope> {
  const made = sessions.get(world) ?? open(world)
  sessions.set(world, made)
  return made
}

async function open(world: string): Promise<Scope> {
  const parts = world.split('+').map((part) => part.trim().split(':'))
  const taught = parts.map(async ([name = '', entities]) => {
    return [await catalog(name), ...(entities === undefined ? [] : entities.split(','))] as const
  })
  return sessionOf(...(await Promise.all(taught)))
}

async function catalog(name: string): Promise<Catalog> {
  const found = own.get(name)
  if (found) return found
  const folder = ['catalogs', 'fixtures']
    .map((kind) => new URL(`${kind}/${name}`, SHARED_DATA))
    .find((at) => existsSync(at))
  const reading = folder && (await readingOf(folder.pathname))
  if (!reading?.catalog) throw new Error(`no catalog ${name}`)
  return reading.catalog
}
