/**
 * Aborted by the first SIGINT or SIGTERM, so that what is under way can end well; the second one ends the process at
 * once.
 */
export function interrupted(): AbortSignal {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return controller.signal
}
