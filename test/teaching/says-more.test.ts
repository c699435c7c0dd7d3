import { expect, test } from 'vitest'
import { isTelling } from '../../src/teaching/says-more.ts'

const entity = { name: 'PullRequest', key: ['id'], fields: [{ name: 'repository' }], relations: [] }

test.each([
  ['A pull request in a repository', false],
  ['GitHub pull requests', false],
  ['A pull request that was merged', true],
  ['List / filter repositories of pull requests', false],
  ['', false],
])('%j adds something to the name and the fields: %j', (description, isMore) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these parts are read
  expect(isTelling({ ...entity, description } as never, 'github')).toBe(isMore)
})
