import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import type { Context } from '../model/context.ts'

/** A page handle belongs to the session that printed it; `pg1` is this session's. Gives the long form. */
export function ownPage(context: Context, handle: Name): string | undefined {
  const { ref } = context.scope
  const match = /^(?:(s\d+)_)?(pg[1-9]\d*)$/.exec(handle.text)
  if (match && (match[1] === undefined || match[1] === ref)) return `${ref}_${match[2] ?? ''}`
  const number = match?.[2]
  const near = number === undefined ? {} : { nearest: [`${ref}_${number}`] }
  context.report(problem('foreign_page', { handle: handle.text, ref }, { span: handle.span, ...near }))
  return undefined
}
