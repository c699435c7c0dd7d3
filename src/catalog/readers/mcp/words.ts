/** Verbs by which tools are named. */
const VERBS = new Set(
  `accept activate add analyze annotate append apply approve archive assign attach browse build calculate call cancel capture change check clear click
  clone close commit compare complete compose connect convert copy count create cut deactivate decline decode delete deploy describe detach
  detect disable disconnect discover download drag drop duplicate edit embed enable encode enter evaluate execute expand export extract fetch fill filter find finish
  follow format generate get give go handle hover import insert install interact invite invoke join kill leave link list load lock login logout look
  lookup make manage map mark merge modify monitor move navigate notify open optimize parse paste patch pause pin play poll post preview press print
  process publish pull push put query read recommend record refresh register reject release reload remove rename render replace reply report
  request reset resize resolve restart restore resume retrieve retry return revert review rollback run save scan schedule score screenshot scroll search
  select send set share show sign simulate sort split star start stop store submit subscribe suggest summarize switch sync take test toggle track
  transform translate trigger type unassign undo unlock unpin unpublish unsubscribe update upload upsert use validate verify view visit wait watch
  write`.split(/\s+/),
)

/** Words behind which a name says how, not what. */
const PREPOSITIONS = new Set(
  'about after as at before between by during for from in into of on over per since to under until using via with without'.split(
    ' ',
  ),
)

/** Heads that say what of a thing is meant, where the thing itself stands before them. */
const ASPECTS = new Set(
  `analysis content contents count data detail details document history id ids info information list metadata name names overview page result results
  size stats statistics status structure summary text tree type types url value values`.split(/\s+/),
)

/** A tool's name in its parts. */
export interface NameParts {
  /** The words of the name, in lower case. */
  readonly words: readonly string[]
  /** The place of the verb in `words`, if there is one. */
  readonly verb?: number
  /** The place of the noun that the tool is about, if there is one. */
  readonly noun?: number
}

/**
 * The verb and the noun of a tool's name: `read_text_file` is about a file, `get_stock_price_by_date` about a price,
 * `directory_tree` about a directory.
 */
export function partsOf(words: readonly string[]): NameParts {
  const verb = VERBS.has(words[0] ?? '')
    ? 0
    : VERBS.has(words.at(-1) ?? '') && words.length > 1
      ? words.length - 1
      : undefined
  const start = verb === 0 ? 1 : 0
  const until = words.findIndex((word, at) => at >= start && (at === verb || PREPOSITIONS.has(word)))
  const end = until === -1 ? words.length : until
  const last = end - 1
  const noun = last > start && ASPECTS.has(words[last] ?? '') ? last - 1 : last
  return { words, ...(verb !== undefined && { verb }), ...(noun >= start && { noun }) }
}

/** The word that all of the names begin with, if each of them has more: the server's own name. */
export function sharedPrefix(names: readonly (readonly string[])[]): number {
  const [first] = names
  const word = first?.[0]
  if (word === undefined || names.length < 3 || VERBS.has(word)) return 0
  return names.every((words) => words.length > 1 && words[0] === word) ? 1 : 0
}
