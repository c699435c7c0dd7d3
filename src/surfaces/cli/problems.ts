import { oneOf, type Problem, problemsOf } from '../../base/diagnostic.ts'
import { problem as settingProblem } from '../../config/problems.ts'

/** Problems of a command line. */
export const cliProblem = problemsOf({
  unknown_command: {
    message: ({ name }: { name: string }) => `There is no command \`${name}\`.`,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Run `plasmid --help` for the commands.',
  },
  incomplete_command: {
    message: ({ name }: { name: string }) => `\`plasmid ${name}\` needs a subcommand.`,
    next: ({ whole }: { whole: readonly string[] }) => `Use ${oneOf(whole.map((one) => `plasmid ${one}`))}.`,
  },
  unknown_flag: {
    message: ({ flag, command }: { flag: string; command: string }) =>
      `\`plasmid ${command}\` has no flag \`${flag}\`.`,
    next: ({ similar, command }: { similar: readonly string[]; command: string }) =>
      similar.length > 0
        ? `Did you mean ${oneOf(similar)}?`
        : `Run \`plasmid ${command} --help\` for its flags.`,
  },
  missing_value: {
    message: ({ flag }: { flag: string }) => `\`${flag}\` needs a value.`,
    next: ({ flag, hint }: { flag: string; hint: string }) => `Write \`${flag} ${hint}\`.`,
  },
  unexpected_value: {
    message: ({ flag }: { flag: string }) => `\`${flag}\` takes no value.`,
    next: ({ flag }: { flag: string }) => `Write \`${flag}\` alone.`,
  },
  missing_operand: {
    message: ({ name, command }: { name: string; command: string }) =>
      `\`plasmid ${command}\` needs ${name}.`,
    next: ({ command }: { command: string }) => `Run \`plasmid ${command} --help\` for its usage.`,
  },
  too_many_arguments: {
    message: ({ command, most, actual }: { command: string; most: number; actual: number }) =>
      `\`plasmid ${command}\` takes at most ${most} arguments, got ${actual}.`,
    next: () => 'Quote arguments that contain spaces.',
  },
  given_twice: {
    message: ({ what, flag }: { what: string; flag: string }) =>
      `The ${what} is given twice: as an argument and with ${flag}.`,
    next: () => 'Give only one of the two.',
  },
  unreadable_file: {
    message: ({ path, reason }: { path: string; reason: string }) => `Cannot read \`${path}\`: ${reason}.`,
    next: () => 'Correct the path.',
  },
  cannot_listen: {
    message: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
      `Cannot listen on ${host}:${port}: ${reason}.`,
    next: () => 'Choose another address with --port (0 picks a free port) or --host.',
  },
})

/** A flag or an argument whose value has the wrong form, as a setting that a flag gives. */
export function badValue(flag: string, wanted: string, actual: string): Problem {
  return settingProblem('bad_value', { flag, reason: `must be ${wanted}, got \`${actual}\`` })
}
