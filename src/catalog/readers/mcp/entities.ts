import { canonicalJson } from '../../../base/canonical.ts'
import type { Entity, Field, Relation } from '../../model.ts'
import type { AnswerRows } from './answers.ts'

/** Collects entities: each is made of the answers of all tools that are about it. */
export class Entities {
  readonly #drafts = new Map<string, Draft>()

  /** Adds what a tool's answer tells about its entity. Gives the names of the fields that the answer fills. */
  add(name: string, answer: AnswerRows): readonly string[] {
    const draft = this.#draft(name)
    draft.isReached = true
    for (const field of answer.fields) addField(draft, field)
    for (const list of answer.lists) {
      const inner = this.#draft(list.entity)
      for (const field of list.fields) addField(inner, field)
      draft.relations.set(list.name, {
        name: list.name,
        target: list.entity,
        many: true,
        via: { kind: 'parent', path: [list.name, { wildcard: true }] },
      })
    }
    return answer.fields.map(({ name: field }) => field)
  }

  has(name: string): boolean {
    return this.#drafts.has(name)
  }

  /** The entities, in the order in which they were met. */
  all(): readonly Entity[] {
    return [...this.#drafts].map(([name, { fields, relations, isReached }]) => ({
      name,
      key: fields.get('id')?.type.kind === 'json' || !fields.has('id') ? [] : ['id'],
      implicitIdentity: false,
      abstract: !isReached,
      aliases: [],
      fields: [...fields.values()],
      relations: [...relations.values()],
      terms: [],
    }))
  }

  #draft(name: string): Draft {
    let draft = this.#drafts.get(name)
    if (!draft)
      this.#drafts.set(name, (draft = { fields: new Map(), relations: new Map(), isReached: false }))
    return draft
  }
}

interface Draft {
  readonly fields: Map<string, Field>
  readonly relations: Map<string, Relation>
  /** Some tool is about it; else its rows are only inside those of others. */
  isReached: boolean
}

/** Two tools may give a field of one name in two types: then any JSON may stand in it. */
function addField({ fields }: Draft, field: Field): void {
  const known = fields.get(field.name)
  if (!known) fields.set(field.name, field)
  else if (canonicalJson(known.type) !== canonicalJson(field.type))
    fields.set(field.name, { ...known, type: { kind: 'json' } })
}
