import { defineConfig } from 'vitest/config'

const isNight = process.env['PLASMID_NIGHTLY'] !== undefined

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Minutes of starting and killing servers. `npm run nightly` has them; test/surfaces shows each of these claims once.
    exclude: isNight ? [] : ['test/nightly/**'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Files share a worker: loading the modules anew for each file costs more than most files' tests.
    isolate: false,
    maxWorkers: '100%',
    globalSetup: 'test/nightly/limit.ts',
    setupFiles: 'test/end-with-parent.ts',
    // Polling returns as soon as the condition holds; the timeout is for a busy machine.
    expect: { poll: { timeout: 10_000, interval: 20 } },
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'coverage/report.json' }]]
      : ['default'],
  },
})
