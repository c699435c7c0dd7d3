import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cruise } from './cruise.ts'

/*
 * Proves that each import rule can fail: adds files with forbidden imports to a copy of `src` and expects the rule that
 * forbids each. Each rule has at least one such import here: the file, what it imports, the rule.
 */
const FORBIDDEN: readonly (readonly [file: string, imported: string, rule: string])[] = [
  // Modules
  ['src/base/planted.ts', 'src/catalog/model.ts', 'room-base'],
  ['src/catalog/planted.ts', 'src/session/exposure.ts', 'room-catalog'],
  ['src/access/planted.ts', 'src/session/record.ts', 'room-access'],
  ['src/discovery/planted.ts', 'src/session/record.ts', 'room-discovery'],
  ['src/session/planted.ts', 'src/access/caller.ts', 'room-session'],
  ['src/teaching/planted.ts', 'src/language/plan/plan.ts', 'room-teaching'],
  ['src/language/planted.ts', 'src/execution/wire.ts', 'room-language'],
  ['src/language/syntax/planted.ts', 'src/catalog/model.ts', 'room-language-syntax'],
  ['src/language/check/model/planted.ts', 'src/language/plan/plan.ts', 'room-language-check'],
  ['src/language/plan/planted.ts', 'src/execution/wire.ts', 'room-language-plan'],
  ['src/execution/planted.ts', 'src/session/store.ts', 'room-execution'],
  ['src/engine/planted.ts', 'src/adapters/stores/memory.ts', 'room-engine'],
  ['src/adapters/stores/planted.ts', 'src/engine/contract.ts', 'room-adapters-stores'],
  ['src/adapters/stores/planted.ts', 'src/session/identity.ts', 'room-adapters-stores'],
  ['src/adapters/threads/planted.ts', 'src/base/json.ts', 'room-adapters-threads'],
  ['src/adapters/files/planted.ts', 'src/base/json.ts', 'room-adapters-files'],
  ['src/adapters/templates/planted.ts', 'src/engine/store.ts', 'room-adapters-templates'],
  ['src/adapters/wire/planted.ts', 'src/engine/store.ts', 'room-adapters-wire'],
  ['src/adapters/catalogs/planted.ts', 'src/execution/wire.ts', 'room-adapters-catalogs'],
  ['src/adapters/mcp/planted.ts', 'src/access/policy.ts', 'room-adapters-mcp'],
  ['src/adapters/auth/planted.ts', 'src/session/identity.ts', 'room-adapters-auth'],
  ['src/adapters/workspaces/planted.ts', 'src/access/policy.ts', 'room-adapters-workspaces'],
  ['src/adapters/embedder/planted.ts', 'src/discovery/rank.ts', 'room-adapters-embedder'],
  ['src/adapters/telemetry/planted.ts', 'src/engine/index.ts', 'room-adapters-telemetry'],
  ['src/surfaces/bodies/planted.ts', 'src/surfaces/http/answer.ts', 'room-surfaces-bodies'],
  ['src/surfaces/mcp/planted.ts', 'src/session/identity.ts', 'room-surfaces-mcp'],
  ['src/surfaces/mcp/planted.ts', 'src/engine/contract.ts', 'room-surfaces-mcp'],
  ['src/surfaces/http/planted.ts', 'src/language/syntax/tree.ts', 'room-surfaces-http'],
  ['src/surfaces/http/planted.ts', 'src/surfaces/mcp/tools.ts', 'room-surfaces-http'],
  ['src/surfaces/acp/planted.ts', 'src/engine/contract.ts', 'room-surfaces-acp'],
  ['src/surfaces/cli/planted.ts', 'src/session/store.ts', 'room-surfaces-cli'],
  ['src/config/planted.ts', 'src/language/plan/plan.ts', 'room-config'],
  ['src/app/planted.ts', 'src/language/plan/plan.ts', 'room-app'],
  ['src/planted/file.ts', 'src/base/suggest.ts', 'unlisted-room-imports'],
  ['src/config/planted.ts', 'src/planted/file.ts', 'unlisted-room'],
  // Folders of a module
  ['src/engine/reply/planted.ts', 'src/engine/session/touch.ts', 'inside-engine-reply'],
  ['src/engine/conversation/planted.ts', 'src/engine/run/run.ts', 'inside-engine-conversation'],
  ['src/engine/memory/planted.ts', 'src/engine/session/touch.ts', 'inside-engine-memory'],
  ['src/engine/session/planted.ts', 'src/engine/effects/effects.ts', 'inside-engine-session'],
  ['src/engine/watch/planted.ts', 'src/engine/reply/answer.ts', 'inside-engine-watch'],
  ['src/engine/context/planted.ts', 'src/engine/effects/effects.ts', 'inside-engine-context'],
  ['src/engine/effects/planted.ts', 'src/engine/context/context.ts', 'inside-engine-effects'],
  ['src/engine/run/planted.ts', 'src/engine/context/context.ts', 'inside-engine-run'],
  ['src/engine/planted/file.ts', 'src/engine/parts.ts', 'unlisted-folder-engine'],
  ['src/execution/http/planted.ts', 'src/execution/read/compare.ts', 'inside-execution-http'],
  ['src/execution/read/planted.ts', 'src/execution/sources/index.ts', 'inside-execution-read'],
  ['src/execution/steps/planted.ts', 'src/execution/view/view.ts', 'inside-execution-steps'],
  ['src/execution/view/planted.ts', 'src/execution/sources/index.ts', 'inside-execution-view'],
  ['src/execution/sources/planted.ts', 'src/execution/steps/call.ts', 'inside-execution-sources'],
  ['src/execution/planted/file.ts', 'src/execution/wire.ts', 'unlisted-folder-execution'],
  [
    'src/language/check/model/planted.ts',
    'src/language/check/values/values.ts',
    'inside-language-check-model',
  ],
  [
    'src/language/check/values/planted.ts',
    'src/language/check/rules/index.ts',
    'inside-language-check-values',
  ],
  ['src/language/check/rules/planted.ts', 'src/language/check/rows/steps.ts', 'inside-language-check-rules'],
  ['src/language/check/rows/planted.ts', 'src/language/check/planted/file.ts', 'inside-language-check-rows'],
  ['src/language/check/planted/file.ts', 'src/base/suggest.ts', 'unlisted-folder-language-check'],
  [
    'src/catalog/readers/document/planted.ts',
    'src/catalog/readers/plasm/read.ts',
    'inside-catalog-readers-document',
  ],
  [
    'src/catalog/readers/plasm/planted.ts',
    'src/catalog/readers/planted/file.ts',
    'inside-catalog-readers-plasm',
  ],
  [
    'src/catalog/readers/graphql/planted.ts',
    'src/catalog/readers/plasm/read.ts',
    'inside-catalog-readers-graphql',
  ],
  [
    'src/catalog/readers/openapi/planted.ts',
    'src/catalog/readers/plasm/read.ts',
    'inside-catalog-readers-openapi',
  ],
  [
    'src/catalog/readers/json-schema/planted.ts',
    'src/catalog/readers/mcp/words.ts',
    'inside-catalog-readers-json-schema',
  ],
  ['src/catalog/readers/mcp/planted.ts', 'src/catalog/readers/plasm/read.ts', 'inside-catalog-readers-mcp'],
  ['src/catalog/readers/planted/file.ts', 'src/base/suggest.ts', 'unlisted-folder-catalog-readers'],
  // Packages
  ['src/language/plan/planted.ts', 'zod', 'package-zod'],
  ['src/session/planted.ts', 'lru-cache', 'package-lru-cache'],
  ['src/catalog/planted.ts', 'xxhash-wasm', 'package-xxhash-wasm'],
  ['src/surfaces/mcp/planted.ts', 'hono', 'package-hono'],
  ['src/surfaces/mcp/planted.ts', '@hono/node-server', 'package-at-hono'],
  ['src/surfaces/http/planted.ts', '@modelcontextprotocol/server', 'package-at-modelcontextprotocol'],
  ['src/surfaces/mcp/planted.ts', '@agentclientprotocol/sdk', 'package-at-agentclientprotocol'],
  ['src/engine/planted.ts', 'jsonc-parser', 'package-jsonc-parser'],
  ['src/config/planted.ts', 'smol-toml', 'package-smol-toml'],
  ['src/engine/planted.ts', 'libsql', 'package-libsql'],
  ['src/adapters/stores/sqlite/planted.ts', '@redis/client', 'package-at-redis-client'],
  ['src/engine/planted.ts', 'yaml', 'package-yaml'],
  ['src/engine/planted.ts', 'undici', 'package-undici'],
  ['src/execution/planted.ts', 'viem', 'package-viem'],
  ['src/engine/planted.ts', 'minijinja-js', 'package-minijinja-js'],
  ['src/engine/planted.ts', 'jose', 'package-jose'],
  ['src/app/planted.ts', 'aws4fetch', 'package-aws4fetch'],
  ['src/execution/planted.ts', 'graphql', 'package-graphql'],
  ['src/engine/planted.ts', 'pino', 'package-pino'],
  ['src/engine/planted.ts', 'prom-client', 'package-prom-client'],
  ['src/engine/planted.ts', '@opentelemetry/api', 'package-at-opentelemetry'],
  ['src/engine/planted.ts', 'lossless-json', 'package-lossless-json'],
  ['src/engine/planted.ts', 'jsonpath-rfc9535', 'package-jsonpath-rfc9535'],
  ['src/config/planted.ts', 'gpt-tokenizer', 'unlisted-package'],
  ['src/config/planted.ts', 'knip', 'no-dev-package'],
  // All files
  ['src/engine/planted.ts', 'node:fs', 'pure-rooms'],
  ['src/discovery/planted.ts', 'node:timers/promises', 'pure-rooms'],
  ['src/config/circle.ts', 'src/config/ring.ts', 'no-circular'],
  ['src/config/planted.ts', 'src/config/missing.ts', 'unresolvable'],
  ['src/config/planted.ts', 'test/helper.ts', 'no-test-from-src'],
  ['src/lonely.ts', '', 'no-orphans'],
]

