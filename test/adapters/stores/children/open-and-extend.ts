import { sqliteStore } from '../../../../src/adapters/stores/sqlite/store.ts'
import { address, ALICE, extended, opened } from '../../../contracts/store-fixtures.ts'

// Opens the file with others at the same time, then adds its waves to the one session that all share.
const [path = '', who = '', waves = ''] = process.argv.slice(2)
const store = await sqliteStore({ path, clock: Date })
const at = address('shared')
let current = (await store.findByAddress(ALICE, at)).record
for (let wave = 0; wave < Number(waves);) {
  const commit = `${who} ${wave}`
  const next = current ? extended(current, commit, `${who}-${wave}`) : opened(at, Date.now(), { commit })
  const answer = await store.commit(ALICE, current, next)
  current = answer.committed ? next : answer.current
  if (answer.committed) wave++
}
const numbers = await Promise.all(
  Array.from({ length: 20 }, () =>
    store.append({ owner: { address: at, principal: ALICE }, kind: 'plan', body: who, lifeMs: 600_000 }),
  ),
)
await store.shutDown()
process.stdout.write(`${JSON.stringify(numbers)}\n`)
