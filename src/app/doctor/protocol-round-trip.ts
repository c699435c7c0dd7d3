import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '../../base/errors.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Config } from '../../config/read.ts'
import { VERSION } from '../../version.ts'
import { assemble } from '../assemble.ts'
import { appProblem } from '../problems.ts'

/**
 * Starts the server of this configuration over a store in memory, and speaks every protocol with it. Gives the milliseconds
 * that it took, the problems of the start, or `protocol_failed`.
 */
export async function protocolRoundTrip(config: Config): Promise<Result<number>> {
  const dir = await mkdtemp(join(tmpdir(), 'plasmid-doctor-'))
  try {
    const assembled = await assemble({ ...config, store: 'memory', dataDir: dir, workers: 1 })
    if (!assembled.ok) return assembled
    const { gateway, acp, caller, shutDown } = assembled.value
    const began = performance.now()
    try {
      const [{ mcpRoundTrip }, { acpRoundTrip }] = await Promise.all([
        import('../../surfaces/mcp/round-trip.ts'),
        import('../../surfaces/acp/round-trip.ts'),
      ])
      await mcpRoundTrip({ gateway, version: VERSION, report: () => undefined }, caller)
      await acpRoundTrip(acp, dir)
      return ok(Math.round(performance.now() - began))
    } catch (error) {
      const reason = reasonOf(error)
      return failed([appProblem('protocol_failed', { reason })])
    } finally {
      await shutDown()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
