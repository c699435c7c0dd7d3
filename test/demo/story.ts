import { agentOverHttp, agentOverStdio, type Agent } from './agent.ts'
import type { Running } from './processes.ts'
import { claim, note, step } from './show.ts'

/** The processes and data of the story. */
export interface Stage {
  readonly server: Running & { readonly url: string }
  readonly token: string
  /** The requests that reached the shop so far. */
  readonly requests: readonly string[]
  /** Starts the server again, on the given port. */
  readonly serve: (port: string) => Promise<Running & { readonly url: string }>
  /** The arguments with which a host starts its own server on standard input and output. */
  readonly stdio: readonly string[]
}

const INTENT = 'Bazaar: find large open orders, tell their customers and cancel one'
const UNCHANGED =
  /^`s0`\n\n_Session unchanged \(`e1`…`e\d+`\)\. Use `plasm` \/ `plasm_run` with this logical_session_ref\._ Missing rows\? .*\n?$/

/** The values that the steps share. */
interface Scene extends Stage {
  readonly agent: Agent
}

/** A session of an agent from discovery to a killed server. */
export async function tell(stage: Stage): Promise<void> {
  const agent = await agentOverHttp(stage.server.url, stage.token)
  const scene = { ...stage, agent }
  await discovers(scene)
  const table = await opens(scene)
  await reads(scene)
  await repeats(scene, table)
  await grows(scene)
  const cancelled = await writes(scene)
  await joins(scene)
  await errs(scene)
  await meetsAnotherProcess(scene)
  await agent.leave()
  await survives(stage, cancelled)
}

async function discovers({ agent }: Scene): Promise<void> {
  step('An agent asks which entities fit its goal')
  const { text } = await agent.call('discover_capabilities', { intent: INTENT })
  claim(
    'the answer names the entities of the goal',
    /\bbazaar\tOrder\t/.test(text) && /\bbazaar\tCustomer\t/.test(text),
  )
  claim('and no unrelated API', !/\bpokeapi\t\w+\t(?:strong|likely)\t/.test(text))
}

async function opens({ agent, requests }: Scene): Promise<string> {
  step('It opens a session with one intent and the entities it picked')
  const seeds = [
    { api: 'bazaar', entity: 'Order' },
    { api: 'bazaar', entity: 'Customer' },
  ]
  const { text, meta } = await agent.call('plasm_context', { intent: INTENT, seeds })
  claim(
    'the answer is the ref and a table of both entities',
    text.startsWith('`s0`\n\n```tsv\nplasm_expr\tMeaning\n'),
  )
  claim(
    '`_meta.plasm` has the same for the host',
    meta['logical_session_ref'] === 's0' && meta['domain_revision'] === 1,
  )
  claim('the shop received no request so far', requests.length === 0)
  return text
}

const LARGEST = `large = Order{status=open, min_total=100}.sort(total, desc).limit(3)
large[id, placed_on, total], large.customer[name, email]`

async function reads({ agent, requests }: Scene): Promise<void> {
  step('It plans a program, which calls no API')
  const plan = await agent.call('plasm', { logical_session_ref: 's0', program: LARGEST })
  claim('the plan is valid and the shop received no request', !plan.isError && requests.length === 0)

  step('It runs the program')
  const run = await agent.call('plasm_run', { logical_session_ref: 's0', program: LARGEST })
  claim(
    'the run returned the orders and their customers',
    !run.isError && run.text.split('(3 rows)').length === 3,
  )
  claim(
    'the API did the filtering',
    requests.some((one) => one.includes('status=open') && one.includes('total_gte=100')),
  )
}

async function repeats({ agent }: Scene, table: string): Promise<void> {
  step('Later it opens the same session again')
  const seeds = [
    { api: 'bazaar', entity: 'Customer' },
    { api: 'bazaar', entity: 'Order' },
  ]
  const again = await agent.call('plasm_context', { intent: INTENT, seeds })
  claim('the answer is the same ref and one line instead of the table', UNCHANGED.test(again.text))
  note(`${again.text.length} characters instead of ${table.length}`)
}

async function grows({ agent }: Scene): Promise<void> {
  step('It needs one more entity')
  const seeds = [{ api: 'bazaar', entity: 'Product' }]
  const { text, meta } = await agent.call('plasm_context', { intent: INTENT, seeds })
  claim(
    'the answer has only the new rows',
    text.startsWith('`s0`\n\n```tsv\n') && text.includes('e3') && !/^e1\t/m.test(text),
  )
  claim('the revision grew by one', meta['domain_revision'] === 2)
}

