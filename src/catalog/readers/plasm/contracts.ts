import { abiOf, type AbiParameter, type EvmOperation, indexedOf } from '../../evm/operation.ts'
import type { Parameter, Slot } from '../../model.ts'
import type { Expression } from '../../calls/http-request.ts'
import { problem } from '../../problems.ts'
import type { Section } from '../document/section.ts'
import type { ReadEntity } from './domain/entities.ts'
import type { ReadCapability } from './mappings/capabilities.ts'

/** The longest unit that tables teach, in characters. */
const LONGEST_UNIT = 24

/** The texts that contracts fill say how they are written, and in which unit. A field that an entity lacks is reported. */
export function withWrittenFields(
  entities: readonly ReadEntity[],
  capabilities: readonly ReadCapability[],
): readonly ReadEntity[] {
  return entities.map((read) => {
    const written = writtenFields(read, capabilities)
    if (written.size === 0) return read
    const fields = read.entity.fields.map((field) => withWriting(field, written.get(field.name)))
    return { ...read, entity: { ...read.entity, fields } }
  })
}

function writtenFields(
  { entity }: ReadEntity,
  capabilities: readonly ReadCapability[],
): ReadonlyMap<string, string> {
  const written = new Map<string, string>()
  const known = entity.fields.map(({ name }) => name)
  for (const { capability, section } of capabilities) {
    const { call } = capability
    if (call?.kind !== 'evm' || capability.entity !== entity.name) continue
    for (const [name, place] of call.operation.decode) {
      if (!known.includes(name)) section.unknown('entity', `field of ${entity.name}`, name, known)
      const value = abiOf(call.operation, place)
      const unit = 'unit' in place ? place.unit?.slice(0, LONGEST_UNIT) : undefined
      const writing = value && writingOf(value, unit)
      if (writing !== undefined) written.set(name, writing)
    }
  }
  return written
}

/** The parameters that go into a contract say how they are written. */
export function withWrittenParameters(read: ReadCapability): ReadCapability {
  const { capability } = read
  const { call } = capability
  if (call?.kind !== 'evm') return read
  const body = call.request.body?.type === 'object' ? call.request.body.fields : []
  const [, list] = body.find(([name]) => name === 'arguments' || name === 'topics') ?? []
  const values = list?.type === 'array' ? list.elements : []
  const written = new Map(inputsOf(call.operation).flatMap((input, at) => named(values[at], input)))
  const parameters = capability.parameters.map((one): Parameter => withWriting(one, written.get(one.name)))
  return { ...read, capability: { ...capability, parameters } }
}

function inputsOf(operation: EvmOperation): readonly AbiParameter[] {
  return operation.type === 'call' ? operation.function.inputs : indexedOf(operation.event)
}

function named(value: Expression | undefined, input: AbiParameter): readonly (readonly [string, string])[] {
  const writing = writingOf(input)
  return value?.type === 'var' && writing !== undefined ? [[value.name, writing]] : []
}

function withWriting<Held extends Slot>(slot: Held, written: string | undefined): Held {
  return slot.type.kind === 'string' && written !== undefined
    ? { ...slot, type: { ...slot.type, written } }
    : slot
}

/** Agents know the names of the machine's types: `uint256` is a whole number that no decimals were applied to. */
function writingOf({ type }: AbiParameter, unit?: string): string | undefined {
  if (unit !== undefined) return `${type} in ${unit}`
  return /^(?:address|u?int\d*|bytes\d*)$/.test(type) ? type : undefined
}

/** One warning for all capabilities that need the codec of contracts. */
export function warnOfMissingCodec(capabilities: readonly ReadCapability[], catalog: Section): void {
  const lacking = capabilities.filter(({ capability }) => capability.unsupported.includes('evm'))
  if (lacking.length > 0)
    catalog.notes.warn(problem('codec_missing', { count: lacking.length }, catalog.at('capabilities')))
}
