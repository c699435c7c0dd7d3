import { type Json, utf8Bytes } from '../../base/canonical.ts'
import type { Pace } from '../../base/slices/pace.ts'
import { Joined, type Part, partsOf } from '../../base/slices/parts.ts'
import type { Owner } from '../entry-store.ts'
import type { Parts } from '../parts.ts'
import { fromKept } from './kept.ts'

/*
 * A large value is kept in pieces, each an entry of its own: a store writes or reads one of them within milliseconds, and other
 * calls go on in between.
 */

/** Where the pieces of a value are kept: the names of their entries are the id and their numbers. */
export interface InPieces {
  readonly id: string
  readonly count: number
}

/** A piece is complete from so many characters on: one that is read is parsed in a turn, within a millisecond. */
const PIECE_CHARACTERS = 64 * 1024

/** The pieces of plain data as texts; undefined if they have more than so many bytes of UTF-8. */
export async function piecesOf(
  value: object,
  mostBytes: number,
  pace: Pace,
): Promise<readonly string[] | undefined> {
  const pieces: string[] = []
  let [piece, characters] = ['', 0]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain data is JSON
  for (const part of partsOf(value as Json)) {
    piece += `${piece === '' ? '[' : ','}${JSON.stringify(part)}`
    if (characters + piece.length > mostBytes) return undefined
    if (piece.length >= PIECE_CHARACTERS) {
      pieces.push(`${piece}]`)
      characters += piece.length
      piece = ''
    }
    if (pace.isDue) await pace.rest()
  }
  if (piece !== '') pieces.push(`${piece}]`)
  return (await exceedBytes(pieces, mostBytes, pace)) ? undefined : pieces
}

/** Have the texts more bytes of UTF-8 in all? Counted only if their characters, of three bytes at most, do not decide it. */
async function exceedBytes(texts: readonly string[], most: number, pace: Pace): Promise<boolean> {
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  let left = most
  for (const text of characters * 3 > most ? texts : []) {
    left -= utf8Bytes(text)
    if (pace.isDue) await pace.rest()
  }
  return left < 0
}

/** Keeps the pieces of a value for an owner: all are durable with the last one. */
export async function keepPieces(
  { store }: Parts,
  owner: Owner,
  id: string,
  { pieces, lifeMs }: { readonly pieces: readonly string[]; readonly lifeMs: number },
): Promise<void> {
  for (const [at, body] of pieces.entries())
    await store.claim({
      owner,
      kind: 'piece',
      name: nameOf(id, at),
      body,
      lifeMs,
      isDeferred: at < pieces.length - 1,
    })
}

/** The value of which the pieces are kept; undefined if one of them is not there (any more). */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what it kept
export async function readPieces<Kept extends object>(
  { store }: Parts,
  owner: Owner,
  { id, count }: InPieces,
  pace: Pace,
): Promise<Kept | undefined> {
  const joined = new Joined()
  for (let at = 0; at < count; at++) {
    const entry = await store.read(owner, 'piece', nameOf(id, at))
    if (!entry) return undefined
    for (const part of fromKept<readonly Part[]>(entry)) joined.add(part)
    if (pace.isDue) await pace.rest()
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the engine writes and reads entries
  return joined.value as Kept | undefined
}

function nameOf(id: string, at: number): string {
  return `${id}.${at}`
}