async function writes({ agent, requests }: Scene): Promise<string> {
  step('It tries to write without a plan')
  const id =
    /\n(\d+)\t/.exec(
      (await agent.call('plasm_run', { logical_session_ref: 's0', program: LARGEST })).text,
    )?.[1] ?? '0'
  const program = `Order(${id}).cancel()`
  const before = requests.length
  const refused = await agent.call('plasm_run', { logical_session_ref: 's0', program })
  claim(
    'the write is refused, and the shop received no request',
    refused.isError && requests.length === before,
  )

  step('It plans the write and runs the plan')
  const planned = await agent.call('plasm', { logical_session_ref: 's0', program })
  const plan = /\bpc\d+\b/.exec(planned.text)?.[0]
  claim(
    'the plan shows the write and has a ref',
    !planned.isError && plan !== undefined && requests.length === before,
  )
  const done = await agent.call('plasm_run', { logical_session_ref: 's0', program, plan })
  const patches = () => requests.filter((one) => one === `PATCH /orders/${id}`).length
  claim('the shop received one write', !done.isError && patches() === 1)
  const repeated = await agent.call('plasm_run', { logical_session_ref: 's0', program, plan })
  claim(
    'the same plan again returns the recorded result and writes nothing',
    !repeated.isError && patches() === 1,
  )
  return id
}

const REMEMBER = `large = Order{status=open, min_total=100}.sort(total, desc).limit(3)
who = large.customer
made = who => Entity.create(entities=[{name=_.name, entityType="customer", observations=[_.email]}])
made`

async function joins({ agent }: Scene): Promise<void> {
  step('It adds another MCP server, which keeps a knowledge graph')
  const seeds = [
    { api: 'memory', entity: 'Entity' },
    { api: 'memory', entity: 'Graph' },
  ]
  const { text } = await agent.call('plasm_context', { intent: INTENT, seeds })
  claim('its tools are rows of the same table', /\.create\(entities=\$\)\twrite/.test(text))

  step('One program reads the shop and writes into the graph')
  const program = REMEMBER
  const planned = await agent.call('plasm', { logical_session_ref: 's0', program })
  const plan = /\bpc\d+\b/.exec(planned.text)?.[0]
  claim(
    'the plan shows what flows from one to the other',
    !planned.isError && planned.text.includes('memory'),
  )
  const done = await agent.call('plasm_run', { logical_session_ref: 's0', program, plan })
  claim('the customers were remembered', !done.isError && /@/.test(done.text))
  const graph = 'Graph.read().entities[name, observations]'
  const kept = await agent.call('plasm_run', { logical_session_ref: 's0', program: graph })
  claim('and the graph has them', !kept.isError && /@/.test(kept.text))
}

async function errs({ agent, requests }: Scene): Promise<void> {
  step('It sends a program with a mistake')
  const before = requests.length
  const wrong = await agent.call('plasm_run', {
    logical_session_ref: 's0',
    program: 'Order{stattus=open}[id, total]',
  })
  claim(
    'the answer shows the place and the valid name',
    wrong.isError && wrong.text.includes('stattus') && /`?status`?/.test(wrong.text),
  )
  claim(`no request was sent (${before} before, ${requests.length} after)`, requests.length === before)
}

async function meetsAnotherProcess({ stdio }: Scene): Promise<void> {
  step('Another host starts another process over stdio: the intent identifies the session')
  const other = await agentOverStdio(process.execPath, stdio)
  const seeds = [{ api: 'bazaar', entity: 'Order' }]
  const same = await other.call('plasm_context', { intent: INTENT, seeds })
  claim('the same intent is the same session there', UNCHANGED.test(same.text))
  const own = await other.call('plasm_context', {
    intent: 'Bazaar: what do people think of the hammock',
    seeds: [{ api: 'bazaar', entity: 'Review' }],
  })
  claim('another intent is another session', own.text.startsWith('`s1`\n\n```tsv\n'))
  await other.leave()
}

async function survives({ server, serve, token, requests }: Stage, id: string): Promise<void> {
  step(`The server is killed (kill -9 ${server.pid}) and started again`)
  await server.kill('SIGKILL')
  const back = await serve(new URL(server.url).port)
  claim(
    `another process (${back.pid}) serves the same address`,
    back.pid !== server.pid && back.url === server.url,
  )
  const agent = await agentOverHttp(back.url, token)
  const seeds = [{ api: 'bazaar', entity: 'Order' }]
  const again = await agent.call('plasm_context', { intent: INTENT, seeds })
  claim('the same intent returns the same ref and one line', UNCHANGED.test(again.text))
  const run = await agent.call('plasm_run', {
    logical_session_ref: 's0',
    program: `Order(${id})[id, status, total]`,
  })
  claim(
    'programs run as before, and the write persists',
    !run.isError && run.text.includes(`${id}\tcancelled\t`),
  )
  note(`${requests.length} requests reached the shop in all`)
  await agent.leave()
}
