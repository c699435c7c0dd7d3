import { problem } from '../../problems.ts'
import type { ProgramRule } from './site.ts'

/** A label is bound once. */
export const uniqueLabels: ProgramRule = (context, program) => {
  const seen = new Set<string>()
  for (const { label } of program.bindings) {
    if (seen.has(label.text))
      context.report(problem('duplicate_label', { label: label.text }, { span: label.span }))
    seen.add(label.text)
  }
}
