import { z } from 'zod'
import { normalTrust, TRUST_LEVELS } from '../access/trust.ts'
import { CONTEXT_PREFIXES } from '../access/session-context.ts'
import { isWorkspaceId, readRoot, type WorkspaceGrants } from '../access/workspace.ts'
import { listOf, yamlListOf } from './from-text.ts'
import { settingInfo } from './setting-info.ts'

/** `direct` or `sandboxed`; any other value is refused, so that a slip never gives more trust. */
const trust = z.string().transform(normalTrust).pipe(z.enum(TRUST_LEVELS))

const workspace = z.strictObject({
  /** The folder; what is said holds for everything below it. */
  root: z
    .string()
    .transform((path) => readRoot(path))
    .refine((path) => path !== undefined, 'must be an absolute path without `..`'),
  id: z
    .string()
    .refine(isWorkspaceId, 'must be a slug: lower case, digits, `.`, `_` and `-`, at most 64 characters')
    .optional(),
  trust: trust.optional(),
  /** The only catalogs that calls in it may use. */
  catalogs: z.array(z.string().min(1)).optional(),
})

/** The keys of a workspace's settings. */
export const WORKSPACE_KEYS: readonly string[] = Object.keys(workspace.shape)

/** Settings of where calls take place, and of how far they go. */
export const workspaceSettings = {
  trust: trust.default('direct').register(settingInfo, {
    about: 'the trust of calls outside the listed workspaces: direct, or sandboxed',
    more: '`sandboxed`: MCP servers of direct trust do not exist, and the others run in a sandbox; see [hosts](hosts.md#workspaces-and-trust), as for the next three',
  }),
  workspaces: yamlListOf(workspace).default([]).register(settingInfo, {
    about: 'folders that hosts work in: each with its root, and optionally its id, trust and catalogs',
    more: 'in the environment as YAML or JSON',
  }),
  workspace_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .optional()
    .register(settingInfo, {
      about: 'the HTTP header in which a client may announce its workspace',
      byDefault: 'none is read',
    }),
  context_prefixes: listOf(z.string().regex(/^[A-Z][A-Z0-9]*_$/, 'must look like `PLASMID_`'))
    .default([...CONTEXT_PREFIXES])
    .register(settingInfo, {
      about: 'the prefixes of the variables that tell an MCP server its session, workspace and trust',
    }),
}

const schema = z.object(workspaceSettings)

/** The operator's grants. */
export function grantsOf({ trust: ofAll, workspaces }: z.output<typeof schema>): WorkspaceGrants {
  return { trust: ofAll, workspaces }
}
