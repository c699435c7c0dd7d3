import { expect, test } from 'vitest'
import { secretsOf } from '../../../src/catalog/auth/auth.ts'
import { authOf, authSetting, withSecret } from '../../../src/catalog/auth/setting.ts'

const CLIENT = { token_url: 'https://login.example.com/token', client_id: 'env:ID', scopes: ['read'] }
const CLIENT_READ = { tokenUrl: CLIENT.token_url, clientId: 'env:ID', scopes: ['read'] }

test.each([
  [{ scheme: 'none' }, { scheme: 'none' }, []],
  [{ scheme: 'bearer', secret: 'env:T' }, { scheme: 'bearer', secret: 'env:T', optional: false }, ['env:T']],
  [
    { scheme: 'basic', username: 'env:U', password: 'file:/p' },
    { scheme: 'basic', username: 'env:U', password: 'file:/p' },
    ['env:U', 'file:/p'],
  ],
  [
    { scheme: 'api_key', in: 'cookie', name: 'sid', secret: 'env:S' },
    { scheme: 'api_key', in: 'cookie', name: 'sid', secret: 'env:S' },
    ['env:S'],
  ],
  [
    { scheme: 'client_credentials', ...CLIENT, client_secret: 'env:P' },
    { scheme: 'client_credentials', ...CLIENT_READ, clientSecret: 'env:P' },
    ['env:ID', 'env:P'],
  ],
  [
    { scheme: 'refresh_token', ...CLIENT, refresh_token: 'env:R' },
    { scheme: 'refresh_token', ...CLIENT_READ, refreshToken: 'env:R' },
    ['env:ID', 'env:R'],
  ],
  [
    { scheme: 'authorization_code', ...CLIENT, authorization_url: 'https://login.example.com/authorize' },
    {
      scheme: 'authorization_code',
      ...CLIENT_READ,
      authorizationUrl: 'https://login.example.com/authorize',
      login: 'login:shop',
    },
    ['env:ID'],
  ],
  [
    {
      scheme: 'aws_sigv4',
      access_key_id: 'env:A',
      secret_access_key: 'env:B',
      region: 'eu-west-1',
      service: 's3',
    },
    {
      scheme: 'aws_sigv4',
      accessKeyId: 'env:A',
      secretAccessKey: 'env:B',
      region: 'eu-west-1',
      service: 's3',
    },
    ['env:A', 'env:B'],
  ],
])('%j is a credential', (setting, auth, secrets) => {
  const read = authOf(authSetting.parse(setting), 'shop')
  expect(read).toEqual(auth)
  expect(secretsOf(read)).toEqual(secrets)
})

test.each([
  { scheme: 'bearer', secret: 'sk_live_123' },
  { scheme: 'bearer', token: 'env:T' },
  { scheme: 'client_credentials', ...CLIENT },
  { scheme: 'magic' },
])('%j is none', (setting) => {
  expect(authSetting.safeParse(setting).success).toBe(false)
})

test('one secret replaces another, where there is one', () => {
  expect(withSecret({ scheme: 'none' }, 'env:T')).toEqual({
    scheme: 'bearer',
    secret: 'env:T',
    optional: false,
  })
  expect(withSecret({ scheme: 'api_key', in: 'header', name: 'X-Key', secret: 'env:OLD' }, 'env:T')).toEqual({
    scheme: 'api_key',
    in: 'header',
    name: 'X-Key',
    secret: 'env:T',
  })
  expect(withSecret({ scheme: 'basic', username: 'env:U', password: 'env:P' }, 'env:T')).toBeUndefined()
})