const copy = mkdtempSync(join(tmpdir(), 'plasmid-rooms-'))
afterAll(() => rmSync(copy, { recursive: true }))

const { violations } = plant().summary

/** The violations in a copy of `src` with every forbidden import. */
function plant(): ReturnType<typeof cruise> {
  for (const path of ['src', '.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    cpSync(path, join(copy, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  add('test/helper.ts', 'export const helper = 1\n')
  add('src/config/ring.ts', lineOf('src/config/ring.ts', 'src/config/circle.ts'))
  for (const [file, imported] of FORBIDDEN) add(file, lineOf(file, imported))
  return cruise(copy)
}

function add(file: string, text: string): void {
  mkdirSync(join(copy, dirname(file)), { recursive: true })
  writeFileSync(join(copy, file), text, { flag: 'a' })
}

/** Type-only imports between files: the rules count them as well. */
function lineOf(file: string, imported: string): string {
  if (imported === '') return 'export const lonely = 1\n'
  if (!imported.includes('.ts')) return `import '${imported}'\n`
  const up = '../'.repeat(file.split('/').length - 1)
  return `import type * as planted from '${up}${imported}'\n`
}

test.each(FORBIDDEN)('%s may not import %s: %s', (file, imported, rule) => {
  const target = imported.replace(/^node:/, '')
  const caught = violations.filter(({ from, to }) => from === file && to.includes(target))
  expect(caught.map((violation) => violation.rule.name)).toContain(rule)
})

test('every rule is proven', () => {
  const { forbidden }: { forbidden: readonly { readonly name: string }[] } = createRequire(import.meta.url)(
    '../.dependency-cruiser.cjs',
  )
  const proven = new Set(FORBIDDEN.map(([, , rule]) => rule))
  expect(forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
})
