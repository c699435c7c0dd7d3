import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { stringify } from 'yaml'
import { type Driver, SURFACES } from '../surfaces/drivers.ts'
import { plasmid } from '../surfaces/plasmid.ts'

/** An operator's folder, to which APIs are added by `plasmid add`. */
export class Operator {
  readonly folder = mkdtempSync(join(tmpdir(), 'plasmid-real-'))
  readonly config = join(this.folder, 'plasmid.yaml')
  readonly #flags = ['--config', this.config]

  /** @param settings what the configuration holds before anything is added */
  constructor(settings: object = {}) {
    writeFileSync(this.config, stringify({ shipped: false, ...settings }))
  }

  /** A reference to a secret that calls need. */
  secret(name: string, value: string): string {
    return `file:${this.file(name, value)}`
  }

  /** The path of a new file that only this user may read. */
  file(name: string, text: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }

  /** Runs `plasmid add`: what it prints. */
  async add(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await plasmid([
      'add',
      ...args,
      ...this.#flags,
      '--data-dir',
      this.folder,
    ])
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }

  /** Starts `plasmid serve`, and connects an agent that sees its four tools. */
  async serve(): Promise<Agent> {
    const start = SURFACES['MCP over HTTP, modern']
    if (!start) throw new Error('no such surface')
    return new Agent(await start(this.folder, this.#flags))
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** An agent with the four tools. Entities are written by name in its programs: `Zone.limit(1)`. */
export class Agent {
  readonly #driver: Driver

  constructor(driver: Driver) {
    this.#driver = driver
  }

  discover(intent: string): Promise<string> {
    return this.#driver.discover({ intent })
  }

  /** Opens a session of these entities (`powerdns:Zone`). */
  async open(intent: string, ...names: readonly string[]): Promise<Session> {
    const seeds = names.map((name) => {
      const [api, entity] = name.split(':')
      return { api, entity }
    })
    return new Session(this.#driver, await this.#driver.context({ intent, seeds }))
  }

  close(): Promise<void> {
    return this.#driver.close()
  }
}

/** What one intent was taught, and its programs. */
class Session {
  readonly taught: string
  readonly #driver: Driver
  readonly #ref: string

  constructor(driver: Driver, taught: string) {
    this.#driver = driver
    this.taught = taught
    this.#ref = /^`(s\d+)`/.exec(taught)?.[1] ?? taught
  }

  /** Runs a program of reads. */
  read(program: string): Promise<string> {
    return this.#driver.run({ logical_session_ref: this.#ref, program })
  }

  /** Plans a program: the plan, or why it is none. */
  plan(program: string): Promise<string> {
    return this.#driver.plan({ logical_session_ref: this.#ref, program })
  }

  /** Runs a program from its plan. */
  async change(program: string): Promise<string> {
    const planned = await this.plan(program)
    const [plan] = /pc\d+/.exec(planned) ?? []
    return plan === undefined ? planned : this.#driver.run({ logical_session_ref: this.#ref, program, plan })
  }

  /** The page behind the first handle of an answer. */
  page(answer: string): Promise<string> {
    return this.#driver.page(/s\d+_pg\d+/.exec(answer)?.[0] ?? answer)
  }
}

/** The rows of a table, without its header. */
export function rowsIn(answer: string): readonly string[] {
  return /```tsv\n[^\n]*\n([^]*?)```/.exec(answer)?.[1]?.trimEnd().split('\n') ?? []
}
