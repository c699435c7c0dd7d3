import type { Result } from '../../base/diagnostic.ts'
import type { CatalogFormat } from '../../catalog/format.ts'
import type { CheckReport } from '../../catalog/report.ts'
import type { Caller, Gateway } from '../../engine/index.ts'

/** What the command line needs of other modules; each is loaded only when a command asks for it. */
export interface CliDependencies {
  readonly version: string
  /** Opens an engine by settings; gives what is wrong with them. */
  readonly open: (settings: Settings) => Promise<Result<OpenEngine>>
  /** Starts the processes that the settings ask for; undefined where this process is to answer itself. */
  readonly workers: (settings: Settings) => Promise<Result<Workers | undefined>>
  /** The way to the process that supervises this one; absent where nothing does. */
  readonly worker?: WorkerHandle | undefined
  /** What an operator changes while servers run; gives what is wrong with the settings. */
  readonly adminStore: (settings: Settings) => Promise<Result<AdminStore>>
  /** Looks at everything that a start by these settings needs; gives what is wrong with them. */
  readonly examine: (settings: Settings) => Promise<Result<readonly Examined[]>>
  /**
   * Shows or writes the configuration by which a host starts this program with these flags; gives what is wrong with the
   * settings, or why nothing was written.
   */
  readonly init: (
    request: InitRequest,
    settings: Settings,
    flags: readonly string[],
  ) => Promise<Result<InitOutcome>>
  /** What an operator changes and looks at in the catalogs of the configuration; gives what is wrong with the settings. */
  readonly catalogs: (
    settings: Settings,
    /** `mayBeNew`: the configuration file may be created. */
    options?: { readonly mayBeNew: boolean },
  ) => Promise<Result<CatalogAdmin>>
  /** Signs the person at this command line in to the API of a catalog. */
  readonly signIn: (
    settings: Settings,
    id: string,
    how: SigningIn,
  ) => Promise<Result<{ readonly catalog: string }>>
  /** Forgets such a login; false if there was none. */
  readonly signOut: (settings: Settings, id: string) => Promise<Result<boolean>>
  /** Reads catalogs and says what is right and wrong with each. */
  readonly checkCatalogs: (paths: readonly string[]) => Promise<readonly CheckReport[]>
}

/** The catalogs of the configuration. */
export interface CatalogAdmin {
  readonly add: (wanted: WantedCatalog, progress: (line: string) => void) => Promise<Result<AddedCatalog>>
  /** Adds an MCP server; gives what is wrong with the request, or why the server cannot be listed. */
  readonly addServer: (wanted: WantedServer, progress: (line: string) => void) => Promise<Result<AddedServer>>
  readonly remove: (id: string) => Promise<Result<{ readonly id: string }>>
  readonly list: () => Promise<readonly ListedCatalog[]>
  readonly show: (id: string) => Promise<Result<ShownCatalog>>
  /** One line per entity that differs between the catalog as it is served and another source (or its address, fetched anew). */
  readonly diff: (id: string, source: string | undefined) => Promise<Result<readonly string[]>>
  /** Fetches the source of a catalog again and serves it from now on: one line per entity that changed. */
  readonly refresh: (id: string) => Promise<Result<readonly string[]>>
}

export interface WantedServer {
  /** Absent: found from the address. */
  readonly name?: string | undefined
  readonly url?: string | undefined
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The tools that change nothing, or `annotated` alone. */
  readonly reads: readonly string[]
}

export interface AddedServer extends ListedCatalog {
  /** The file that was changed. */
  readonly config: string
  /** It is served in place of a shipped catalog with the same id. */
  readonly replaces: boolean
  readonly tools: readonly string[]
  /** How many of its tools change nothing. */
  readonly reads: number
  /** Of how many of them the server says that they change nothing. */
  readonly annotated: number
  /** What to try first; the program is absent if every read needs arguments. */
  readonly first?: { readonly goal: string; readonly entity: string; readonly program?: string }
}

export interface WantedCatalog {
  /** Absent: found out from the source. */
  readonly kind?: CatalogFormat | undefined
  readonly source: string
  readonly id?: string | undefined
  /** `env:NAME` or `file:PATH`; `none`: calls are sent without a credential, whatever the source says. */
  readonly auth?: string | undefined
  readonly server?: string | undefined
  /** The file of an OpenAPI Overlay document. */
  readonly overlay?: string | undefined
}

export interface AddedCatalog extends ListedCatalog {
  /** The file that was changed. */
  readonly config: string
  /** It is served in place of a shipped catalog with the same id. */
  readonly replaces: boolean
  /** The secrets that calls need, and whether each is set. */
  readonly secrets: readonly { readonly reference: string; readonly is_set: boolean }[]
  /** What to try first; absent if every read needs arguments. */
  readonly first?: { readonly goal: string; readonly entity: string; readonly program: string }
}

