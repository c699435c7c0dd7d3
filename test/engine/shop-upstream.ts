import { afterAll } from 'vitest'
import { httpWire } from '../../src/adapters/wire/http.ts'
import { secretReader } from '../../src/adapters/wire/secrets.ts'
import { startShopApi } from '../surfaces/shop-api.ts'

/** Starts a shop API and a wire that reaches it; both close after the last test of the file. */
export async function shopUpstream() {
  const api = await startShopApi()
  const wire = httpWire({ secrets: secretReader({}), allowPrivate: () => true, userAgent: 'plasmid-test' })
  afterAll(async () => {
    await wire.shutDown()
    await api.close()
  })
  return { api, wire }
}
