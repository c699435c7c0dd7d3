import { counted } from '../../../base/text/counted.ts'
import { visible } from '../../../base/text/one-line.ts'
import { CATALOG_FORMATS } from '../../../catalog/format.ts'
import { toEntry } from '../../bodies/entry.ts'
import type { Command } from '../command.ts'
import type { AddedCatalog } from '../dependencies.ts'
import { serversOf } from './catalog/servers-of.ts'
import type { Given } from '../flags.ts'
import { EXIT } from '../exit.ts'
import { print, printJson, refuse, say } from '../output.ts'
import { badValue, cliProblem } from '../problems.ts'
import { CATALOG_FLAGS, settingsOf } from '../setting-flags.ts'
import { sameFlags } from '../same-flags.ts'
import { tryFirst } from '../try-first.ts'
import { inPlaceOf, isAddress, showServer } from './add-mcp.ts'

/** The first operand; `mcp` is a command of its own. */
const KINDS = new Intl.ListFormat('en', { type: 'disjunction' }).format([...CATALOG_FORMATS, 'mcp'])

export const add: Command = {
  name: 'add',
  positionals: [
    { name: 'kind', description: `${KINDS}; may be left out` },
    { name: 'source', description: 'A file, a folder or an http(s) address' },
  ],
  flags: {
    id: {
      value: 'NAME',
      description: 'The name of the API in goals and seeds (default: from its file or title)',
    },
    auth: { value: 'env:NAME', description: 'The secret of its calls: env:NAME or file:PATH; or none' },
    server: { value: 'URL', description: 'The address of the API, in place of the one in the document' },
    overlay: { value: 'FILE', description: 'An OpenAPI Overlay document that corrects the document' },
    'no-try': { description: 'Do not call the API' },
    ...CATALOG_FLAGS,
  },
  run: async (given, dependencies) => {
    const [first = '', second] = given.positionals
    const kind = CATALOG_FORMATS.find((one) => one === first)
    if (second !== undefined && kind === undefined) {
      return refuse([badValue('<kind>', KINDS, first)], given.on('json'))
    }
    if (first === '' || (kind !== undefined && second === undefined)) {
      const problem = cliProblem('missing_operand', { name: '<source>', command: 'add' })
      return refuse([problem], given.on('json'))
    }
    const auth = given.text('auth')
    if (auth !== undefined && !/^(?:none$|env:.|file:.)/.test(auth)) {
      // The value may be the secret itself: it is not repeated.
      return refuse([badValue('--auth', 'env:NAME, file:PATH or none', 'another text')], given.on('json'))
    }
    const opened = await dependencies.catalogs(catalogSettings(given), { mayBeNew: true })
    if (!opened.ok) return refuse(opened.problems, given.on('json'))
    const [id, server, overlay] = [given.text('id'), given.text('server'), given.text('overlay')]
    const wanted = { kind, source: second ?? first, id, auth, server, overlay }
    const progress = (line: string) => {
      if (process.stderr.isTTY) say(line)
    }
    const added = await opened.value.add(wanted, progress)
    if (!added.ok) {
      // An address without a kind may be that of an MCP server.
      const isOpen = kind === undefined && auth === undefined && server === undefined && isAddress(first)
      const asServer = { name: id, url: first, command: [], env: {}, headers: {}, reads: [] }
      const mcp = isOpen ? await opened.value.addServer(asServer, progress) : added
      return mcp.ok ? showServer(mcp.value, undefined, given) : refuse(added.problems, given.on('json'))
    }
    const isReady = added.value.secrets.every(({ is_set: isSet }) => isSet)
    const settings = catalogSettings(given)
    const isForeign = server === undefined && sendsSecretElsewhere(wanted.source, added.value)
    const tried = isForeign
      ? 'Not tried: the document names a server on another host, which would get the secret. Check the address before you run the commands.'
      : isReady
        ? await tryFirst(added.value, settings, given, dependencies)
        : undefined
    if (given.on('json')) printJson({ ...toEntry(added.value), ...(tried !== undefined && { tried }) })
    else print(summary(added.value, tried, given))
    return EXIT.ok
  },
}

/** Would the first call send a secret to another origin than that of the document? No person has seen the address yet. */
function sendsSecretElsewhere(source: string, { secrets, server }: AddedCatalog): boolean {
  const origin = URL.canParse(server) ? new URL(server).origin : undefined
  return secrets.length > 0 && isAddress(source) && new URL(source).origin !== origin
}

/** `--auth` is the secret of the API here, not how clients of ours prove who they are. */
function catalogSettings(given: Given) {
  const { flags, file } = settingsOf(given)
  return { flags: { ...flags, auth: undefined }, file }
}

function summary(added: AddedCatalog, tried: string | undefined, given: Given): string {
  const { id, entities, operations, capabilities, auth, secrets, first, config, warnings } = added
  const counts = operations
    ? `${operations.reachable} of ${counted(operations.total, 'operation')} can be called`
    : counted(capabilities, 'capability', 'capabilities')
  const unset = secrets.filter(({ is_set: isSet }) => !isSet).map(({ reference }) => reference)
  const lines = [
    `Added \`${id}\` to ${config}: ${counted(entities, 'entity', 'entities')}, ${counts}.`,
    `Calls go to ${visible(serversOf(added))}${auth === 'none' ? ' without a credential' : ` with ${secrets.map(({ reference }) => reference).join(' and ') || auth}`}.`,
    ...(added.replaces ? [inPlaceOf(id)] : []),
    ...(unset.length > 0 ? [`Set ${unset.join(' and ')} where Plasmid runs.`] : []),
    ...(warnings > 0
      ? [`${counted(warnings, 'warning')}: \`plasmid list\`, \`plasmid catalog show ${id} --why\`.`]
      : []),
    ...(first
      ? [
          '',
          `Try this goal: ${visible(first.goal)}`,
          `  plasmid context --intent ${JSON.stringify(visible(first.goal))} --seed ${id}:${first.entity}${sameFlags(given)}`,
          `  plasmid run --ref s0 '${first.program}'${sameFlags(given)}    (with the ref that the first command prints)`,
        ]
      : ['', `Read what it can do: plasmid catalog show ${id}${sameFlags(given)}`]),
    ...(tried === undefined ? [] : ['', tried.trimEnd()]),
  ]
  return `${lines.join('\n')}\n`
}
