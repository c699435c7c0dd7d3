import type { Readable } from 'node:stream'

/** The longest line of a server's log that is kept, in characters. */
const LONGEST_LINE = 2000
/** The most characters of a log that are read in a window of time; the rest waits, and with it a server that writes more. */
const MAX_IN_WINDOW = 8 * 1024 * 1024
const WINDOW_MS = 1000

/** Reports each line of a server's log that is not blank. */
export function eachLogLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  let taken = 0
  let window: NodeJS.Timeout | undefined
  const renew = () => {
    window = undefined
    taken = 0
    stream.resume()
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, LONGEST_LINE))
    taken += chunk.length
    window ??= setTimeout(renew, WINDOW_MS).unref()
    if (taken > MAX_IN_WINDOW) stream.pause()
  })
  stream.on('end', () => {
    if (rest.trim() !== '') onLine(rest)
  })
}
