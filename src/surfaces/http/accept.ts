interface MediaRange {
  readonly type: string
  readonly quality: number
}

/** More than any client needs; a longer header is read up to here. */
const MAX_RANGES = 32

/**
 * The offer that an `Accept` header likes best: by quality, then by the order of the offers. The first offer where there
 * is no header; nothing where none is accepted.
 */
export function preferred<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept.trim() === '') return offers[0]
  const ranges = accept.split(',', MAX_RANGES).map(readRange)
  return offers
    .map((offer) => ({ offer, quality: qualityOf(offer, ranges) }))
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)[0]?.offer
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** Of the most specific range that matches: `text/markdown` before `text/*` before everything. */
function qualityOf(offer: string, ranges: readonly MediaRange[]): number {
  const wildcards = [offer, `${offer.slice(0, offer.indexOf('/'))}/*`, '*/*']
  for (const wanted of wildcards) {
    const range = ranges.find(({ type }) => type === wanted)
    if (range) return range.quality
  }
  return 0
}
