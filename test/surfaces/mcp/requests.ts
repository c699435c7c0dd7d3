import fc from 'fast-check'

/** One HTTP request to `/mcp`, as it goes over the wire. */
export interface McpRequest {
  readonly method: string
  /** By lower-case name; a list is sent as several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
  /** Sent in chunks, without `Content-Length`. */
  readonly isChunked: boolean
}

interface Draft {
  method: string
  headers: Record<string, string | string[] | undefined>
  /** The JSON-RPC message. */
  message: Record<string, unknown>
  params: Record<string, unknown>
  /** How the message becomes the body: the last steps of the way. */
  wrap: (text: string) => string | Buffer
  isChunked: boolean
}

type Change = (draft: Draft) => void

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT = 'io.modelcontextprotocol/clientInfo'
const MODERN = '2026-07-28'
const TOOLS = ['plasm_context', 'discover_capabilities', 'plasm', 'plasm_run']

/** What the stub of the engine answers by. */
const MOODS = ['teach', 'repeat', 'refuse', 'fail', 'away', 'ask'] as const

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\ud800', '\u2028"\\\n', 'data: x\n\nevent: y', '\ufeff', '__proto__', '😀'),
)
const id = fc.oneof(fc.integer(), fc.nat(), text, fc.constantFrom(0, -0, 1, '', 2 ** 53 - 1, -(2 ** 53 - 1)))
const input = fc.record(
  {
    mood: fc.constantFrom('teach', 'teach', ...MOODS),
    intent: text,
    seeds: fc.array(fc.jsonValue(), { maxLength: 2 }),
  },
  { requiredKeys: ['mood'] },
)
const announced = fc.oneof(fc.constantFrom('/w', '', 'relative', 7), text)
const foreignMeta = fc.oneof(
  fc.dictionary(
    fc.constantFrom('threadId', 'claudecode/toolUseId', 'traceparent', 'tracestate', 'baggage', 'plasm', 'x'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 2 },
  ),
  fc.record(
    {
      plasmid: fc.record({ workspace: announced }),
      orbit: fc.record({ workspace: announced }),
      'orbit.workspace': announced,
    },
    { requiredKeys: [] },
  ),
)
const capabilities = fc.constantFrom<unknown>(
  {},
  { roots: {} },
  { roots: { listChanged: true }, sampling: {}, elicitation: {} },
  { sampling: { context: {}, tools: {} }, elicitation: { form: {}, url: {} } },
)
const clientInfo = fc.constantFrom<unknown>(
  { name: 'a', version: '1' },
  { name: 'a', title: 'A', version: '1' },
)
const method = fc.constantFrom(
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'ping',
  'server/discover',
)

const legacy = fc
  .record({
    id,
    method,
    tool: fc.constantFrom(...TOOLS),
    input: fc.option(input, { nil: undefined, freq: 9 }),
    meta: fc.option(foreignMeta, { nil: undefined }),
    version: fc.constantFrom(undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'),
    hasParams: fc.boolean(),
  })
  .map((drawn): Draft => {
    const { meta, version } = drawn
    const isCall = drawn.method === 'tools/call'
    const params = {
      ...(isCall && { name: drawn.tool, ...(drawn.input && { arguments: drawn.input }) }),
      ...(meta && { _meta: meta }),
    }
    const hasParams = isCall || drawn.hasParams
    return draft(drawn.id, drawn.method, hasParams ? params : undefined, { 'mcp-protocol-version': version })
  })

const modern = fc
  .record({
    id,
    method,
    tool: fc.constantFrom(...TOOLS),
    input: fc.option(input, { nil: undefined, freq: 9 }),
    meta: foreignMeta,
    capabilities,
    client: fc.option(clientInfo, { nil: undefined }),
  })
  .map((drawn): Draft => {
    const isCall = drawn.method === 'tools/call'
    const envelope = {
      [VERSION]: MODERN,
      ...(drawn.client !== undefined && { [CLIENT]: drawn.client }),
      [CAPABILITIES]: drawn.capabilities,
    }
    const params = {
      ...(isCall && { name: drawn.tool, ...(drawn.input && { arguments: drawn.input }) }),
      _meta: { ...envelope, ...drawn.meta },
    }
    return draft(drawn.id, drawn.method, params, {
      'mcp-protocol-version': MODERN,
      'mcp-method': drawn.method,
      'mcp-name': isCall ? drawn.tool : undefined,
    })
  })

function draft(
  requestId: unknown,
  name: string,
  params: Record<string, unknown> | undefined,
  headers: Draft['headers'],
): Draft {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    message: { jsonrpc: '2.0', id: requestId, method: name, ...(params && { params }) },
    params: params ?? {},
    wrap: (body) => body,
    isChunked: false,
  }
}

