import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    globalSetup: 'test/nightly/limit.ts',
    setupFiles: 'test/end-with-parent.ts',
    // What is waited for comes at once, but not on a machine that is busy with other things.
    expect: { poll: { timeout: 10_000, interval: 20 } },
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'coverage/report.json' }]]
      : ['default'],
  },
})
