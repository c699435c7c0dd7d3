import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { McpServer } from '../../access/mcp-server.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { parametersOf } from '../../catalog/lookup.ts'
import type { Capability, Catalog } from '../../catalog/model.ts'
import { withServer } from '../../config/entries.ts'
import type { Config } from '../../config/read.ts'
import { writtenServer, type WrittenServer } from '../../config/mcp-servers.ts'
import type { AddedServer, WantedServer } from '../../surfaces/cli/dependencies.ts'
import { replacesShipped } from '../catalog-paths.ts'
import { appProblem } from '../problems.ts'
import { idProblem, type Place } from './add.ts'
import { changeConfig } from './config-file.ts'
import { goalOf } from './first-read.ts'
import { idFor } from './ids.ts'
import { listServers } from './list-servers.ts'
import { keptReadings } from './listed-servers.ts'
import { listedOf, sourceOfServer } from './listed.ts'

/**
 * Adds an MCP server to the configuration: starts or reaches it once to list its tools, and writes one entry. Nothing runs but
 * the program that was named. If anything is wrong, nothing is changed.
 *
 * Gives `bad_catalog_id`, `catalog_exists`, `mcp_server_unclear` or how the listing failed.
 */
export async function addServer(wanted: WantedServer, place: Place): Promise<Result<AddedServer>> {
  const { config, file, cwd, progress } = place
  const name = wanted.name ?? idFor(wanted.url ?? '', undefined)
  const wrong = idProblem(name, config)
  if (wrong) return failed([wrong])
  const written = writtenOf(wanted, cwd)
  const server = writtenServer(name, written, cwd)
  if (!server.ok) return server
  progress(`Listing ${sourceOfServer(server.value)}`)
  const [listed] = await listServers([server.value], config)
  if (!listed) throw new Error('a server that was asked gives its lists, or why not')
  if (!listed.ok) return listed
  const reading = listed.value
  const { catalog } = reading
  if (!catalog) return failed(reading.errors)
  const isAdded = await changeConfig(file, async ({ text, replace }) => {
    const next = withServer(text, name, written)
    if (next !== undefined) await replace(next)
    return next !== undefined
  })
  if (!isAdded) return failed([appProblem('catalog_exists', { id: name })])
  return ok({
    ...listedOf(reading, sourceOfServer(server.value)),
    config: file,
    replaces: await replacesShipped(name, config),
    tools: toolsOf(catalog).map(({ name: tool }) => tool),
    reads: readsIn(catalog),
    annotated: await annotatedIn(server.value, config),
    ...firstOf(catalog),
  })
}

function writtenOf({ url, command, env, headers, reads }: WantedServer, cwd: string): WrittenServer {
  const [program, ...args] = command
  return {
    ...(program !== undefined && { command: program }),
    ...(args.length > 0 && { args }),
    ...(command.some((word) => isHere(word, cwd)) && { cwd }),
    ...(url !== undefined && { url }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(reads.length > 0 && { reads: reads.includes('annotated') ? 'annotated' : [...reads] }),
  }
}

/** Whether a word of the command names a file of this folder: then the server has to start in it. */
function isHere(word: string, cwd: string): boolean {
  return !isAbsolute(word) && existsSync(resolve(cwd, word))
}

/** What to try first: a read that needs nothing, else any tool. */
function firstOf(catalog: Catalog): Pick<AddedServer, 'first'> {
  const tools = toolsOf(catalog)
  const plain = tools.find((tool) => tool.effect === 'read' && needsNothing(tool))
  const tool = plain ?? tools.find(({ effect }) => effect === 'read') ?? tools[0]
  if (!tool) return {}
  const program = plain && { program: `e1.${plain.label}()` }
  return { first: { goal: goalOf(tool), entity: tool.entity, ...program } }
}

function readsIn(catalog: Catalog): number {
  return toolsOf(catalog).filter(({ effect }) => effect === 'read').length
}

/** How many tools would be reads if the server was trusted, by the lists that it just gave. */
async function annotatedIn(server: McpServer, config: Config): Promise<number> {
  const trusting = { ...server, reads: { names: [], trustsHints: true } }
  const [kept] = await keptReadings({ ...config, mcpServers: [trusting] })
  return kept?.reading.catalog ? readsIn(kept.reading.catalog) : 0
}

function toolsOf({ capabilities }: Catalog): readonly Capability[] {
  return capabilities.filter(({ call }) => call?.kind === 'mcp' && call.operation.type === 'tool')
}

function needsNothing(tool: Capability): boolean {
  return [...parametersOf(tool).values()].every(({ required }) => !required)
}
