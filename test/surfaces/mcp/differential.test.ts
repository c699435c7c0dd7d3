import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cases } from '../../law-cases.ts'
import { anyRequest } from './requests.ts'
import { type Twin, twins } from './twins.ts'

const RUNS = cases(20_000, 500)

let ours: Twin
let sdk: Twin
beforeAll(async () => void ({ ours, sdk } = await twins()))
afterAll(async () => {
  await ours.close()
  await sdk.close()
})

test(
  'every answer equals that of the SDK, byte for byte',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const answer = await ours.send(request)
        // The SDK replaces bytes that are no text, and serves the rest.
        if (isUtf8(request.body) || answer.status !== 400) expect(answer).toEqual(await sdk.send(request))
        else expect(answer.calls).toEqual([])
      }),
      { numRuns: RUNS },
    )
    await vi.waitFor(() => expect(ours.delivered()).toBe(sdk.delivered()))
    expect(ours.delivered()).toBeGreaterThan(RUNS / 100)
    // The requests must be of both kinds, or the comparison says nothing.
    const direct = 1 - ours.reachedSdk() / sdk.reachedSdk()
    expect(direct).toBeGreaterThan(0.2)
    expect(direct).toBeLessThan(0.8)
  },
  RUNS * 50,
)
