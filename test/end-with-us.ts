import { spawn, type ChildProcess } from 'node:child_process'

/**
 * Ends the child when this process ends without having done so, whatever ended it, and removes its folder where it has one:
 * the input of the watcher closes with us.
 */
export function endWithUs(child: ChildProcess, folder = ''): void {
  const script = 'cat; kill -9 "$1"; [ -z "$2" ] || rm -rf "$2"'
  const words = ['-c', script, 'sh', String(child.pid), folder]
  const watcher = spawn('sh', words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
}
