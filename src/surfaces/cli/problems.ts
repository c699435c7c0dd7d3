import { oneOf, problemsOf } from '../../base/diagnostic.ts'

/** What a command line can get wrong. */
export const cliProblem = problemsOf({
  unknown_command: {
    message: ({ name }: { name: string }) => `there is no command \`${name}\``,
    next: ({ similar }: { similar: readonly string[] }) =>
      similar.length > 0 ? `Did you mean ${oneOf(similar)}?` : 'Run `plasmid --help` for the commands',
  },
  incomplete_command: {
    message: ({ name }: { name: string }) => `\`plasmid ${name}\` is half a command`,
    next: ({ whole }: { whole: readonly string[] }) => `Write ${oneOf(whole.map((one) => `plasmid ${one}`))}`,
  },
  unknown_flag: {
    message: ({ flag, command }: { flag: string; command: string }) =>
      `\`plasmid ${command}\` has no flag \`${flag}\``,
    next: ({ similar, command }: { similar: readonly string[]; command: string }) =>
      similar.length > 0
        ? `Did you mean ${oneOf(similar)}?`
        : `Run \`plasmid ${command} --help\` for its flags`,
  },
  missing_value: {
    message: ({ flag }: { flag: string }) => `\`${flag}\` needs a value`,
    next: ({ flag, hint }: { flag: string; hint: string }) => `Write \`${flag} ${hint}\``,
  },
  unexpected_value: {
    message: ({ flag }: { flag: string }) => `\`${flag}\` takes no value`,
    next: ({ flag }: { flag: string }) => `Write \`${flag}\` alone`,
  },
  missing_argument: {
    message: ({ name, command }: { name: string; command: string }) => `\`plasmid ${command}\` needs ${name}`,
    next: ({ command }: { command: string }) => `Run \`plasmid ${command} --help\` for an overview`,
  },
  too_many_arguments: {
    message: ({ command, most, actual }: { command: string; most: number; actual: number }) =>
      `\`plasmid ${command}\` takes at most ${most} arguments: ${actual} are given`,
    next: () => 'Quote an argument that holds spaces',
  },
  bad_value: {
    message: ({ flag, wanted, actual }: { flag: string; wanted: string; actual: string }) =>
      `\`${flag}\` must be ${wanted}: it is \`${actual}\``,
    next: ({ flag }: { flag: string }) => `Correct \`${flag}\``,
  },
  two_programs: {
    message: () => 'the program is given twice: as an argument and by --file',
    next: () => 'Give only one of the two',
  },
  unreadable_file: {
    message: ({ path, reason }: { path: string; reason: string }) => `cannot read \`${path}\`: ${reason}`,
    next: () => 'Correct the path',
  },
  cannot_listen: {
    message: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
      `cannot listen on ${host}:${port}: ${reason}`,
    next: () => 'Choose another with --port (0: any that is free) or --host',
  },
})
