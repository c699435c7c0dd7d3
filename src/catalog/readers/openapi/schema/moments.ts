import type { Json } from '../../../../base/canonical.ts'
import { scalarText } from '../../../../base/json.ts'
import { wordsOf } from '../../../../base/words/names.ts'
import type { DateFormat } from '../../../model.ts'

/** Words of names that moments have. */
const WORDS: ReadonlySet<string> = new Set(
  'at on date time timestamp created updated modified changed start started end ended closed done due deadline expires since until'.split(
    ' ',
  ),
)

/**
 * The unit in which an example counts a moment from 1970: ten digits are seconds, thirteen milliseconds, where the name of the
 * property says that it is one.
 */
export function unixFormatOf(name: string, example: Json): DateFormat | undefined {
  const digits = scalarText(example) ?? ''
  if (!/^1\d{9}(?:\d{3})?$/.test(digits) || !wordsOf(name).some((word) => WORDS.has(word))) return undefined
  return digits.length === 10 ? 'unix_sec' : 'unix_ms'
}
