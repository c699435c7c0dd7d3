import { problemsOf } from '../../base/diagnostic.ts'

interface About {
  readonly server: string
}

const again = () => 'Repeat the call later.'
const askOperator = () => 'Report this to the operator of the server; a program cannot change it.'

/** Problems of calls to MCP servers. Messages never hold the values of a server's environment or headers, or its own log. */
export const mcpProblem = problemsOf({
  mcp_unknown_server: {
    message: ({ server }: About) => `Nothing was sent: this process serves no MCP server \`${server}\`.`,
    next: askOperator,
  },
  mcp_sandbox_missing: {
    message: ({ server, reason }: About & { readonly reason: string }) =>
      `Nothing was sent: the MCP server \`${server}\` must run in a sandbox, and there is none: ${reason}.`,
    next: askOperator,
  },
  mcp_sandbox_hides: {
    message: ({ server, path }: About & { readonly path: string }) =>
      `The MCP server \`${server}\` was not started: its sandbox hides its program ${path}.`,
    next: ({ path }: About & { readonly path: string }) =>
      `Ask the operator to list the folder of ${path} in \`sandbox.paths\` of the server.`,
  },
  mcp_workspace_not_granted: {
    message: ({ server, root }: About & { readonly root: string }) =>
      `The MCP server \`${server}\` was not started: its sandbox shows only workspaces that the operator listed, and ${root} is none.`,
    next: ({ root }: About & { readonly root: string }) =>
      `Ask the operator to list ${root} in the setting \`workspaces\`.`,
  },
  mcp_variable_unset: {
    message: ({ server, name }: About & { readonly name: string }) =>
      `The MCP server \`${server}\` was not started: its configuration refers to the variable \`${name}\`, which is not set.`,
    next: ({ name }: About & { readonly name: string }) =>
      `Ask the operator to set \`${name}\` for this process.`,
  },
  mcp_secret_missing: {
    message: ({ server, secret }: About & { readonly secret: string }) =>
      `The MCP server \`${server}\` was not started: the secret ${secret} is not set or cannot be read.`,
    next: askOperator,
  },
  mcp_secret_struck: {
    message: ({ server }: About) =>
      `Nothing was sent to the MCP server \`${server}\`: an argument holds the mark of a credential that was taken out of an answer.`,
    next: () => 'Leave out that value, or write another one in the program.',
  },
  mcp_name_taken: {
    message: ({ server }: About) =>
      `The MCP server \`${server}\` is not served: another catalog has its name.`,
    next: () => 'Give it another name.',
  },
  mcp_not_started: {
    message: ({ server, reason }: About & { readonly reason: string }) =>
      `The MCP server \`${server}\` could not be started or reached: ${reason}.`,
    next: again,
  },
  mcp_resting: {
    message: ({ server, seconds }: About & { readonly seconds: number }) =>
      `Nothing was sent: the MCP server \`${server}\` failed repeatedly; the next attempt is in ${seconds} s.`,
    next: ({ seconds }: About & { readonly seconds: number }) => `Repeat the call in ${seconds} s.`,
  },
  mcp_servers_full: {
    message: ({ server, most }: About & { readonly most: number }) =>
      `Nothing was sent: \`${server}\` cannot be started: ${most} connections to MCP servers are in use.`,
    next: again,
  },
  mcp_no_answer: {
    message: ({ server, milliseconds }: About & { readonly milliseconds: number }) =>
      `The MCP server \`${server}\` did not answer within ${milliseconds} ms.`,
    next: again,
  },
  mcp_ended: {
    message: ({ server, how }: About & { readonly how: string }) =>
      `The connection to the MCP server \`${server}\` ended before it answered: ${how}.`,
    next: again,
  },
  mcp_refused: {
    message: ({ server, code, detail }: About & { readonly code: number; readonly detail: string }) =>
      `The MCP server \`${server}\` refused the call with the error ${code}${detail && `: ${detail}`}.`,
    next: () => 'Correct the arguments as the server says.',
  },
  mcp_failed: {
    message: ({ server, code, detail }: About & { readonly code: number; readonly detail: string }) =>
      `The MCP server \`${server}\` failed with the error ${code}${detail && `: ${detail}`}.`,
    next: again,
  },
  mcp_bad_answer: {
    message: ({ server, reason }: About & { readonly reason: string }) =>
      `The answer of the MCP server \`${server}\` cannot be read: ${reason}.`,
    next: askOperator,
  },
  mcp_answer_too_large: {
    message: ({ server, bytes, most }: About & { readonly bytes: number; readonly most: number }) =>
      `The answer of the MCP server \`${server}\` has ${bytes} bytes, over the limit of ${most}.`,
    next: () => 'Ask for less.',
  },
  mcp_cancelled: {
    message: ({ server }: About) => `The call to the MCP server \`${server}\` was cancelled.`,
    next: () => 'Repeat the call if it is still needed.',
  },
})
