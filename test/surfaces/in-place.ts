const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The last work in place of the process: two at once would see each other's properties. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Lets `work` see these properties of `process`, once no other work sees its own. Its handlers of signals, and the console
 * that it sets, go with them.
 */
export function asProcess<Value>(
  values: Readonly<Record<string, unknown>>,
  work: () => Promise<Value>,
): Promise<Value> {
  const result = last.then(async () => {
    const { console: ownConsole } = globalThis
    const listeners = SIGNALS.map((signal) => process.listeners(signal))
    const restore = replaced(values)
    try {
      return await work()
    } finally {
      restore()
      globalThis.console = ownConsole
      SIGNALS.forEach((signal, index) => {
        for (const listener of process.listeners(signal))
          if (!listeners[index]?.includes(listener)) process.off(signal, listener)
      })
    }
  })
  last = result.catch(() => undefined)
  return result
}

/** Replaces properties of `process`; the result restores them. */
function replaced(values: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  )
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(process, name, { value, configurable: true, writable: true, enumerable: true })
  return () => {
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor)
  }
}
