// An MCP server whose tools respect the session that calls them: see mcp-tool-security.md.
//   npm install @modelcontextprotocol/server zod
//   node notes-server.mjs FOLDER
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const folder = process.argv[2]
if (!folder) {
  console.error('Give the folder of the notes.')
  process.exit(2)
}

// Read once, at the start: one process serves one session, and nothing that an agent sends can change its environment.
const session = process.env.PLASMID_SESSION_ID
const workspace = process.env.PLASMID_WORKSPACE_ID ?? ''
// Whatever is not said to be direct is sandboxed: a typing error must not give more trust.
const trust = process.env.PLASMID_TRUST_LEVEL === 'direct' ? 'direct' : 'sandboxed'

// Standard output belongs to the protocol, so logs go to standard error.
const about = `session=${session?.slice(0, 8)} workspace=${workspace || '(none)'} trust=${trust} pid=${process.pid}`
if (session) console.error(`notes: started with ${about}`)
else console.error('notes: warning: started without a session context (legacy mode)')

/** The notes of this workspace. Its id is a slug, which cannot leave the folder; check it all the same. */
function fileOfNotes() {
  if (!/^[a-z0-9._-]*$/.test(workspace) || workspace.startsWith('.'))
    throw new Error('the workspace has no valid id')
  return join(folder, `${workspace || 'no-workspace'}.jsonl`)
}

/** One line for each call: who, what, where. The names of the arguments, and not their values. */
function audit(tool, given) {
  console.error(`notes: tool=${tool} ${about} arguments=${Object.keys(given).join(',')}`)
}

const server = () => {
  const mcp = new McpServer({ name: 'notes', version: '1.0.0' })
  mcp.registerTool(
    'list_notes',
    {
      description: 'The notes of this workspace',
      inputSchema: z.object({}),
      outputSchema: z.object({
        notes: z.array(z.object({ id: z.number(), text: z.string(), session: z.string() })),
      }),
      annotations: { readOnlyHint: true },
    },
    async (given) => {
      audit('list_notes', given)
      const lines = await readFile(fileOfNotes(), 'utf8').catch(() => '')
      const notes = lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line, at) => ({ id: at + 1, ...JSON.parse(line) }))
      return { content: [], structuredContent: { notes } }
    },
  )
  mcp.registerTool(
    'add_note',
    {
      description: 'Add a note to this workspace',
      inputSchema: z.object({ text: z.string().max(1000) }),
      outputSchema: z.object({ text: z.string(), session: z.string() }),
    },
    async (given) => {
      audit('add_note', given)
      // The session is the one of the environment, whatever the text says.
      const note = { text: given.text, session: session ?? '' }
      if (trust !== 'direct')
        return { content: [{ type: 'text', text: 'A sandboxed session cannot add notes.' }], isError: true }
      await mkdir(folder, { recursive: true })
      await appendFile(fileOfNotes(), `${JSON.stringify(note)}\n`)
      return { content: [], structuredContent: note }
    },
  )
  return mcp
}

serveStdio(server)
