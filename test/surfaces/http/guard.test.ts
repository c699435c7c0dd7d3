import { expect, test } from 'vitest'
import { siteGuard } from '../../../src/surfaces/http/admission/guard.ts'

const guard = siteGuard(['Plasmid.Example', '127.0.0.1'])

test.each([
  ['127.0.0.1:7750', undefined],
  ['localhost', undefined],
  ['[::1]:80', undefined],
  ['plasmid.example:443', undefined],
  ['LOCALHOST:3000', 'http://localhost:3000'],
  ['localhost:3000', 'http://localhost:3000', 'same-origin'],
  ['plasmid.example:443', 'https://plasmid.example:8443'],
  ['127.0.0.1', 'https://plasmid.example'],
  ['127.0.0.1', undefined, 'none'],
  ['127.0.0.1', undefined, 'same-origin'],
  ['127.0.0.1', 'https://plasmid.example', 'same-origin'],
])('lets host %j with origin %j and site %j pass', (host, origin, site?: string) => {
  expect(guard(host, origin, site)).toBeUndefined()
})

test.each([
  [undefined, undefined, 'forbidden_host'],
  ['', undefined, 'forbidden_host'],
  ['evil.example', undefined, 'forbidden_host'],
  ['127.0.0.1.evil.example', undefined, 'forbidden_host'],
  ['evil.example@127.0.0.1', undefined, 'forbidden_host'],
  ['127.0.0.1/x', undefined, 'forbidden_host'],
  ['127.0.0.1', 'null', 'forbidden_origin'],
  ['127.0.0.1', 'https://evil.example', 'forbidden_origin'],
  ['127.0.0.1', 'https://localhost.evil.example', 'forbidden_origin'],
  ['127.0.0.1', 'file://', 'forbidden_origin'],
  ['127.0.0.1', undefined, 'forbidden_site', 'cross-site'],
  ['127.0.0.1', undefined, 'forbidden_site', 'same-site'],
  ['127.0.0.1', 'https://evil.example', 'forbidden_origin', 'cross-site'],
  ['localhost:7750', 'http://localhost:3000', 'forbidden_origin'],
  ['127.0.0.1:7750', 'http://localhost:3000', 'forbidden_origin', 'same-site'],
  ['127.0.0.1:7750', 'http://localhost:7750', 'forbidden_origin', 'cross-site'],
  ['127.0.0.1', 'https://plasmid.example', 'forbidden_site', 'cross-site'],
  ['127.0.0.1', 'https://plasmid.example', 'forbidden_site', 'same-site'],
])('refuses host %j with origin %j: %s', (host, origin, code, site?: string) => {
  expect(guard(host, origin, site)?.code).toBe(code)
})
