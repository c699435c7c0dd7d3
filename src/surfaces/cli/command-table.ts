import type { Command } from './command.ts'

interface Listed {
  /** One line. */
  readonly about: string
  readonly load: () => Promise<Command>
}

/** The commands by name, in the order of the help. Each is loaded on demand: help lists all and needs none. */
export const COMMANDS: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  [
    'serve',
    {
      about: 'Serve HTTP, and MCP over HTTP at /mcp',
      load: async () => (await import('./commands/serve.ts')).serve,
    },
  ],
  [
    'mcp',
    {
      about: 'Serve MCP over standard input and output',
      load: async () => (await import('./commands/mcp.ts')).mcp,
    },
  ],
  [
    'acp',
    {
      about: 'Serve the Agent Client Protocol over standard input and output, for editors',
      load: async () => (await import('./commands/acp.ts')).acp,
    },
  ],
  [
    'discover',
    {
      about: 'Find the APIs and entities that fit a goal (discover_capabilities)',
      load: async () => (await import('./commands/discover.ts')).discover,
    },
  ],
  [
    'context',
    {
      about: 'Open or extend a session (plasm_context)',
      load: async () => (await import('./commands/context.ts')).context,
    },
  ],
  [
    'plan',
    {
      about: 'Check a program and show its plan; calls nothing (plasm)',
      load: async () => (await import('./commands/plan.ts')).plan,
    },
  ],
  ['run', { about: 'Run a program (plasm_run)', load: async () => (await import('./commands/run.ts')).run }],
  [
    'page',
    { about: 'One more page of a result', load: async () => (await import('./commands/page.ts')).page },
  ],
  [
    'sessions',
    { about: 'List your sessions', load: async () => (await import('./commands/sessions.ts')).sessions },
  ],
  ['close', { about: 'Close a session', load: async () => (await import('./commands/close.ts')).close }],
  [
    'keys add',
    {
      about: 'Create an API key; it is printed once',
      load: async () => (await import('./commands/keys.ts')).keysAdd,
    },
  ],
  [
    'keys list',
    { about: 'List API keys, oldest first', load: async () => (await import('./commands/keys.ts')).keysList },
  ],
  [
    'keys revoke',
    { about: 'Revoke an API key at once', load: async () => (await import('./commands/keys.ts')).keysRevoke },
  ],
  [
    'policy set',
    {
      about: 'Publish a policy file to all nodes that share the store (`policy: store`)',
      load: async () => (await import('./commands/policy.ts')).policySet,
    },
  ],
  [
    'policy show',
    {
      about: 'Print the policy that the nodes of the store share',
      load: async () => (await import('./commands/policy.ts')).policyShow,
    },
  ],
  [
    'init',
    {
      about: 'Show or write the configuration by which a host starts Plasmid',
      load: async () => (await import('./commands/init.ts')).init,
    },
  ],
  [
    'add',
    {
      about:
        'Add an API to the configuration: an OpenAPI document, a GraphQL schema or server, a catalog, or the address of an MCP server',
      load: async () => (await import('./commands/add.ts')).add,
    },
  ],
  [
    'remove',
    {
      about: 'Remove an API or an MCP server from the configuration',
      load: async () => (await import('./commands/remove.ts')).remove,
    },
  ],
  [
    'add mcp',
    {
      about: 'Add an MCP server to the configuration: a program after `--`, or an address',
      load: async () => (await import('./commands/add-mcp.ts')).addMcp,
    },
  ],
  [
    'list',
    {
      about: 'List the APIs and MCP servers that are served; none is called',
      load: async () => (await import('./commands/list.ts')).list,
    },
  ],
  [
    'auth login',
    {
      about: 'Sign in to the API of a catalog (OAuth 2), with a browser',
      load: async () => (await import('./commands/auth.ts')).authLogin,
    },
  ],
  [
    'auth logout',
    {
      about: 'Forget the login to the API of a catalog',
      load: async () => (await import('./commands/auth.ts')).authLogout,
    },
  ],
  [
    'doctor',
    {
      about: 'Check the installation and report what to fix',
      load: async () => (await import('./commands/doctor.ts')).doctor,
    },
  ],
  [
    'catalog check',
    {
      about: 'Check catalogs and report their problems',
      load: async () => (await import('./commands/catalog/check.ts')).catalogCheck,
    },
  ],
  [
    'catalog show',
    {
      about: 'Show the entities and operations of a catalog; --why explains an imported one',
      load: async () => (await import('./commands/catalog/show.ts')).catalogShow,
    },
  ],
  [
    'catalog diff',
    {
      about: 'Compare a catalog with another source, or with its address fetched anew: one line per entity',
      load: async () => (await import('./commands/catalog/diff.ts')).catalogDiff,
    },
  ],
  [
    'catalog refresh',
    {
      about: 'Fetch the document of a catalog again and serve it: one line per entity that changed',
      load: async () => (await import('./commands/catalog/refresh.ts')).catalogRefresh,
    },
  ],
])
