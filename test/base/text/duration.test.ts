import { expect, test } from 'vitest'
import { durationText } from '../../../src/base/text/duration.ts'

test.each([
  [600_000, '10 minutes'],
  [3_600_000, '1 hour'],
  [90_000, '90 seconds'],
  [86_400_000, '1 day'],
  [5_400_000, '90 minutes'],
])('writes %d ms as %s', (ms, text) => expect(durationText(ms)).toBe(text))
