import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { signIn } from '../../../src/adapters/wire/credentials/sign-in.ts'
import type { AuthorizationCode } from '../../../src/catalog/auth/auth.ts'
import { api, json, serve } from './fixtures.ts'

/** An authorization server: it redirects at once with a code, and gives a token for that code and its verifier. */
async function authorizationServer(answer: (redirect: URL, state: string) => string) {
  let challenge = ''
  const server = await serve((seen, response) => {
    const url = new URL(seen.url, 'http://login')
    if (seen.method === 'GET') {
      const { searchParams } = url
      challenge = searchParams.get('code_challenge') ?? ''
      const redirect = new URL(searchParams.get('redirect_uri') ?? '')
      response.writeHead(302, { location: answer(redirect, searchParams.get('state') ?? '') }).end()
      return
    }
    const form = new URLSearchParams(seen.body)
    const isProven =
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url') === challenge
    const isRight = isProven && form.get('code') === 'the-code' && form.get('client_id') === 'client'
    if (isRight) json(response, { access_token: 'access', refresh_token: 'refresh', expires_in: 60 })
    else json(response, { error: 'invalid_grant' }, 400)
  })
  const auth: AuthorizationCode = {
    scheme: 'authorization_code',
    authorizationUrl: `${server.origin}/authorize`,
    tokenUrl: `${server.origin}/token`,
    clientId: 'env:CLIENT',
    scopes: ['read'],
    login: 'login:shop',
  }
  return { server, auth }
}

async function signInBy(auth: AuthorizationCode, timeoutMs = 5000) {
  const statuses: number[] = []
  const browse = (url: string) =>
    void fetch(url)
      .then((page) => void statuses.push(page.status))
      .catch(() => undefined)
  const login = await signIn({
    catalog: api('https://api.example'),
    auth,
    client: { id: 'client' },
    userAgent: 'plasmid-test',
    show: browse,
    signal: AbortSignal.timeout(timeoutMs),
    port: 0,
  })
  return { login, statuses }
}

const back = (redirect: URL, parameters: Record<string, string>) =>
  `${redirect.href}?${new URLSearchParams(parameters).toString()}`

test('a person signs in, and the code is exchanged with its proof', async () => {
  const { server, auth } = await authorizationServer((redirect, state) =>
    back(redirect, { code: 'the-code', state }),
  )
  const { login } = await signInBy(auth)
  expect(login).toMatchObject({ ok: true, value: { accessToken: 'access', refreshToken: 'refresh' } })
  const asked = new URL(server.seen[0]?.url ?? '', 'http://login').searchParams
  expect(asked.get('scope')).toBe('read')
  expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  expect(JSON.stringify(server.seen[0])).not.toContain(
    new URLSearchParams(server.seen[1]?.body).get('code_verifier') ?? 'none',
  )
})

test('a person who refuses is not signed in', async () => {
  const { auth } = await authorizationServer((redirect, state) =>
    back(redirect, { error: 'access_denied', state }),
  )
  expect((await signInBy(auth)).login).toMatchObject({
    ok: false,
    problems: [{ code: 'sign_in_failed', message: expect.stringContaining('access_denied') }],
  })
})

test('the redirect of another sign-in is ignored', async () => {
  const { server, auth } = await authorizationServer((redirect) =>
    back(redirect, { code: 'the-code', state: 'guessed' }),
  )
  const { login } = await signInBy(auth, 500)
  expect(login).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringContaining('not finished in time') }],
  })
  expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
})

test('a code that the server refuses is no login', async () => {
  const { auth } = await authorizationServer((redirect, state) => back(redirect, { code: 'stolen', state }))
  expect((await signInBy(auth)).login).toMatchObject({ ok: false, problems: [{ code: 'token_refused' }] })
})

test('a request that names no page does not end the sign-in', async () => {
  const { auth } = await authorizationServer((redirect, state) => {
    request({ host: redirect.hostname, port: redirect.port, path: '//' })
      .on('error', () => undefined)
      .end()
    return back(redirect, { code: 'the-code', state })
  })
  expect((await signInBy(auth)).login).toMatchObject({ ok: true })
})
