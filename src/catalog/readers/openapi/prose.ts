/** The longest description that a model keeps. */
const LONGEST = 240

/** Plain text of a description: its first paragraph without markup, on one line, cut at a sentence where possible. */
export function describe(text: string | undefined, longest = LONGEST): string | undefined {
  if (text === undefined) return undefined
  const plain = text
    .slice(0, longest * 8)
    .replaceAll(/<!--[^]*?(?:-->|$)/g, ' ')
    .replaceAll(/```[^]*?(?:```|$)/g, ' ')
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, ' ')
    .replaceAll(/!?\[([^\][]{0,200})\]\([^()]{0,400}\)/g, '$1')
    .replaceAll(/&(?:nbsp|#160);/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/[*`]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replaceAll(/^\s{0,3}#{1,6}\s+.*$/gm, ' ')
  const [paragraph = ''] = plain
    .split(/\n\s*\n/)
    .map((one) => one.replaceAll(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
  if (paragraph === '') return undefined
  if (paragraph.length <= longest) return paragraph
  const sentence = paragraph.slice(0, longest).lastIndexOf('. ')
  if (sentence > longest / 4) return paragraph.slice(0, sentence + 1)
  return `${paragraph.slice(0, paragraph.lastIndexOf(' ', longest - 1)).trimEnd()}…`
}
