import { expect, test } from 'vitest'
import { isSameGoal } from '../../../src/engine/context/same-goal.ts'

const SHARED = ['hub:Issue', 'hub:PullRequest']

test.each([
  ['Triage the login crash reported by Acme', 'Look into the login crash at Acme'],
  ['list open issues about dark mode on mobile', 'Show me mobile issues on dark mode'],
  ['compare Pikachu', 'read about pikachu'],
])('%j is %j in other words', (a, b) => {
  expect(isSameGoal(a, b, SHARED)).toBe(true)
  expect(isSameGoal(b, a, SHARED)).toBe(true)
  expect(isSameGoal(a, b, [])).toBe(false)
})

test.each([
  ['list the issues of Ada', 'close the issues of Bob'],
  ['list all pull requests', 'list all issues and pull requests'],
  ['issues about the login crash', 'issues about the broken login page of the shop'],
  ['', ''],
])('%j is another goal than %j', (a, b) => {
  expect(isSameGoal(a, b, SHARED)).toBe(false)
})