/** A catalog on one line. */
export interface ListedCatalog {
  readonly id: string
  readonly source: string
  readonly ok: boolean
  readonly entities: number
  readonly capabilities: number
  readonly operations?: { readonly total: number; readonly reachable: number }
  /** Where its calls go. */
  readonly server: string
  /** Where else calls go: other origins that the source names. */
  readonly other_servers?: readonly string[]
  /** How its calls prove who calls: the scheme. */
  readonly auth: string
  readonly warnings: number
  /** An MCP server, by what it listed the last time; absent for other catalogs. */
  readonly kind?: 'mcp'
}

/** A catalog whole. */
export interface ShownCatalog extends ListedCatalog {
  readonly description?: string
  readonly content: readonly {
    readonly entity: string
    readonly key: readonly string[]
    readonly fields: readonly string[]
    readonly relations: readonly string[]
    readonly why: readonly string[]
    readonly capabilities: readonly {
      readonly name: string
      readonly label: string
      readonly kind: string
      readonly effect: string
      readonly arguments: readonly string[]
      readonly why: readonly string[]
    }[]
  }[]
  readonly why: readonly string[]
  readonly left: readonly { readonly operation: string; readonly reason: string }[]
}

/** How a person signs in: where the address is shown, the port of the redirect, and what ends the waiting. */
export interface SigningIn {
  readonly show: (url: string) => void
  readonly port: number
  readonly signal: AbortSignal
}

/** Several processes that answer on one port. */
export interface Workers {
  readonly count: number
  /** The URL, once all of them listen; undefined if the first one could not start (it printed the reason). */
  readonly listening: Promise<string | undefined>
  /** Lets all of them finish their requests. */
  readonly end: () => void
  /** Resolves once all have ended: true if each exited normally. */
  readonly ended: Promise<boolean>
}

/** One of several processes that answer on one port. */
interface WorkerHandle {
  readonly id: number
  readonly announce: (url: string) => void
  /** Aborted once this process must end. */
  readonly ending: AbortSignal
}

/** Settings as the command line gave them, by the names of the configuration. */
export interface Settings {
  readonly flags: Readonly<Record<string, unknown>>
  readonly file: string | undefined
}

/** A host to configure. */
export interface InitRequest {
  readonly host: string
  /** Absent: the host's default. */
  readonly protocol?: string | undefined
  /** Absent: the file that the host reads. */
  readonly file?: string | undefined
  readonly writes: boolean
  readonly replaces: boolean
}

export interface InitOutcome {
  readonly host: string
  readonly title: string
  readonly protocol: string
  readonly file: string
  /** What to paste. */
  readonly text: string
  readonly state: 'shown' | 'written' | 'unchanged'
  /** A copy of the file as it was. */
  readonly backup?: string
  /** What to do next in the host. */
  readonly afterwards: string
}

/** What one look at this machine found. */
export interface Examined {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do next; absent where all is well. */
  readonly next?: string
  readonly code?: string
}

/** An API key without its secret. */
export interface KeyInfo {
  readonly id: string
  readonly tenant?: string
  readonly subject: string
  readonly created_at: string
  readonly expires_at?: string
  readonly only?: readonly string[]
}

interface Keys {
  readonly add: (wanted: {
    readonly subject: string
    readonly tenant?: string | undefined
    readonly expires?: string | undefined
    readonly only?: readonly string[]
  }) => Promise<Result<KeyInfo & { readonly key: string }>>
  readonly list: () => Promise<Result<readonly KeyInfo[]>>
  readonly revoke: (id: string) => Promise<Result<KeyInfo>>
}

export interface AdminStore {
  readonly keys: Keys
  /** The policy of the store that nodes share. */
  readonly policy: {
    readonly set: (text: string, file: string) => Promise<Result<unknown>>
    readonly show: () => Promise<string | undefined>
  }
  readonly close: () => Promise<void>
}

export interface OpenEngine {
  readonly gateway: Gateway
  /** The person at this command line. */
  readonly caller: Caller
  /** What came up while it was opened: one line each, for the operator. */
  readonly notices: readonly string[]
  /** The secrets that API calls need and that are not set: one line each. */
  readonly unsetSecrets: () => Promise<readonly string[]>
  readonly address: { readonly host: string; readonly port: number }
  /** Starts to answer HTTP, and MCP over HTTP. Rejects where the address cannot be had. */
  readonly listen: () => Promise<{ readonly url: string; readonly close: (graceMs: number) => Promise<void> }>
  /** Starts to answer MCP over this process's input and output. */
  readonly mcpOverStdio: () => Promise<{
    /** Resolves when the input ended and every request was answered: false if the connection had to be given up. */
    readonly ended: () => Promise<boolean>
    /** Takes no more requests: `ended` resolves once those under way are answered. */
    readonly drain: () => void
    readonly close: () => Promise<void>
  }>
  /** Starts to answer the Agent Client Protocol over this process's input and output. */
  readonly acpOverStdio: () => Promise<{
    /** Resolves when the input ended: false if it had to be given up. */
    readonly ended: () => Promise<boolean>
    /** Cancels all prompts and resolves once they ended. */
    readonly close: () => Promise<void>
  }>
  readonly shutDown: () => Promise<void>
}
