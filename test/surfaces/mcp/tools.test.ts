import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { GRAMMAR } from '../../../src/engine/index.ts'
import { INSTRUCTIONS, TOOLS } from '../../../src/surfaces/mcp/tools.ts'

test('lists four tools in a fixed order', () => {
  expect(TOOLS.map(({ name, annotations }) => [name, annotations])).toEqual([
    ['plasm_context', { readOnlyHint: false, destructiveHint: false, idempotentHint: true }],
    ['discover_capabilities', { readOnlyHint: true }],
    ['plasm', { readOnlyHint: true }],
    ['plasm_run', { readOnlyHint: false }],
  ])
})

test('costs at most 1,100 tokens in all', () => {
  expect(encode(JSON.stringify({ tools: TOOLS })).length).toBeLessThanOrEqual(1100)
})

test('the grammar has at most 1,400 characters', () => {
  expect(GRAMMAR.length).toBeLessThanOrEqual(1400)
})

test('teaches the grammar where plans are made', () => {
  expect(TOOLS.filter(({ description }) => description.includes(GRAMMAR)).map(({ name }) => name)).toEqual([
    'plasm',
  ])
})

test('contains what a host must know', () => {
  const context = TOOLS[0]?.description ?? ''
  for (const word of ['intent', 'seeds', '`have`', '"none"', 'use `plasm`', 'expire', '30 days'])
    expect(context).toContain(word)
  expect(INSTRUCTIONS.length).toBeLessThan(200)
})

test('asks for arguments in the order of the contract', () => {
  const inputs = TOOLS.map(({ inputSchema }) => [
    Object.keys(inputSchema['properties'] ?? {}),
    inputSchema['required'],
    inputSchema['additionalProperties'],
  ])
  expect(inputs).toEqual([
    [['intent', 'logical_session_ref', 'seeds', 'have', 'fork_of', 'workspace'], undefined, undefined],
    [['intent', 'typed', 'max_options', 'allowed_entry_ids', 'workspace'], ['intent'], undefined],
    [
      ['logical_session_ref', 'program', 'reasoning', 'workspace'],
      ['logical_session_ref', 'program'],
      undefined,
    ],
    [
      ['logical_session_ref', 'program', 'reasoning', 'workspace', 'plan'],
      ['logical_session_ref', 'program'],
      undefined,
    ],
  ])
})
