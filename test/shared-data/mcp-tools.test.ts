import { readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { pin } from '../../src/catalog/digest.ts'
import type { Catalog } from '../../src/catalog/model.ts'
import { readMcp } from '../../src/catalog/readers/mcp/read.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import type { Wave } from '../../src/session/record.ts'
import { teachingTable } from '../../src/teaching/table.ts'
import { SHARED_DATA, sharedDataNote, whyNoSharedData } from './shared-data.ts'

interface Collected {
  readonly server: string
  readonly tool: string
  readonly description: string
  readonly inputSchema: Json
}

/** The tools of many servers by other authors, each server as a catalog. */
function catalogs() {
  const text = readFileSync(new URL('livemcptool_tools.json', SHARED_DATA), 'utf8')
  const { tools }: { readonly tools: readonly Collected[] } = JSON.parse(text)
  const servers = [...new Set(tools.map(({ server }) => server))]
  const read = servers.map((server) => {
    const listed = tools
      .filter((one) => one.server === server)
      .map(({ tool: name, description, inputSchema }) => ({ name, description, inputSchema }))
    const reads = { names: [], trustsHints: false }
    const { catalog } = readMcp({ id: server, server, listing: { tools: listed }, reads })
    if (!catalog) throw new Error(server)
    return pin(catalog)
  })
  return { tools, read }
}

describe.skipIf(whyNoSharedData)(`tools of many MCP servers${sharedDataNote}`, () => {
  test('all 527 are taught in one table of at most 20,500 tokens', () => {
    const { tools, read } = catalogs()
    const picks = read
      .map(({ catalog, digest }) => ({
        catalog: catalog.id,
        digest,
        lens: 'all' as const,
        entities: catalog.entities.map(({ name }) => name).toSorted(),
      }))
      .toSorted((a, b) => (a.catalog < b.catalog ? -1 : 1))
    const models = new Map<string, Catalog>(read.map(({ catalog, digest }) => [digest, catalog]))
    const model = (digest: string) => {
      const found = models.get(digest)
      if (!found) throw new Error(digest)
      return found
    }
    const waves: Wave[] = [{ revision: 1, generation: 1, picks }]
    const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
    const table = teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: () => true })
    expect(tools).toHaveLength(527)
    expect(table.trim().split('\n')).toHaveLength(1 + 527)
    expect(countTokens(table)).toBeLessThanOrEqual(20_500)
  })
})
