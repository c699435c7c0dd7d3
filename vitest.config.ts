import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Many tests drive real processes: on a busy machine one of them may be starved once.
    retry: process.env['CI'] ? 1 : 0,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'coverage/report.json' }]]
      : ['default'],
  },
})
