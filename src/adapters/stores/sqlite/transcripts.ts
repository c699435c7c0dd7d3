import type { Clock } from '../../../base/clock.ts'
import { utf8Bytes } from '../../../base/canonical.ts'
import type { Addition, Transcript, TranscriptStore } from '../../../engine/conversation/store.ts'
import { whenFree } from './busy.ts'
import type { Driver } from './driver.ts'
import { column, fromColumn } from './schema.ts'
import type { SqliteParts } from './sessions.ts'
import type { Writer } from './writer.ts'

interface TranscriptRow {
  readonly number: number
  readonly id: string
  readonly head: string
  readonly lines: number
  readonly bytes: number
  readonly updated: number
  readonly holder: string
  readonly held_until: number
}

const SHOWN = 'number, id, head, lines, bytes, updated, holder, held_until'

function statements(db: Driver) {
  return {
    find: db.prepare<TranscriptRow>(
      `SELECT ${SHOWN} FROM transcripts WHERE principal = ? AND id = ? AND expires > ?`,
    ),
    list: db.prepare<TranscriptRow>(
      `SELECT ${SHOWN} FROM transcripts WHERE principal = ? AND number < ? AND expires > ? ORDER BY number DESC LIMIT ?`,
    ),
    count: db.prepare<{ readonly held: number }>(
      'SELECT count(*) AS held FROM transcripts WHERE principal = ? AND expires > ?',
    ),
    dropExpired: db.prepare('DELETE FROM transcripts WHERE principal = ? AND id = ? AND expires <= ?'),
    begin: db.prepare(
      'INSERT INTO transcripts (principal, id, head, updated, expires) VALUES (?, ?, ?, ?, ?)',
    ),
    hold: db.prepare('UPDATE transcripts SET holder = ?, held_until = ? WHERE number = ?'),
    line: db.prepare('INSERT INTO transcript_lines (transcript, at, body) VALUES (?, ?, ?)'),
    grow: db.prepare(
      `UPDATE transcripts SET lines = ?, bytes = ?, head = ?, updated = ?, expires = ?, holder = ?, held_until = ?
       WHERE number = ?`,
    ),
    lines: db.prepare<{ readonly body: string }>(
      `SELECT l.body FROM transcripts t JOIN transcript_lines l ON l.transcript = t.number
       WHERE t.principal = ? AND t.id = ? AND t.expires > ? AND l.at >= ? ORDER BY l.at LIMIT ?`,
    ),
    drop: db.prepare('DELETE FROM transcripts WHERE principal = ? AND id = ? AND expires > ?'),
  }
}

/** Transcripts in an SQLite file. */
export class SqliteTranscripts implements TranscriptStore {
  readonly #sql: ReturnType<typeof statements>
  readonly #writer: Writer
  readonly #file: string
  readonly #clock: Clock

  constructor({ db, writer, file, clock }: SqliteParts) {
    this.#sql = statements(db)
    this.#writer = writer
    this.#file = file
    this.#clock = clock
  }

  begin(
    principal: string,
    id: string,
    head: string,
    { lifeMs, most }: { readonly lifeMs: number; readonly most: number },
  ): Promise<'begun' | 'taken' | 'full'> {
    const key = keyOf(principal, id)
    return this.#writer.write(() => {
      const now = this.#clock.now()
      this.#sql.dropExpired.run(...key, now)
      if (this.#sql.find.get(...key, now)) return 'taken'
      if ((this.#sql.count.get(key[0], now)?.held ?? 0) >= most) return 'full'
      this.#sql.begin.run(...key, head, now, now + lifeMs)
      return 'begun'
    })
  }

  async find(principal: string, id: string): Promise<Transcript | null> {
    const row = await whenFree(this.#file, () => this.#row(keyOf(principal, id)))
    return row ? this.#shown(row) : null
  }

  async list(principal: string, below: number | null, limit: number): Promise<readonly Transcript[]> {
    const most = below ?? Number.MAX_SAFE_INTEGER
    const rows = await whenFree(this.#file, () =>
      this.#sql.list.all(column(principal), most, this.#clock.now(), limit),
    )
    return rows.map((row) => this.#shown(row))
  }

  hold(principal: string, id: string, holder: string, holdMs: number) {
    const key = keyOf(principal, id)
    return this.#writer.write(() => {
      const row = this.#row(key)
      if (!row) return null
      const before = this.#shown(row)
      const held = before.holder === '' || before.holder === holder || before.heldUntil <= before.now
      if (held) this.#sql.hold.run(holder, before.now + holdMs, row.number)
      return { held, before }
    })
  }

  append(
    principal: string,
    id: string,
    holder: string,
    { lines, head, holdMs, lifeMs }: Addition,
  ): Promise<boolean> {
    const key = keyOf(principal, id)
    return this.#writer.write(() => {
      const row = this.#row(key)
      if (!row || row.holder !== holder) return false
      const now = this.#clock.now()
      lines.forEach((line, index) => this.#sql.line.run(row.number, row.lines + index, line))
      const isChanged = lines.length > 0 || head !== undefined
      this.#sql.grow.run(
        row.lines + lines.length,
        row.bytes + lines.reduce((sum, line) => sum + utf8Bytes(line), 0),
        head ?? row.head,
        isChanged ? now : row.updated,
        now + lifeMs,
        holdMs > 0 ? holder : '',
        holdMs > 0 ? now + holdMs : 0,
        row.number,
      )
      return true
    })
  }

  async lines(principal: string, id: string, from: number, limit: number): Promise<readonly string[]> {
    const rows = await whenFree(this.#file, () =>
      this.#sql.lines.all(...keyOf(principal, id), this.#clock.now(), from, limit),
    )
    return rows.map(({ body }) => body)
  }

  drop(principal: string, id: string): Promise<boolean> {
    return this.#writer.write(() => this.#sql.drop.run(...keyOf(principal, id), this.#clock.now()) > 0)
  }

  #row(key: Key): TranscriptRow | undefined {
    return this.#sql.find.get(...key, this.#clock.now())
  }

  #shown({
    number,
    id,
    head,
    lines,
    bytes,
    updated,
    holder,
    held_until: heldUntil,
  }: TranscriptRow): Transcript {
    const now = this.#clock.now()
    return { id: fromColumn(id), number, head, lines, bytes, updatedAt: updated, holder, heldUntil, now }
  }
}

type Key = readonly [principal: string, id: string]

function keyOf(principal: string, id: string): Key {
  return [column(principal), column(id)]
}
