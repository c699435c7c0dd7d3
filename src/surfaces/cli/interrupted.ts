/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP, so that what is under way can end well; a second SIGINT or SIGTERM ends the
 * process at once. A terminal that closes may send several SIGHUP. That `nohup` ignored it is lost: Node sets it to its default.
 */
export function interrupted(): AbortSignal {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', () => controller.abort())
  return controller.signal
}
