import { join } from 'node:path'

export type Protocol = 'mcp' | 'acp'

/** How a host starts a server. */
export interface Start {
  readonly command: string
  readonly args: readonly string[]
}

/** The directories that hosts keep their files in. */
export interface Places {
  /** The project. */
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How one host is configured to start Plasmid by one protocol. */
export interface HostForm {
  readonly host: string
  /** As the host calls itself. */
  readonly title: string
  readonly protocol: Protocol
  readonly syntax: 'json' | 'toml'
  /** The file that the host reads. */
  readonly file: (places: Places) => string
  /** Where the entry is in the file. */
  readonly path: readonly string[]
  readonly entry: (start: Start) => Readonly<Record<string, unknown>>
  /** What to do in the host then, and what it shows. */
  readonly afterwards: string
}

const plain = ({ command, args }: Start) => ({ command, args })
const typed = (type: string) => (start: Start) => ({ type, ...plain(start) })
const withEnv = (start: Start) => ({ ...plain(start), env: {} })

/** Every host by its protocols; the first form of a host is its default. */
export const HOST_FORMS: readonly HostForm[] = [
  {
    host: 'claude-code',
    title: 'Claude Code',
    protocol: 'mcp',
    syntax: 'json',
    file: ({ cwd }) => join(cwd, '.mcp.json'),
    path: ['mcpServers', 'plasmid'],
    entry: typed('stdio'),
    afterwards:
      'Start `claude` in this directory and approve the server; `/mcp` lists `plasmid` with four tools.',
  },
  {
    host: 'cursor',
    title: 'Cursor',
    protocol: 'mcp',
    syntax: 'json',
    file: ({ cwd }) => join(cwd, '.cursor', 'mcp.json'),
    path: ['mcpServers', 'plasmid'],
    entry: plain,
    afterwards: 'Open the settings, Tools & MCP, and enable `plasmid`: it shows four tools.',
  },
  {
    host: 'vscode',
    title: 'VS Code',
    protocol: 'mcp',
    syntax: 'json',
    file: ({ cwd }) => join(cwd, '.vscode', 'mcp.json'),
    path: ['servers', 'plasmid'],
    entry: typed('stdio'),
    afterwards: 'Run the command `MCP: List Servers` and start `plasmid`: it shows four tools in agent mode.',
  },
  {
    host: 'zed',
    title: 'Zed',
    protocol: 'acp',
    syntax: 'json',
    file: zedSettings,
    path: ['agent_servers', 'plasmid'],
    entry: (start) => ({ type: 'custom', ...withEnv(start) }),
    afterwards: 'Open the agent panel and start a new `plasmid` thread; `/` lists its commands.',
  },
  {
    host: 'zed',
    title: 'Zed',
    protocol: 'mcp',
    syntax: 'json',
    file: zedSettings,
    path: ['context_servers', 'plasmid'],
    entry: withEnv,
    afterwards: 'Open the agent settings: `plasmid` has a green dot and four tools.',
  },
  {
    host: 'codex',
    title: 'Codex',
    protocol: 'mcp',
    syntax: 'toml',
    file: ({ home, env }) => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'),
    path: ['mcp_servers', 'plasmid'],
    entry: plain,
    afterwards: 'Start `codex`; `/mcp` lists `plasmid` with four tools.',
  },
  {
    host: 'gemini-cli',
    title: 'Gemini CLI',
    protocol: 'mcp',
    syntax: 'json',
    file: ({ cwd }) => join(cwd, '.gemini', 'settings.json'),
    path: ['mcpServers', 'plasmid'],
    entry: plain,
    afterwards: 'Start `gemini` in this directory; `/mcp` lists `plasmid` with four tools.',
  },
  {
    host: 'jetbrains',
    title: 'JetBrains AI Assistant',
    protocol: 'acp',
    syntax: 'json',
    file: ({ home }) => join(home, '.jetbrains', 'acp.json'),
    path: ['agent_servers', 'Plasmid'],
    entry: withEnv,
    afterwards: 'Open AI Chat and choose Plasmid among the agents.',
  },
]

export const HOSTS: readonly string[] = [...new Set(HOST_FORMS.map(({ host }) => host))]

function zedSettings({ home, env }: Places): string {
  const roaming = process.platform === 'win32' ? env['APPDATA'] : undefined
  if (roaming !== undefined) return join(roaming, 'Zed', 'settings.json')
  // The specification of these directories: an empty variable counts as unset.
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'zed', 'settings.json')
}
