import type { Result } from '../../base/diagnostic.ts'
import type { Flag, Given } from './flags.ts'
import type { Desk, Outfit } from './outfit.ts'
import { EXIT, type Exit, print, refuse } from './output.ts'

/** On every command that changes what servers go by. */
export const DESK_FLAGS: Readonly<Record<string, Flag>> = {
  store: { value: 'sqlite|redis|redis://HOST', description: 'Where sessions are kept (default: sqlite)' },
  'data-dir': { value: 'PATH', description: 'Where sessions, the secret and the keys are kept' },
  config: { value: 'FILE', description: 'Read settings from a YAML or JSON file' },
}

/** Lets `work` use the desk, and prints what it came to. */
export async function withDesk<T>(
  given: Given,
  outfit: Outfit,
  work: (desk: Desk) => Promise<Result<T>>,
  human: (value: T) => string,
): Promise<Exit> {
  const asJson = given.on('json')
  const flags = { data_dir: given.text('data-dir'), store: given.text('store') }
  const desk = await outfit.desk({ flags, file: given.text('config') })
  if (!desk.ok) return refuse(desk.problems, asJson, EXIT.problem)
  try {
    const done = await work(desk.value)
    if (!done.ok) return refuse(done.problems, asJson, EXIT.problem)
    print(asJson ? `${JSON.stringify(done.value)}\n` : human(done.value))
    return EXIT.ok
  } finally {
    await desk.value.close()
  }
}
