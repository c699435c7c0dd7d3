import { expect, test } from 'vitest'
import { toStoreError } from '../../../src/adapters/stores/sqlite/busy.ts'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'

test('a full disk is a failure after which the call may be repeated', async () => {
  const driver = await openDriver(':memory:')
  driver.exec('PRAGMA max_page_count = 4; CREATE TABLE held (text)')
  const fill = () => driver.prepare('INSERT INTO held VALUES (?)').run('x'.repeat(100_000))
  let found: unknown
  try {
    fill()
  } catch (error) {
    found = toStoreError('plasmid.db', error)
  }
  expect(found).toMatchObject({ problem: { code: 'store_full' }, retryable: true })
  driver.close()
})
