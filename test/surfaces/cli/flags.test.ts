import { expect, test } from 'vitest'
import { COMMON_FLAGS, readFlags, type Flag } from '../../../src/surfaces/cli/flags.ts'

const FLAGS: Record<string, Flag> = {
  ref: { value: 'REF', required: true, description: '' },
  seed: { value: 'SEED', repeatable: true, description: '' },
  file: { value: 'PATH', short: 'f', description: '' },
  ...COMMON_FLAGS,
}
const read = (...args: string[]) => readFlags('run', args, FLAGS, [{ name: 'program', description: '' }])
const problems = (...args: string[]) => {
  const given = read(...args)
  return given.ok ? [] : given.problems.map(({ code, message, next }) => `${code}: ${message} ${next}`)
}

test('reads values, repeated flags, switches and arguments', () => {
  const given = read('--ref', 's0', '--seed=a:B', '--seed', 'c:D', '-f', '-', '--json', 'e1')
  if (!given.ok) throw new Error('refused')
  const { text, texts, on, positionals } = given.value
  expect([text('ref'), texts('seed'), text('file'), on('json'), on('help'), positionals]).toEqual([
    's0',
    ['a:B', 'c:D'],
    '-',
    true,
    false,
    ['e1'],
  ])
})

test('takes everything behind -- as it is', () => {
  const given = read('--ref', 's0', '--', '--json')
  expect(given.ok && given.value.positionals).toEqual(['--json'])
})

test('names an unknown flag and the nearest', () => {
  expect(problems('--ref', 's0', '--sed', 'x')).toEqual([
    'unknown_flag: `plasmid run` has no flag `--sed`. Did you mean `--seed`?',
  ])
  expect(problems('--ref', 's0', '--constructor')).toEqual([
    'unknown_flag: `plasmid run` has no flag `--constructor`. Run `plasmid run --help` for its flags.',
  ])
})

test('names every other mistake at once', () => {
  expect(problems('--json=yes', 'a', 'b', '--seed')).toEqual([
    'unexpected_value: `--json` takes no value. Write `--json` alone.',
    'missing_value: `--seed` needs a value. Write `--seed SEED`.',
    'missing_operand: `plasmid run` needs --ref REF. Run `plasmid run --help` for its usage.',
    'too_many_arguments: `plasmid run` takes at most 1 arguments, got 2. Quote arguments that contain spaces.',
  ])
})

test('asks nothing of who asks for help', () => {
  expect(read('--help').ok).toBe(true)
})
