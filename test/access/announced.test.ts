import { expect, test } from 'vitest'
import { announcedOver, readAnnounced } from '../../src/access/announced.ts'

test.each([
  [{ orbit: { workspace: '/w' } }],
  [{ 'orbit.workspace': '/w' }],
  [{ plasmid: { workspace: ' /w ' } }],
  [{ 'plasmid.workspace': '/w', other: 1 }],
  [{ orbit: { workspace: '' }, 'orbit.workspace': '/w' }],
])('O1, O2: %j announces a workspace', (meta) => {
  expect(readAnnounced(meta)).toEqual({ workspace: '/w' })
})

test.each([
  undefined,
  null,
  {},
  'orbit',
  { orbit: null },
  { orbit: '/w' },
  { orbit: { workspace: '' } },
  { orbit: { workspace: '   ' } },
  { orbit: { workspace: 7 } },
  { orbit: { workspace: ['/w'] } },
  { 'orbit.workspace': { path: '/w' } },
  { __proto__: { orbit: { workspace: '/w' } } },
])('O3: %j announces nothing', (meta) => {
  expect(readAnnounced(meta)).toEqual({})
})

test('O2: of two different spellings the nested one is used', () => {
  const meta = { orbit: { workspace: '/nested' }, 'orbit.workspace': '/dotted' }
  expect(readAnnounced(meta)).toEqual({ workspace: '/nested', otherWorkspace: '/dotted' })
})

test('a request announces over its connection', () => {
  expect(announcedOver({ workspace: '/request' }, { workspace: '/connection' })).toEqual({
    workspace: '/request',
  })
  expect(announcedOver({}, { workspace: '/connection' })).toEqual({ workspace: '/connection' })
})

test.each([
  [{ threadId: 't1' }, 'threadId:t1'],
  [{ 'vscode.conversationId': 'c1', 'vscode.requestId': 'r1' }, 'vscode.conversationId:c1'],
  [{ sessionID: 'ses_1' }, 'sessionID:ses_1'],
  [{ 'ai.opencode/sessionID': 'ses_1' }, 'ai.opencode/sessionID:ses_1'],
])('%j names a conversation', (meta, conversation) => {
  expect(readAnnounced(meta)).toEqual({ conversation })
})

test.each([
  { 'claudecode/toolUseId': 'call' },
  { 'vscode.requestId': 'turn' },
  { threadId: 7 },
  { threadId: '' },
  { threadId: 'x'.repeat(201) },
  { traceparent: '00-a-b-01' },
])('%j names none', (meta) => {
  expect(readAnnounced(meta)).toEqual({})
})
