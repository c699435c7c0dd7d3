import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text as textOf } from 'node:stream/consumers'
import { serveHere } from '../surfaces/server-here.ts'
import { jsonOf } from '../surfaces/test-server.ts'

const TASKS = fileURLToPath(new URL('./catalogs/tasks', import.meta.url))

/** What the API answers to a request. */
interface Scripted {
  readonly status?: number
  readonly body?: object
}

/** No answer before the silence is broken. */
export const SILENCE = 'silence'

/** The answer of a run over HTTP, as far as these tests read it. */
interface Ran {
  readonly status: number
  readonly text: string
  readonly results: readonly {
    readonly label: string
    readonly partial?: string
    readonly rows: readonly object[]
    readonly next_page?: string
  }[]
  readonly effects: readonly { readonly row: number; readonly state: string }[]
  readonly problems: readonly { readonly code: string; readonly message: string; readonly next: string }[]
}

/** A server before an API of tasks and notes that answers as a test says. */
export interface Stage {
  /** `GET /v1/tasks?page=1&per_page=3` or `PATCH /v1/tasks/1 {"points":2}`, in order of arrival. */
  readonly log: string[]
  /** Answers requests first; where it gives nothing, the API answers as it should. */
  script: (request: string) => Scripted | typeof SILENCE | undefined
  readonly origin: string
  /** Reviews the program and runs its plan. */
  readonly run: (program: string) => Promise<Ran>
  /** Runs the program, with a plan where one is given. */
  readonly runPlan: (program: string, plan?: string) => Promise<Ran>
  /** The text of the review, or of the refusal. */
  readonly review: (
    program: string,
  ) => Promise<{ readonly status: number; readonly text: string; readonly plan?: string }>
  /** Resolves once the API has received a request that begins so. */
  readonly received: (request: string) => Promise<void>
  readonly breakSilence: () => void
  /** Ends the server and starts it again on the same data, a minute later by its clock. */
  readonly restart: (signal: NodeJS.Signals) => Promise<void>
  readonly close: () => Promise<void>
}

/** For a process whose clock is so many minutes ahead. */
const ahead = (minutes: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${minutes * 60_000}`)}`,
})

/** @param start starts the server: `serve` for a test that kills it, or sets its clock */
export async function openStage(flags: readonly string[] = [], start = serveHere): Promise<Stage> {
  const log: string[] = []
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
  const upstream = createServer((request, response) => {
    void textOf(request).then(async (sent) => {
      const line = `${request.method} ${request.url}${sent === '' ? '' : ` ${sent}`}`
      log.push(line)
      upstream.emit('received')
      const scripted = stage.script(line) ?? usual(line)
      if (scripted === SILENCE) await once(upstream, 'end of silence')
      const { status = 200, body = {} } = scripted === SILENCE ? usual(line) : scripted
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(status === 204 ? undefined : JSON.stringify(body))
    })
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const address = upstream.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const own = ['--no-shipped', '--catalog', TASKS, '--backend', `tasks=${origin}/v1`, ...flags]
  let server = await start(dataDir, own)
  let minutes = 0
  const seeds = ['Task', 'Note'].map((entity) => ({ api: 'tasks', entity }))
  await server.send('POST', '/v1/contexts', { intent: 'hostile', seeds })
  const post = (what: string, body: object) => server.send('POST', `/v1/contexts/s0/${what}`, body)
  const review: Stage['review'] = async (program) => {
    const response = await post('plan', { program })
    const {
      text = '',
      detail = '',
      plan,
    } = await jsonOf<{ text?: string; detail?: string; plan?: string }>(response)
    return {
      status: response.status,
      text: text === '' ? detail : text,
      ...(plan !== undefined && { plan }),
    }
  }
  const runPlan: Stage['runPlan'] = async (program, plan) => {
    const response = await post('run', { program, ...(plan !== undefined && { plan }) })
    const body = await jsonOf<Partial<Ran> & { readonly detail?: string }>(response)
    const { results = [], effects = [], problems = [] } = body
    return { status: response.status, text: body.text ?? body.detail ?? '', results, effects, problems }
  }
  const stage: Stage = {
    log,
    script: () => undefined,
    origin,
    review,
    runPlan,
    run: async (program) => runPlan(program, (await review(program)).plan),
    received: async (request) => {
      while (!log.some((line) => line.startsWith(request))) await once(upstream, 'received')
    },
    breakSilence: () => void upstream.emit('end of silence'),
    restart: async (signal) => {
      await server.kill(signal)
      server = await start(dataDir, own, ahead(++minutes))
    },
    close: async () => {
      await server.kill()
      upstream.closeAllConnections()
      upstream.close()
      await rm(dataDir, { recursive: true })
    },
  }
  return stage
}

/** Seven tasks, three a page; the fewer points, the later it stands. */
export const tasks = Array.from({ length: 7 }, (_, index) => ({
  id: index + 1,
  title: `Task ${index + 1}`,
  points: 70 - index * 10,
  owner: index % 2 === 0 ? 'ada' : 'bo',
}))

function usual(line: string): Scripted {
  const [method = '', url = ''] = line.split(' ')
  const { pathname, searchParams } = new URL(url, 'http://tasks.test')
  const id = pathname.split('/')[3]
  if (method === 'DELETE') return { status: 204 }
  if (method === 'POST') return { status: 201, body: { id: 1, text: 'x' } }
  if (id !== undefined) return { body: tasks.find((task) => String(task.id) === id) ?? {} }
  if (pathname.endsWith('/notes')) return { body: { notes: [{ id: 1, text: 'one' }] } }
  const from = (Number(searchParams.get('page') ?? 1) - 1) * 3
  return { body: { tasks: tasks.slice(from, from + 3) } }
}

/** The requests that change something. */
export function writesIn(log: readonly string[]): readonly string[] {
  return log.filter((line) => !line.startsWith('GET '))
}
