import { expect, it } from 'vitest'
import { briefly, modelOf, readSmall } from '../small.ts'

const authOf = (text: string) => modelOf(readSmall({ top: `auth: ${text}` })).auth
const CLIENT = 'token_url: https://login.example/token, client_id_env: ID, scopes: [read]'
const CLIENT_READ = { tokenUrl: 'https://login.example/token', clientId: 'env:ID', scopes: ['read'] }

it.each([
  ['{ scheme: none }', { scheme: 'none' }],
  ['{ scheme: bearer_token, env: T }', { scheme: 'bearer', secret: 'env:T', optional: false }],
  ['{ scheme: oauth_bearer, optional_env: T }', { scheme: 'bearer', secret: 'env:T', optional: true }],
  [
    '{ scheme: api_key_header, header: X-Key, env: K }',
    { scheme: 'api_key', in: 'header', name: 'X-Key', secret: 'env:K' },
  ],
  [
    '{ scheme: api_key_query, param: key, env: K }',
    { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:K' },
  ],
  [
    '{ scheme: api_key_cookie, cookie: sid, env: K }',
    { scheme: 'api_key', in: 'cookie', name: 'sid', secret: 'env:K' },
  ],
  ['{ scheme: api_key_path, env: K }', { scheme: 'api_key_path', secret: 'env:K' }],
  [
    '{ scheme: basic, username_env: U, password_env: P }',
    { scheme: 'basic', username: 'env:U', password: 'env:P' },
  ],
  [
    `{ scheme: oauth2_client_credentials, ${CLIENT}, client_secret_env: S }`,
    { scheme: 'client_credentials', ...CLIENT_READ, clientSecret: 'env:S' },
  ],
  [
    `{ scheme: oauth2_refresh_token, ${CLIENT}, refresh_token_env: R }`,
    { scheme: 'refresh_token', ...CLIENT_READ, refreshToken: 'env:R' },
  ],
  [
    `{ scheme: oauth2_authorization_code, ${CLIENT}, client_secret_env: S, authorization_url: https://login.example/in }`,
    {
      scheme: 'authorization_code',
      ...CLIENT_READ,
      clientSecret: 'env:S',
      authorizationUrl: 'https://login.example/in',
      login: 'login:small',
    },
  ],
  [
    '{ scheme: aws_sigv4, access_key_id_env: A, secret_access_key_env: B, region: eu-west-1, service: s3 }',
    {
      scheme: 'aws_sigv4',
      accessKeyId: 'env:A',
      secretAccessKey: 'env:B',
      region: 'eu-west-1',
      service: 's3',
    },
  ],
])('%s is a credential', (text, auth) => {
  expect(authOf(text)).toEqual(auth)
})

it.each([
  ['{ scheme: basic, username_env: U }', 'secret_unnamed domain.yaml:2'],
  [`{ scheme: oauth2_authorization_code, ${CLIENT}, authorization_url: here }`, 'bad_url domain.yaml:2'],
  [
    '{ scheme: aws_sigv4, access_key_id_env: A, secret_access_key_env: B, service: s3 }',
    'missing_key domain.yaml:2',
  ],
  ['{ scheme: magic }', 'not_one_of domain.yaml:2'],
])('%s is an error', (text, error) => {
  expect(briefly(readSmall({ top: `auth: ${text}` }).errors)).toEqual([error])
})
