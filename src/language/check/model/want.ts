import type { Parameter, Slot } from '../../../catalog/model.ts'
import type { Fitting } from '../../../catalog/values/value.ts'
import { brandsOf } from './brands.ts'
import type { Target, Want } from './checked.ts'
import { entityIn } from './resolve.ts'
import { keySlots } from './shape.ts'

/** The slot of the owner, as the place of a value. */
export function wantOf(owner: Target, slot: Slot & Pick<Parameter, 'nullable'>): Want {
  return {
    name: `\`${slot.name}\``,
    type: slot.type,
    brands: brandsOf(owner, slot),
    owner,
    required: slot.required && slot.nullable !== true,
    ...(slot.description !== undefined && { description: slot.description }),
  }
}

/** The context for references in the owner's catalog; with a time, also for relative dates. */
export function fittingOf(owner: Target, now?: number): Fitting {
  const keyOf = (name: string) => {
    const target = entityIn(owner.catalog, owner.digest, name)
    return target && keySlots(target)
  }
  // Without a spread: there is one for each value of a long list.
  return now === undefined ? { keyOf } : { keyOf, now }
}
