/** What is asked of an MCP server. */
export type McpOperation =
  | {
      readonly type: 'tool'
      /** The tool's name on the wire. */
      readonly name: string
      /** Object keys to the rows in a structured answer: a list or one object. Absent: the shape of the answer is unknown. */
      readonly rows?: readonly string[]
    }
  /** The list of its resources. */
  | { readonly type: 'resources' }
  /** The resource of a URI: of the row's identity, or of a URI template that the arguments fill. */
  | { readonly type: 'resource'; readonly template?: string }
