import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends process groups when its input closes, which the kernel does when this process ends, however it ends. Lines `+ GROUP`
 * and `- GROUP` add and remove a group.
 */
const SCRIPT = `trap '' INT TERM HUP
groups=' '
while read -r sign group; do
  case "$sign" in
    +) groups="$groups$group ";;
    -) case "$groups" in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}";; esac;;
  esac
done
[ "$groups" = ' ' ] && exit
for group in $groups; do kill -TERM "-$group"; done
sleep 1
for group in $groups; do kill -KILL "-$group"; done`

/**
 * Guards process groups against outliving this process, even if it is killed: one small shell for all of them, started with
 * the first.
 */
export class Watchdog {
  #shell: ChildProcess | undefined
  readonly #groups = new Set<number>()

  /** Guards a process group from now on. */
  add(group: number): void {
    this.#groups.add(group)
    if (this.#shell) this.#tell(`+ ${group}`)
    else this.#start()
  }

  /** Call it as soon as the group has no process: its number may be given to another one. */
  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`)
  }

  /** Ends the guard, and with it what is left of the groups. */
  end(): void {
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #start(): void {
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: {},
    })
    this.#shell = shell
    shell.unref()
    shell.stdin.on('error', () => undefined)
    // A guard that ended is replaced as soon as there is something to guard.
    const lost = () => {
      if (this.#shell === shell) this.#shell = undefined
    }
    shell.on('error', lost)
    shell.on('exit', lost)
    for (const group of this.#groups) this.#tell(`+ ${group}`)
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`)
  }
}
