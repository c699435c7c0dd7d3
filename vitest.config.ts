import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isNight = process.env['PLASMID_NIGHTLY'] !== undefined

/** Files that replace a module by `vi.mock`: each needs its modules loaded anew, and a worker that it leaves behind. */
const MOCKING = ['test/adapters/auth/compare.test.ts', 'test/engine/isolation.test.ts']

/** Tests run the sources, but Node starts a thread only from JavaScript: threads come from the last build. */
const builtThreads = {
  name: 'built-threads',
  // Before the compiler changes the quotes.
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.includes('/src/')
      ? code.replaceAll(
          /new URL\('(\.\/[\w-]+\.js)', import\.meta\.url\)/g,
          (_, file: string) => `new URL('${file}', ${JSON.stringify(builtUrl(id))})`,
        )
      : undefined,
}

function builtUrl(source: string): string {
  return pathToFileURL(source.replace(/\/src\/(?!.*\/src\/)/, '/dist/src/')).href
}

/** Folders of tests that start processes and wait for them. */
const WAITING = /\/test\/(?:hostile|surfaces|demo|real-apis|laws)\//

/** Files that take long come first: a worker that began with one at the end would let the others wait. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)))
  }
}

function isWaiting({ moduleId }: TestSpecification): boolean {
  return WAITING.test(moduleId)
}

const common = {
  testTimeout: 20_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
  setupFiles: ['test/end-with-parent.ts', 'test/seeded.ts'],
  // Polling returns as soon as the condition holds; the timeout is for a busy machine.
  expect: { poll: { timeout: 10_000, interval: 20 } },
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [builtThreads],
        test: {
          ...common,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          // test/nightly is minutes of starting and killing servers. `npm run nightly` has it; test/surfaces and test/engine
          // show each of its claims once.
          exclude: ['**/node_modules/**', ...MOCKING, ...(isNight ? [] : ['test/nightly/**'])],
          globalSetup: ['test/temporary-folder.ts', 'test/nightly/limit.ts'],
          // Files share a worker: loading the modules anew for each file costs more than most files' tests.
          isolate: false,
        },
      },
      { test: { ...common, name: 'mocking', include: MOCKING } },
    ],
    // A worker that waits for a process leaves its core to another.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'coverage/report.json' }]]
      : ['default'],
  },
})
