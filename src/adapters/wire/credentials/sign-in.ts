import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import type { AuthorizationCode } from '../../../catalog/auth/auth.ts'
import type { ServedCatalog } from '../../../catalog/model.ts'
import { guardedLookup, lookupBySystem } from '../addresses.ts'
import { parseUrl } from '../destination.ts'
import { exitOf } from '../exchange.ts'
import { wireProblem, type WireProblem } from '../problems.ts'
import { loginOf } from './access-tokens.ts'
import { type RequestToken, tokenRequester } from './grant.ts'
import type { Login } from './logins.ts'

interface SignIn {
  readonly catalog: ServedCatalog
  readonly auth: AuthorizationCode
  readonly client: { readonly id: string; readonly secret?: string }
  readonly userAgent: string
  /** Shows the address at which the person signs in. */
  readonly show: (url: string) => void
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** The port of the redirect on loopback; 0: any free one. */
  readonly port: number
}

/**
 * The authorization code grant with PKCE (RFC 7636) and a redirect to this machine's loopback (RFC 8252): the person signs in
 * with a browser, and the code that comes back is exchanged once. Gives `sign_in_failed`, or the problem of the exchange.
 */
export async function signIn(wanted: SignIn): Promise<Result<Login, WireProblem>> {
  const agents: Agent[] = []
  const request = tokenRequester(
    (reach) => {
      const agent = new Agent({ connect: { lookup: guardedLookup(lookupBySystem, reach) } })
      agents.push(agent)
      return exitOf(agent)
    },
    () => false,
    wanted.userAgent,
  )
  try {
    return await signInWith(request, wanted)
  } finally {
    for (const agent of agents) await agent.destroy()
  }
}

async function signInWith(
  request: RequestToken,
  { catalog, auth, client, show, signal, port }: SignIn,
): Promise<Result<Login, WireProblem>> {
  const state = randomBytes(24).toString('base64url')
  const verifier = randomBytes(48).toString('base64url')
  const refused = (detail: string) => failed([wireProblem('sign_in_failed', { catalog: catalog.id, detail })])
  const redirect = await waitForRedirect(state, port).catch(() => undefined)
  if (!redirect) return refused(`the port ${port} of this machine cannot be used`)
  try {
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    show(addressOf(auth, { client: client.id, redirect: redirect.url, state, challenge }))
    const answer = await Promise.race([redirect.answer, aborted(signal)])
    if (answer === undefined) return refused('it was not finished in time')
    if ('error' in answer) return refused(answer.error)
    const granted = await request(catalog, auth, {
      form: {
        grant_type: 'authorization_code',
        code: answer.code,
        redirect_uri: redirect.url,
        code_verifier: verifier,
      },
      client,
    })
    return granted.ok ? ok(loginOf(granted.value)) : granted
  } finally {
    redirect.close()
  }
}

function addressOf(
  { authorizationUrl, scopes }: AuthorizationCode,
  given: {
    readonly client: string
    readonly redirect: string
    readonly state: string
    readonly challenge: string
  },
): string {
  const url = new URL(authorizationUrl)
  const parameters = {
    response_type: 'code',
    client_id: given.client,
    redirect_uri: given.redirect,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    state: given.state,
    code_challenge: given.challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

type Answer = { readonly code: string } | { readonly error: string }

/** Listens on loopback for the redirect; other requests, and those of another sign-in, are refused. */
async function waitForRedirect(state: string, port: number) {
  let answered: (answer: Answer) => void = () => {}
  const answer = new Promise<Answer>((resolve) => (answered = resolve))
  const server = createServer((request, response) => {
    const asked = parseUrl(request.url ?? '/', 'http://127.0.0.1')
    const isOurs = request.method === 'GET' && asked?.pathname === '/callback'
    if (!isOurs || asked.searchParams.get('state') !== state)
      return page(response, 404, 'This is not the page of a sign-in.')
    const { searchParams } = asked
    const code = searchParams.get('code')
    const error = searchParams.get('error')
    if (code === null) {
      answered({ error: `the server answered ${safe(error ?? 'without a code')}` })
      return page(response, 400, 'The sign-in failed. You can close this window.')
    }
    answered({ code })
    return page(response, 200, 'You are signed in. You can close this window.')
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  const own = typeof address === 'object' ? address?.port : port
  return {
    url: `http://127.0.0.1:${own}/callback`,
    answer,
    close: () => {
      server.closeIdleConnections()
      server.close()
    },
  }
}

function page(response: ServerResponse, status: number, text: string): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  }
  response.writeHead(status, headers).end(`${text}\n`)
}

/** An error code of the authorization server: only characters that the RFC allows. */
function safe(code: string): string {
  return code.replaceAll(/[^\w .-]/g, '').slice(0, 80)
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
