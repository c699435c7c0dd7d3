import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { whenFree } from './busy.ts'
import type { Driver, Statement } from './driver.ts'

/** Numbers that each epoch reserves for earlier ones, which may have allocated more than the file shows. */
const NUMBERS_A_LIFE = 1000

/** How far a file was written, and in which epoch. */
interface Place {
  readonly commits: number
  readonly life: number
}

/**
 * The epoch of the file. A note beside it (`…-last`) records its last commit: a file that is behind its note was restored
 * from a backup or recreated, and starts a new epoch, in which acknowledged writes may be missing. The note is written
 * after each commit and not synced: it is never ahead of the file.
 */
export class Life {
  readonly #note: number
  readonly #place: Place
  readonly #count: Statement<{ readonly value: number }>
  readonly #changes: Statement<{ readonly changes: number }>
  #seen: number

  /** Compares the file with its note. */
  static async of(db: Driver, file: string): Promise<Life> {
    const note = openSync(`${file}-last`, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      // In this order: other processes write the file first.
      const noted = read(note)
      return new Life(db, note, await whenFree(file, () => begin(db, noted)))
    } catch (error) {
      closeSync(note)
      throw error
    }
  }

  private constructor(db: Driver, note: number, place: Place) {
    this.#note = note
    this.#place = place
    this.#count = db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'commits' RETURNING value")
    this.#changes = db.prepare('SELECT total_changes() AS changes')
    this.#seen = this.#changes.get()?.changes ?? 0
    this.remember(place.commits)
  }

  /** The epoch that writes now belong to. */
  get now(): number {
    return this.#place.life
  }

  /** How many numbers may have been allocated and lost since something was written in that epoch. */
  forgottenSince(life: number): number {
    return (this.#place.life - life) * NUMBERS_A_LIFE
  }

  /** Counts a transaction before its commit; does nothing if it changed nothing. */
  count(): number | undefined {
    if ((this.#changes.get()?.changes ?? 0) === this.#seen) return undefined
    const commits = this.#count.get()?.value
    this.#seen = this.#changes.get()?.changes ?? 0
    return commits
  }

  /** Records a completed commit. */
  remember(commits: number): void {
    writeSync(this.#note, noteOf({ ...this.#place, commits }), 0)
  }

  close(): void {
    closeSync(this.#note)
  }
}

/** The position of the file, in a new epoch if the note knows a later one. */
function begin(db: Driver, noted: Place): Place {
  const value = db.prepare<{ readonly value: number }>('SELECT value FROM meta WHERE key = ?')
  const held = () => ({ commits: value.get('commits')?.value ?? 0, life: value.get('life')?.value ?? 0 })
  const isBehind = (place: Place) => place.commits < noted.commits || place.life < noted.life
  if (!isBehind(held())) return held()
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have started it since.
    const place = held()
    if (isBehind(place)) {
      const commits = Math.max(place.commits, noted.commits) + 1
      const life = Math.max(place.life, noted.life) + 1
      const put = db.prepare('UPDATE meta SET value = ? WHERE key = ?')
      put.run(commits, 'commits')
      put.run(life, 'life')
    }
    db.exec('COMMIT')
    return held()
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/** All notes have one length, so that each overwrites the last in one write. */
function noteOf({ commits, life }: Place): string {
  return `${String(commits).padStart(16)} ${String(life).padStart(16)}\n`
}

/** The content of the note; zeros if there is none or it is not ours. */
function read(note: number): Place {
  const bytes = Buffer.alloc(64)
  const text = bytes.toString('utf8', 0, readSync(note, bytes, 0, bytes.length, 0))
  const [, commits = '0', life = '0'] = /^ *(\d{1,16}) +(\d{1,16})\n/.exec(text) ?? []
  return { commits: Number(commits), life: Number(life) }
}
