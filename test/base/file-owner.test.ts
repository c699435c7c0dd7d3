import { expect, test } from 'vitest'
import { whyOthersCanWrite } from '../../src/base/file-owner.ts'

const us = { uid: 1000, gid: 1000 }
const ours = { ...us, mode: 0o100644 }

test.each([
  ['our own file', ours],
  ['a file of root', { uid: 0, gid: 0, mode: 0o644 }],
  ['a file that our own group can write', { ...ours, mode: 0o664 }],
])('trusts %s', (_, file) => expect(whyOthersCanWrite(file, us)).toBeUndefined())

test.each([
  ['another user', { ...ours, uid: 1001 }, 'another user (uid 1001) owns it'],
  [
    'everyone',
    { ...ours, mode: 0o646 },
    'other users can write it (mode 0646): remove that right with `chmod go-w`',
  ],
  [
    'another group',
    { ...ours, gid: 100, mode: 0o664 },
    'other users can write it (mode 0664): remove that right with `chmod go-w`',
  ],
])('distrusts a file that %s can change', (_, file, why) => expect(whyOthersCanWrite(file, us)).toBe(why))