const ANY = [null, true, 0, 7, 1.5, '', 'x', [], {}, [{}], { a: 1 }] as const
const any = fc.oneof(fc.constantFrom<unknown>(...ANY), fc.jsonValue({ maxDepth: 2 }))
const OWN_PROTO: unknown = JSON.parse('{"__proto__": {"mood": "teach"}, "mood": "repeat"}')

const header = (name: string, ...values: readonly (string | string[] | undefined)[]) =>
  fc.constantFrom(...values).map(
    (value): Change =>
      (made) =>
        void (made.headers[name] = value),
  )
const inMessage = (key: string, values: fc.Arbitrary<unknown>) =>
  values.map(
    (value): Change =>
      ({ message }) =>
        void (message[key] = value),
  )
const inParams = (key: string, values: fc.Arbitrary<unknown>) =>
  values.map((value): Change => (made) => {
    made.params[key] = value
    made.message['params'] = made.params
  })
const inMeta = (key: string, values: fc.Arbitrary<unknown>) =>
  values.map((value): Change => (made) => {
    const { _meta: meta } = made.params
    made.params['_meta'] = { ...(typeof meta === 'object' ? meta : {}), [key]: value }
    made.message['params'] = made.params
  })
const without = (where: 'message' | 'params', ...keys: readonly string[]) =>
  fc.constantFrom(...keys).map(
    (key): Change =>
      (made) =>
        void delete made[where][key],
  )
const wrapped =
  (wrap: (body: string) => string | Buffer): Change =>
  (made) =>
    void (made.wrap = wrap)

