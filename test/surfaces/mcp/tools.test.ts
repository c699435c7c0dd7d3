import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { GRAMMAR } from '../../../src/engine/index.ts'
import { INSTRUCTIONS, TOOLS } from '../../../src/surfaces/mcp/tools.ts'

test('lists four tools in a fixed order', () => {
  expect(
    TOOLS.map(({ name, annotations }) => [name, annotations.readOnlyHint, annotations.openWorldHint]),
  ).toEqual([
    ['plasm_context', false, true],
    ['discover_capabilities', true, true],
    ['plasm', true, true],
    ['plasm_run', false, true],
  ])
})

test('costs less than 1,500 tokens in all', () => {
  expect(encode(JSON.stringify(TOOLS)).length).toBeLessThan(1500)
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
