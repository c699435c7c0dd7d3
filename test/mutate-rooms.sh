#!/usr/bin/env bash
# Proves that the import rules bite: plants one forbidden import at a time in a copy of the sources and expects the rule
# that forbids it. About a minute. Run anywhere; exits with the number of rules that slept.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cd "$copy" || exit 1
cp -r "$here"/{src,.dependency-cruiser.cjs,tsconfig.json,package.json} .
mkdir test && touch test/helper.ts
ln -s "$here/node_modules" node_modules

check() { node_modules/.bin/depcruise src --config .dependency-cruiser.cjs 2>&1; }
before=$(check | grep -oE 'error [a-z-]+: .*' | sort)

missed=0
planted=0
while IFS='|' read -r file line rule; do
  [ -n "$file" ] || continue
  planted=$((planted + 1))
  existed=no
  [ -f "$file" ] && existed=yes && cp "$file" saved
  mkdir -p "$(dirname "$file")"
  printf '%s\n' "$line" >>"$file"
  # Only what is new counts: a violation that was there before proves nothing.
  new=$(comm -13 <(echo "$before") <(check | grep -oE 'error [a-z-]+: .*' | sort))
  if grep -q "^error $rule: " <<<"$new"; then
    echo "caught  $rule <- $file"
  else
    missed=$((missed + 1))
    echo "MISSED  $rule <- $file"
    [ -n "$new" ] && echo "        instead: $new"
  fi
  if [ "$existed" = yes ]; then mv saved "$file"; else rm "$file"; fi
done <<'M'
src/base/clock.ts|import type { Catalog } from '../catalog/model.ts'; export type C = Catalog|room-base
src/catalog/model.ts|import type { SymbolSpace } from '../session/exposure.ts'; export type S = SymbolSpace|room-catalog
src/access/caller.ts|import type { SessionRecord } from '../session/record.ts'; export type S = SessionRecord|room-access
src/discovery/rank.ts|import type { SessionRecord } from '../session/record.ts'; export type S = SessionRecord|room-discovery
src/session/record.ts|import type { Caller } from '../access/caller.ts'; export type C = Caller|room-session
src/language/syntax/tree.ts|import type { Catalog } from '../../catalog/model.ts'; export type C = Catalog|room-language-syntax
src/language/check/model/scope.ts|import type { Plan } from '../../plan/plan.ts'; export type P = Plan|room-language-check
src/language/plan/plan.ts|import type { Wire } from '../../execution/wire.ts'; export type W = Wire|room-language-plan
src/teaching/planted.ts|import type { Plan } from '../language/plan/plan.ts'; export type P = Plan|room-teaching
src/execution/executor.ts|import type { SessionStore } from '../session/store.ts'; export type S = SessionStore|room-execution
src/adapters/stores/memory.ts|import type { Gateway } from '../../engine/contract.ts'; export type G = Gateway|room-adapters-stores
src/adapters/stores/memory.ts|import { addressOf } from '../../session/identity.ts'; export const a = addressOf|room-adapters-stores
src/adapters/wire/planted.ts|import type { Store } from '../../engine/store.ts'; export type S = Store|room-adapters-wire
src/adapters/catalogs/planted.ts|import type { Wire } from '../../execution/wire.ts'; export type W = Wire|room-adapters-catalogs
src/adapters/auth/planted.ts|import { addressOf } from '../../session/identity.ts'; export const a = addressOf|room-adapters-auth
src/surfaces/mcp/planted.ts|import { addressOf } from '../../session/identity.ts'; export const a = addressOf|room-surfaces-mcp
src/surfaces/mcp/planted.ts|import type { Gateway } from '../../engine/contract.ts'; export type G = Gateway|room-surfaces-mcp
src/surfaces/http/planted.ts|import type { Program } from '../../language/syntax/tree.ts'; export type P = Program|room-surfaces-http
src/surfaces/http/planted.ts|import * as mcp from '../mcp/planted.ts'; export const m = mcp|unresolvable
src/surfaces/bodies/planted.ts|import { answer } from '../http/answer.ts'; export const a = answer|room-surfaces-bodies
src/surfaces/cli/planted.ts|import type { SessionStore } from '../../session/store.ts'; export type S = SessionStore|room-surfaces-cli
src/engine/contract.ts|import * as memory from '../adapters/stores/memory.ts'; export const m = memory|room-engine
src/engine/contract.ts|import { readFileSync } from 'node:fs'; export const r = readFileSync|pure-rooms
src/discovery/rank.ts|import { setTimeout } from 'node:timers/promises'; export const s = setTimeout|pure-rooms
src/session/identity.ts|import { LRUCache } from 'lru-cache'; export const l = LRUCache|package-lru-cache
src/language/plan/plan.ts|import { z } from 'zod'; export const x = z|package-zod
src/session/record.ts|import MiniSearch from 'minisearch'; export const m = MiniSearch|package-minisearch
src/surfaces/acp/planted.ts|import { Hono } from 'hono'; export const h = Hono|package-hono
src/engine/contract.ts|import { request } from 'undici'; export const r = request|package-undici
src/config/read.ts|import { knip } from 'knip'; export const k = knip|no-dev-package
src/utils/misc.ts|import { nearest } from '../base/suggest.ts'; export const n = nearest|unlisted-room-speaks
src/config/read.ts|import * as misc from '../utils/misc.ts'; export const m = misc|unresolvable
src/execution/wire.ts|import type { World } from './executor.ts'; export type W = World|no-circular
src/config/read.ts|import type { Plan } from '../language/plan/plan.ts'; export type P = Plan|room-config
src/app/planted.ts|import type { Plan } from '../language/plan/plan.ts'; export type P = Plan|room-app
src/engine/context/context.ts|import type { EffectBound } from '../effects/effects.ts'; export type E = EffectBound|inside-engine-context
src/engine/session/touch.ts|import type { EffectBound } from '../effects/effects.ts'; export type E = EffectBound|inside-engine-session
src/execution/read/reading.ts|import { sources } from '../sources/index.ts'; export const s = sources|inside-execution-read
src/execution/http/paging.ts|import { compare } from '../read/compare.ts'; export const c = compare|inside-execution-http
src/language/check/model/scope.ts|import { checkValue } from '../values/values.ts'; export const c = checkValue|inside-language-check-model
src/catalog/readers/document/tree.ts|import { readPlasm } from '../plasm/read.ts'; export const r = readPlasm|inside-catalog-readers-document
src/engine/misc/planted.ts|import type { Parts } from '../parts.ts'; export type P = Parts|unlisted-folder-engine
src/lonely.ts|export const lonely = 1|no-orphans
src/config/read.ts|import * as helper from '../../test/helper.ts'; export const h = helper|no-test-from-src
M
echo "$((planted - missed)) of $planted caught"
exit "$missed"