/** Every way in which a request can be other than clients send it. */
const change: fc.Arbitrary<Change> = fc.oneof(
  header('accept', undefined, '', 'application/json', 'text/event-stream', '*/*', 'text/*, application/*'),
  header('accept', 'text/event-stream,application/json;q=0.1', 'APPLICATION/JSON, TEXT/EVENT-STREAM'),
  header('accept', ['application/json', 'text/event-stream'], 'application/jsonx, text/event-streams'),
  header('content-type', undefined, '', 'text/plain', 'application/json; charset=utf-8', 'Application/JSON'),
  header(
    'content-type',
    'application/json;charset=UTF-8',
    'application/json; charset=latin1',
    'application/json;',
  ),
  header(
    'content-type',
    'text/plain; a=application/json',
    'application/json, text/plain',
    'application/vnd.a+json',
  ),
  header(
    'mcp-protocol-version',
    undefined,
    '',
    '2025-11-25',
    '2025-06-18',
    MODERN,
    '2027-01-01',
    '2024-01-01',
    'x',
  ),
  header(
    'mcp-protocol-version',
    ['2025-11-25', '2025-11-25'],
    [MODERN, MODERN],
    ` ${MODERN} `,
    '2025-11-25 ',
  ),
  header('mcp-method', undefined, '', 'tools/call', 'tools/list', 'ping', 'TOOLS/CALL', ' tools/list '),
  header(
    'mcp-name',
    undefined,
    '',
    'plasm',
    ' plasm_context ',
    'PLASM',
    '=?base64?cGxhc20=?=',
    '=?base64?!?=',
  ),
  header('mcp-session-id', 'x', ''),
  header('last-event-id', '7'),
  header('content-encoding', 'gzip', 'identity', 'br'),
  header('origin', 'https://example.com', 'http://localhost', 'null', ''),
  header('authorization', undefined, 'Bearer wrong', 'Basic eDp4'),
  header('host', 'example.com', 'localhost'),
  inMessage('id', fc.oneof(any, fc.constantFrom<unknown>(2 ** 53, 1e21, -1.5, 'null'))),
  inMessage('jsonrpc', fc.constantFrom<unknown>('1.0', '2', 2, null, '2.0 ', ['2.0'])),
  inMessage('method', fc.constantFrom<unknown>('tools/calls', '', 7, null, 'initialize', 'resources/list')),
  inMessage(
    'method',
    fc.constantFrom<unknown>('resources/read', 'notifications/initialized', 'toString', 'ping'),
  ),
  inMessage('params', any),
  inMessage('result', any),
  inMessage('error', any),
  inMessage('extra', any),
  without('message', 'id', 'jsonrpc', 'method', 'params'),
  inParams(
    'name',
    fc.oneof(any, fc.constantFrom<unknown>('plasm_contxt', '__proto__', 'constructor', 'plasm')),
  ),
  inParams('arguments', fc.oneof(any, fc.constant(OWN_PROTO))),
  inParams('_meta', fc.oneof(any, fc.constant(OWN_PROTO))),
  inParams('task', any),
  inParams('cursor', any),
  inParams('extra', any),
  inParams(
    'inputResponses',
    fc.oneof(any, fc.constant({ agree: { action: 'accept', content: { agree: true } } })),
  ),
  inParams('requestState', any),
  without('params', 'name', 'arguments', '_meta'),
  inMeta('progressToken', fc.constantFrom<unknown>(1, 'x', 1.5, null, {})),
  inMeta('io.modelcontextprotocol/related-task', any),
  inMeta('io.modelcontextprotocol/logLevel', fc.constantFrom<unknown>('debug', 'loud', 7)),
  inMeta('io.modelcontextprotocol/serverInfo', any),
  inMeta('io.modelcontextprotocol/other', any),
  inMeta(VERSION, fc.constantFrom<unknown>(MODERN, '2025-11-25', '2027-01-01', 7, null, '')),
  inMeta(CAPABILITIES, fc.oneof(any, capabilities)),
  inMeta(
    CAPABILITIES,
    fc.constantFrom<unknown>(
      { roots: { listChanged: 'yes' } },
      { roots: { listChanged: null } },
      { elicitation: { form: { applyDefaults: true } } },
      { elicitation: { form: [] } },
      { elicitation: [] },
      { sampling: { tools: 7 } },
      { experimental: { a: {} }, extensions: { b: { c: 1 } } },
      { extensions: 7 },
      { tasks: { list: {} } },
      { unknown: {} },
    ),
  ),
  inMeta(
    CLIENT,
    fc.constantFrom<unknown>(
      {},
      { name: 'a' },
      { name: 7, version: '1' },
      { name: 'a', version: '1', title: null },
      { name: 'a', version: '1', websiteUrl: 'x', icons: [{ src: 'y' }], description: 'z' },
      { name: 'a', version: '1', icons: 7 },
      { name: 'a', version: '1', other: 7 },
      null,
      [],
    ),
  ),
  fc.constantFrom(
    wrapped((body) => `[${body}]`),
    wrapped((body) => `[${body},${body}]`),
    wrapped(() => '[]'),
    wrapped(() => ''),
    wrapped(() => '7'),
    wrapped(() => 'null'),
    wrapped((body) => body.slice(0, -1)),
    wrapped((body) => `${body}x`),
    wrapped((body) => ` \n${body}\t`),
    wrapped((body) => `\ufeff${body}`),
    wrapped((body) => `\ufeff\ufeff${body}`),
    wrapped((body) => Buffer.from(body, 'utf16le')),
    wrapped((body) => Buffer.concat([Buffer.from(body.slice(0, -1)), Buffer.from([0xff, 0x7d])])),
    wrapped((body) => Buffer.from(body.replace('"jsonrpc"', '"x":"\xff","jsonrpc"'), 'latin1')),
    wrapped((body) => Buffer.from(body.replace('"mood":"', '"mood":"\xff'), 'latin1')),
    wrapped((body) => body.replace('{', '{"id":"first","method":"ping",')),
    wrapped((body) => body.replace(/\}$/, ',"id":"last"}')),
    wrapped((body) => body.replace(/\}$/, ',"method":"ping"}')),
    wrapped((body) => body.replace('{', '{"__proto__":{},')),
    wrapped((body) => body.replace('"params":{', '"params":{"__proto__":{"name":"plasm"},')),
    wrapped((body) => body.replace('"_meta":{', '"_meta":{"__proto__":{},')),
    wrapped((body) => body.replace(/"id":-?\d+/, '"id":1.0')),
    wrapped((body) => body.replace(/"id":-?\d+/, '"id":-0')),
    wrapped((body) => body.replace(/"id":-?\d+/, '"id":1e400')),
    wrapped((body) => body.replace('"mood"', `"deep":${'['.repeat(5000)}${']'.repeat(5000)},"mood"`)),
    wrapped((body) => `${' '.repeat(1024 * 1024)}${body}`),
  ),
  fc.constantFrom('GET', 'DELETE', 'OPTIONS', 'PUT', 'PATCH', 'HEAD', 'post').map(
    (name): Change =>
      (made) =>
        void (made.method = name),
  ),
  fc.constant<Change>((made) => void (made.isChunked = true)),
)

/** Requests as clients send them, a third of them; the others with one to three changes. */
export const anyRequest: fc.Arbitrary<McpRequest> = fc
  .record({
    made: fc.oneof(legacy, modern),
    changes: fc.oneof(
      fc.constant([]),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      change.map((one) => [one]),
    ),
  })
  .map(({ made, changes }) => {
    for (const apply of changes) apply(made)
    const { method: name, headers, message, wrap, isChunked } = made
    const body = Buffer.from(wrap(JSON.stringify(message)))
    const sent = Object.entries(headers).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    )
    return { method: name, headers: Object.fromEntries(sent), body, isChunked }
  })
