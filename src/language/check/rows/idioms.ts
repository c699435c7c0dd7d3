import type { Fix } from '../../../base/diagnostic.ts'
import type { Segment } from '../../syntax/tree.ts'

type Written = Extract<Segment, { kind: 'step' | 'call' }>

/** Step names of other query languages, in lower case and without `_`. */
const COUNTS = /^(?:count|len|length|size)$/
const FIRSTS = /^(?:first|one|head|take|top)$/
const SORTS = /^(?:orderby|sortby|order)$/
const COLUMNS = /^(?:select|pick|fields|columns|project)$/
const CONDITIONS = /^(?:where|filter)$/

/** The fix for a step in the idiom of another query language. `alone`: the step directly follows the entity. */
export function idiomFix(segment: Written, alone: boolean): Fix | undefined {
  const word = segment.name.text.toLowerCase().replaceAll('_', '')
  const args = segment.kind === 'call' ? segment.arguments : undefined
  const given = args ? args.positional.length + args.named.length : 0
  if (COUNTS.test(word) && given === 0) return instead(segment, 'aggregate(n=count)')
  if (FIRSTS.test(word)) return given === 0 ? instead(segment, 'limit(1)') : renamed(segment, 'limit')
  if (!args || given === 0) return undefined
  if (SORTS.test(word)) return renamed(segment, 'sort')
  if (COLUMNS.test(word) && args.named.length === 0) return bracketed(segment, args.span, '[]')
  return CONDITIONS.test(word) && alone ? bracketed(segment, args.span, '{}') : undefined
}

/** The text after the dot. */
function instead({ name, span }: Written, text: string): Fix {
  return { edits: [{ span: { start: name.span.start, end: span.end }, text }] }
}

function renamed({ name }: Written, text: string): Fix {
  return { edits: [{ span: name.span, text }] }
}

/** Other brackets around the arguments, and no name before them. */
function bracketed({ span }: Written, args: Written['span'], brackets: string): Fix {
  return {
    edits: [
      { span: { start: span.start, end: args.start + 1 }, text: brackets.charAt(0) },
      { span: { start: args.end - 1, end: args.end }, text: brackets.charAt(1) },
    ],
  }
}
