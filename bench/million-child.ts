import { join } from 'node:path'
import { openDriver } from '../src/adapters/stores/sqlite/driver.ts'
import { measureLatency } from './latency.ts'
import { verdict } from './measure.ts'
import type { MillionJob } from './million.ts'
import { type BenchServer, REPEATED, startServer } from './server.ts'

/* Fills the file of a server with copies of a session under addresses of their own, then measures the server. */

const MAX_MB = 300
const MB = 1e6
const FEW = 100
/** Calls before memory is measured: what grows with calls has grown then. */
const CALLS = 5000
/** Rows of one transaction. */
const AT_ONCE = 50_000

/** In the file itself: opening so many sessions by calls takes an hour. Random addresses, as real ones are. */
async function fill({ dataDir }: BenchServer, sessions: number): Promise<void> {
  const db = await openDriver(join(dataDir, 'plasmid.db'))
  for (let done = 0; done < sessions; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, sessions - done)
    db.exec(`BEGIN IMMEDIATE;
      CREATE TEMP TABLE added AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        SELECT lower(hex(randomblob(11))) AS address FROM n;
      INSERT INTO sessions SELECT added.address, revision, generation, commit_id, row_expires, expires, body, life
        FROM added, (SELECT * FROM sessions LIMIT 1);
      INSERT INTO names SELECT '["key","subject","' || address || '"]', 0, address, 0 FROM added;
      DROP TABLE added;
      COMMIT`)
  }
  db.close()
}

const { sessions, effort }: MillionJob = JSON.parse(process.argv[2] ?? '')
const report = (found: ReturnType<typeof verdict>) => void process.send?.(found)
const full = await startServer('sqlite')
await fill(full, sessions)
const repeat = ({ gateway, caller }: BenchServer) => gateway.context(caller, REPEATED)
for (let call = 0; call < CALLS; call++) await repeat(full)
const rss = process.memoryUsage().rss / MB
const name = `${sessions} sessions: resident memory / ${MAX_MB} MB`
report(verdict({ name, store: 'sqlite', ours: rss, base: MAX_MB, unit: 'MB', ratio: rss / MAX_MB }, 1))
const few = await startServer('sqlite')
await fill(few, FEW)
const contest = { ours: () => repeat(full), base: () => repeat(few), bounds: { p50: 1.3 } }
const named = { name: `context in process, ${sessions} sessions / ${FEW}`, store: 'sqlite' }
for (const found of await measureLatency(contest, named, effort)) report(found)
await few.close()
await full.close()
process.disconnect()
