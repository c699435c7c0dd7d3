/** How long running requests may take to end after a signal, in ms. */
export const GRACE_MS = 10_000
