import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { deploymentSecrets } from '../../src/adapters/auth/deployment-secret.ts'
import { fileCatalogs } from '../../src/adapters/catalogs/files.ts'
import { sqliteStore } from '../../src/adapters/stores/sqlite/store.ts'
import type { Reply, RunFacts } from '../../src/engine/contract.ts'
import { testEngine } from '../engine/engines.ts'
import { cases, SEED, report, reportProgress } from '../law-cases.ts'
import { type DepotApi, startDepotApi } from './depot-api.ts'
import { writeDepot } from './depots.ts'
import { Seeded } from './seeded.ts'
import { ServeProcess, type Setup } from './servers.ts'
import { expectTruth } from './truth.ts'

/*
 * A program of an `each` of five writes and one write more, whose server is killed around each of them, and whose call is
 * delivered again and again. Nothing is written twice, and afterwards each write is known, or named as unknown.
 */

const seeds = ['Anvil', 'Drum'].map((entity) => ({ api: 'north', entity }))
const PROGRAM = `anvils = Anvil.limit(5)
touched = anvils => Anvil(_.id).touch()
drum = Drum("k9").touch()
touched, drum`
const CALL = { logical_session_ref: 's0', program: PROGRAM, plan: 'pc1' }
/** Longer than a run may live that gives no word of itself. */
const LATER_MS = 200_000
const signal = new AbortController().signal

let folder = ''
let api: DepotApi
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-once-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A real server that is killed around its write of this number, delivered twice, started again and asked again. */
async function killAround(seed: number): Promise<readonly string[]> {
  const random = new Seeded(seed)
  const number = 1 + random.next(6)
  const answers = random.next(2) === 0
  let reached = () => {}
  const moment = new Promise<void>((done) => void (reached = done))
  api = await startDepotApi((count) => {
    if (count === number) reached()
    return count !== number || answers
  })
  const dataDir = join(folder, String(seed))
  const catalogs = [
    await writeDepot(join(folder, `catalogs-${seed}`), { id: 'north', edition: 1, origin: api.origin }),
  ]
  const setup: Setup = { dataDir, catalogs }
  const server = await ServeProcess.start(setup)
  await server.http('POST', '/v1/contexts', { intent: 'touch', seeds })
  await server.http('POST', '/v1/contexts/s0/plan', { program: PROGRAM })
  const deliver = (to: ServeProcess) =>
    to.http('POST', '/v1/contexts/s0/run', { program: PROGRAM, plan: 'pc1' }).catch(() => undefined)
  const deliveries = [deliver(server), deliver(server)]
  await moment
  await after(random.next(4))
  await server.kill()
  await Promise.all(deliveries)
  if (seed % 5 === 0) {
    const again = await ServeProcess.start(setup)
    await deliver(again)
    await again.kill()
  }
  expectTruth(await askLater(setup), api.writes, `seed ${seed}, write ${number}`)
  await api.close()
  return api.writes
}

/** The same call to another process, when the first cannot live any more. */
async function askLater({ dataDir, catalogs }: Setup): Promise<Reply<RunFacts>> {
  const clock = { now: () => Date.now() + LATER_MS }
  const secret = await deploymentSecrets(dataDir, undefined)
  if (!secret.ok) throw new Error(await readFile(join(dataDir, 'secret'), 'utf8'))
  const store = await sqliteStore({ path: join(dataDir, 'plasmid.db'), clock })
  const { source } = await fileCatalogs(catalogs)
  const engine = testEngine({ store, clock, secrets: secret.value, catalogs: source, newId: randomUUID })
  const reply = await engine.gateway.run(LOCAL_USER, CALL, { signal })
  await store.shutDown()
  return reply
}

test('no killed server writes twice', { timeout: 1_800_000 }, async () => {
  let writes = 0
  const times = cases(200, 2)
  for (let number = 1; number <= times; number++) {
    writes += (await killAround(SEED * 1000 + number)).length
    reportProgress('at most once', number, times)
  }
  report('at most once', `${times} servers killed, ${writes} writes, none twice`)
})
