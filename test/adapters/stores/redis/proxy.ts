import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** What a proxy does with the bytes that it is given. */
type Mode =
  | 'pass'
  /** Requests go on to the server; answers are kept back for good. */
  | 'swallow answers'
  /** Nothing goes on to anybody; connections stay open. */
  | 'dead'
  /** Every connection is cut as soon as the server answers on it: the request was carried out. */
  | 'cut at answer'
  /** Connections are refused. */
  | 'refuse'

/** A TCP connection to the server on `port`, for tests to disturb and to count. */
export class Proxy {
  mode: Mode = 'pass'
  /** Milliseconds that each answer takes longer. */
  delayMs = 0
  /**
   * How often somebody had to wait for the server: requests that were sent on one connection before any answer to them are
   * one wait.
   */
  waits = 0
  /** Bytes of the requests, as text. */
  requests = ''
  /** The port that new connections go to. */
  target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #held: (() => void)[] | undefined

  private constructor(target: number) {
    this.target = target
    this.#server = createServer((near) => this.#join(near))
  }

  static async to(port: number): Promise<Proxy> {
    const proxy = new Proxy(port)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
    return `redis://127.0.0.1:${address.port}`
  }

  /** Counts from here on. */
  reset(): void {
    this.waits = 0
    this.requests = ''
  }

  /** Keeps answers back until they are released. */
  hold(): void {
    this.#held = []
  }

  release(): void {
    for (const answer of this.#held ?? []) answer()
    this.#held = undefined
  }

  /** How many connections there are now. */
  get connections(): number {
    return this.#sockets.size / 2
  }

  /** Ends all connections; new ones are welcome. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Makes the visit while one connection is cut just before its answer arrives. */
  async cutOnce<T>(visit: () => Promise<T>): Promise<T> {
    const before = this.connections
    this.mode = 'cut at answer'
    const visited = visit()
    while (this.connections >= before) await new Promise((resolve) => setImmediate(resolve))
    this.mode = 'pass'
    return visited
  }

  async close(): Promise<void> {
    this.drop()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket): void {
    if (this.mode === 'refuse') {
      near.destroy()
      return
    }
    const far = connect(this.target, '127.0.0.1')
    let isAnswered = true
    near.on('data', (bytes) => {
      if (isAnswered) this.waits++
      isAnswered = false
      this.requests += bytes.toString('latin1')
      if (this.mode !== 'dead') far.write(bytes)
    })
    far.on('data', (bytes) => {
      isAnswered = true
      if (this.mode === 'cut at answer') near.destroy()
      if (this.mode !== 'pass') return
      if (this.#held) this.#held.push(() => near.write(bytes))
      else if (this.delayMs === 0) near.write(bytes)
      else setTimeout(() => near.write(bytes), this.delayMs)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
