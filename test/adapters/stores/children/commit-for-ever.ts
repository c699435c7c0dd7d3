import { sqliteStore } from '../../../../src/adapters/stores/sqlite/store.ts'
import { address, ALICE, catalog, opened } from '../../../contracts/store-fixtures.ts'

// Commits one session after another and prints each address once the store has answered.
const [path = ''] = process.argv.slice(2)
const store = await sqliteStore({ path, clock: Date })
await store.keepModel('d1', catalog('github'))
for (let index = 0; ; index++) {
  const at = address(`P${index}`)
  const [answer, number] = await Promise.all([
    store.commit(ALICE, null, opened(at, Date.now())),
    store.append({
      owner: { address: at, principal: ALICE },
      kind: 'effect',
      body: String(index),
      lifeMs: 600_000,
    }),
  ])
  process.stdout.write(`${JSON.stringify({ at, answer, number })}\n`)
}
