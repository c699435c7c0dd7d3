/** Where time comes from: milliseconds since the Unix epoch. A value, so that tests and stores can bring their own. */
export interface Clock {
  now(): number
}
