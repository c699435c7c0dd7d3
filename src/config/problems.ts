import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** What can be wrong with settings: their file, the environment, the flags. */
export const problem = problemsOf({
  unknown_setting: {
    message: ({ name, where }: { name: string; where: string }) => `Unknown setting \`${name}\` in ${where}.`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Remove it.',
  },
  invalid_setting: {
    message: ({ name, where, reason }: { name: string; where: string; reason: string }) =>
      `The setting \`${name}\` in ${where} ${reason}.`,
    next: ({ name }: { name: string }) => `Correct \`${name}\`.`,
  },
  bad_value: {
    message: ({ flag, reason }: { flag: string; reason: string }) => `\`${flag}\` ${reason}.`,
    next: ({ flag }: { flag: string }) => `Correct \`${flag}\`.`,
  },
  config_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot read the configuration file ${path}: ${reason}.`,
    next: () => 'Correct the path or the file.',
  },
  open_to_everybody: {
    message: ({ host }: { host: string; mode: string }) =>
      `Without authentication, ${host} would be open to every client that can reach it.`,
    next: ({ mode }: { mode: string }) =>
      `Omit \`--auth ${mode}\`, listen on 127.0.0.1, or set --allow-unauthenticated.`,
  },
  scope_conflict: {
    message: () =>
      '`session_scope: tenant` conflicts with `auth_resolution: delegated`, which isolates principals.',
    next: () => 'Choose one of the two.',
  },
  issuer_twice: {
    message: ({ issuer }: { issuer: string }) => `\`jwt\` lists the issuer ${issuer} twice.`,
    next: () => 'Merge the two entries.',
  },
  audience_missing: {
    message: ({ issuer }: { issuer: string }) => `The issuer ${issuer} has no audience.`,
    next: () => 'Set `audience` for the issuer, or `public_url`.',
  },
  mcp_file_unreadable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot read the MCP servers of ${path}: ${reason}.`,
    next: () => 'Give a JSON file with an `mcpServers` object, as hosts write it.',
  },
  mcp_server_unclear: {
    message: ({ name }: { name: string }) =>
      `The MCP server \`${name}\` needs either \`command\` or \`url\`.`,
    next: () => 'Give exactly one of them.',
  },
  mcp_server_twice: {
    message: ({ name, first, second }: { name: string; first: string; second: string }) =>
      `Two MCP servers are named \`${name}\`: in ${first} and in ${second}.`,
    next: () => 'Rename one of them, or leave one file out.',
  },
  setting_unused: {
    message: ({ setting, name, what }: { setting: string; name: string; what: string }) =>
      `The setting \`${setting}\` refers to \`${name}\`, but no loaded catalog has that ${what}.`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Correct or remove it.',
  },
})
