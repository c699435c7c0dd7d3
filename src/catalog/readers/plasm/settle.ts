import { indexOf } from '../../lookup.ts'
import type { Capability, Catalog } from '../../model.ts'
import { problem } from '../../problems.ts'
import { lint } from '../../lint.ts'
import { boundBy, variablesOf } from '../../variables.ts'
import type { Notes } from './notes.ts'
import type { Section } from './section.ts'

/** Where things stand in the file. */
export interface Sections {
  readonly entity: ReadonlyMap<string, Section>
  readonly capability: ReadonlyMap<string, Section>
  /** Offsets that count by one, by capability. */
  readonly stepUnknown: ReadonlyMap<string, string>
}

/** What only the whole model shows: warnings, templates that can never be filled, fields that are none, open inputs. */
export function settle(catalog: Catalog, sections: Sections, notes: Notes): Catalog {
  for (const [capability, name] of sections.stepUnknown) {
    notes.warn(problem('step_unknown', { capability, name }, sections.capability.get(capability)?.at()))
  }
  const found = lint(catalog, ({ entity, capability, key }) => {
    const section =
      capability === undefined ? sections.entity.get(entity) : sections.capability.get(capability)
    return section?.at(key) ?? {}
  })
  for (const warning of found) notes.warn(warning)
  return { ...catalog, capabilities: catalog.capabilities.map((capability) => settled(capability, catalog)) }
}

function settled(capability: Capability, catalog: Catalog): Capability {
  const { entities } = indexOf(catalog)
  const fields = new Set(entities.get(capability.entity)?.fields.map(({ name }) => name))
  const uses = capability.request ? variablesOf(capability.request) : []
  const { always, sometimes } = boundBy(capability, (name) => entities.get(name))
  const lost = uses.some(({ name, guarded }) => !guarded && !always.has(name) && !sometimes.has(name))
  // Nothing else says what goes into the body: what the caller gives is the input.
  const bare = capability.parameters.length === 0 && uses.some(({ name }) => name === 'input')
  return {
    ...capability,
    openInput: capability.openInput || bare,
    ...(capability.provides && { provides: capability.provides.filter((name) => fields.has(name)) }),
    unsupported: lost
      ? [...new Set([...capability.unsupported, 'unbound_variable'])].toSorted()
      : capability.unsupported,
  }
}
