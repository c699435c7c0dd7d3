/** The text as a block of Markdown that nothing inside can close: its fence is longer than any run of backticks in it. */
export function fenced(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}
