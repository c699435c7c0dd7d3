import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The built demo, as `npm run demo` runs it: its own claims are the test. */
test('the claims of the demo hold', { timeout: 60_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/test/demo/main.js'], {
    encoding: 'utf8',
  })
  const told: unknown = expect.stringContaining('All claims hold')
  expect({ status, stderr, stdout }).toEqual({ status: 0, stderr: '', stdout: told })
})
