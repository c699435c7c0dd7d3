/** The source of time: milliseconds since the Unix epoch. Passed in, so that tests and stores can supply their own. */
export interface Clock {
  now(): number
}
