import { expect, test } from 'vitest'
import { readRoots } from '../../../src/surfaces/acp/roots.ts'

test('`..` of a directory is resolved once, for everything that the session does with it', () => {
  expect(readRoots({ cwd: '/narrow/x/../y' })).toMatchObject({ ok: true, value: { cwd: '/narrow/y' } })
})

test.each(['/a\nb', '/tmp ', 'a/..', '/a\u0000'])(
  'the directory %j names no workspace and is refused',
  (cwd) => {
    expect(readRoots({ cwd })).toMatchObject({ ok: false, problems: [{ code: 'path_relative' }] })
  },
)
