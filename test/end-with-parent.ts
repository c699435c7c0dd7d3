/** Ends this worker, which would otherwise finish its tests, and leave their servers running, after its runner was killed. */
function endWithParent(): void {
  process.exit(1)
}

// Files share a worker, and each of them loads this module.
if (!process.listeners('disconnect').some(({ name }) => name === endWithParent.name))
  process.once('disconnect', endWithParent)
