import { visibilityOf } from '../access/caller.ts'
import type { RegistryFacts, Reply } from './contract.ts'
import type { EngineCall } from './call.ts'

/** The catalogs that the caller may use. */
export function registry({ catalogs, caller }: EngineCall): Reply<RegistryFacts> {
  const { allows } = visibilityOf(caller)
  const visible = [...catalogs.current().byId.values()].filter(({ catalog }) =>
    caller.mayUseCatalog(catalog.id),
  )
  const entries = visible.map(({ catalog, digest }) => ({
    entry_id: catalog.id,
    ...(catalog.description !== undefined && { description: catalog.description }),
    aliases: catalog.aliases,
    catalog_cgs_hash: digest,
    entities: catalog.entities.length,
    capabilities: catalog.capabilities.filter(({ name }) => allows(catalog.id, name)).length,
  }))
  const lines = entries.map(
    (entry) => `${entry.entry_id}: ${entry.entities} entities, ${entry.capabilities} capabilities`,
  )
  return {
    ok: true,
    text: entries.length === 0 ? '_No catalogs._\n' : `${lines.join('\n')}\n`,
    meta: {},
    facts: { entries },
  }
}
