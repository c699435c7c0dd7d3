import type { Parameter } from '../../../model.ts'
import type { Expression } from '../../../calls/http-request.ts'
import { guarded, type Names, type Sent } from './sent.ts'

/** Gives the files of a multipart body an optional argument for their names: `file_name` of the part `file`. */
export function withFileNames(members: readonly Sent[], names: Names): readonly Sent[] {
  // The body has a name of its own, which the API then uses.
  if (members.some(({ wire }) => /^file_?name$/i.test(wire))) return members
  return members.map((one) => named(one, names))
}

function named(sent: Sent, names: Names): Sent {
  const { wire, parameter, isFile } = sent
  if (!isFile || parameter?.type.kind !== 'blob') return sent
  const fileName: Parameter = {
    name: names.of(`${wire}_name`),
    type: { kind: 'string', semantics: 'short' },
    description: 'The name of the file',
    required: false,
    role: 'plain',
  }
  const content: Expression = { type: 'var', name: parameter.name }
  const both: Expression = {
    type: 'object',
    fields: [
      ['content', content],
      ['name', { type: 'var', name: fileName.name }],
    ],
  }
  const file: Expression = {
    type: 'if',
    condition: { type: 'exists', var: fileName.name },
    // oxlint-disable-next-line unicorn/no-thenable -- the model's own word
    then: both,
    else: content,
  }
  return { ...sent, fileName, expression: parameter.required ? file : guarded(parameter.name, file) }
}
