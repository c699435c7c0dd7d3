import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

type Message = Parameters<StdioServerTransport['send']>[0]

/** This process's own input and output, and a word when the answer to a request was written. */
export class WatchedStdio extends StdioServerTransport {
  readonly #waiting = new Map<string | number, () => void>()

  /** Calls back once the answer to the request of this id was written; never where writing it failed. */
  onWritten(id: string | number, callback: () => void): void {
    this.#waiting.set(id, callback)
  }

  override async send(message: Message): Promise<void> {
    await super.send(message)
    if (!('id' in message) || message.id === undefined) return
    const callback = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    callback?.()
  }
}
