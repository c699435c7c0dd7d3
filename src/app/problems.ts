import { counted } from '../base/text/counted.ts'
import { oneOf, problemsOf } from '../base/diagnostic.ts'

/** Major and minor version. */
export const OLDEST_NODE = [20, 19] as const

/** Findings of `plasmid doctor`, and problems that prevent a start. */
export const appProblem = problemsOf({
  workers_need_store: {
    message: ({ workers }: { workers: number }) =>
      `\`workers: ${workers}\` needs a store that processes share, but each process has its own \`memory\` store.`,
    next: () => 'Choose `--store sqlite` or `--store redis`, or `--workers 1`.',
  },
  runtime_old: {
    message: ({ found }: { found: string }) => `Node ${found} is older than ${OLDEST_NODE.join('.')}.`,
    next: () => `Install Node ${OLDEST_NODE.join('.')} or newer.`,
  },
  data_dir_unusable: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `Cannot use the data directory ${path}: ${reason}.`,
    next: () => 'Correct its permissions, or choose another with --data-dir.',
  },
  data_dir_open: {
    message: ({ path, mode }: { path: string; mode: string }) =>
      `Other users can read the data directory ${path}: its mode is ${mode}.`,
    next: ({ path }: { path: string }) => `Run \`chmod 700 ${path}\`.`,
  },
  layout_old: {
    message: ({ found, known }: { found: number; known: number }) =>
      `The store has schema ${found}; the next start migrates it to ${known}, which older versions cannot write.`,
    next: () => 'Back up the data directory, then start this version.',
  },
  round_trip: {
    message: ({ reason }: { reason: string }) => `The store did not return what was written: ${reason}.`,
    next: () => 'Check the disk or the server of the store.',
  },
  clock_skew: {
    message: ({ ms }: { ms: number }) => `The clocks of this machine and the store differ by ${ms} ms.`,
    next: () => 'Synchronize both machines with NTP; sessions, plans and tokens expire by these clocks.',
  },
  port_serves: {
    message: ({ host, port }: { host: string; port: number }) =>
      `A Plasmid server already listens on ${host}:${port}.`,
    next: () => 'Ignore this if it is the same deployment; otherwise choose another port with --port.',
  },
  protocol_failed: {
    message: ({ reason }: { reason: string }) => `The server does not answer over its protocols: ${reason}.`,
    next: () => 'Report this with the settings that you use.',
  },
  unknown_catalog: {
    message: ({ id }: { id: string; similar: readonly string[] }) => `No catalog \`${id}\` is configured.`,
    next: ({ similar }: { id: string; similar: readonly string[] }) =>
      similar.length > 0
        ? `Did you mean ${oneOf(similar)}?`
        : 'Use an id that `plasmid list` shows; shipped catalogs cannot be removed, and those that are given by path alone are edited by hand.',
  },
  no_login: {
    message: ({ id }: { id: string }) => `The catalog \`${id}\` uses no login.`,
    next: () => 'Set its secrets in the environment; `plasmid doctor` names them.',
  },
  unknown_host: {
    message: ({ host }: { host: string; hosts: readonly string[] }) => `There is no host \`${host}\`.`,
    next: ({ hosts }: { host: string; hosts: readonly string[] }) => `Use ${oneOf(hosts)}.`,
  },
  host_protocol: {
    message: ({ host, protocol }: { host: string; protocol: string; known: readonly string[] }) =>
      `\`${host}\` is not configured by \`${protocol}\` here.`,
    next: ({ known }: { host: string; protocol: string; known: readonly string[] }) =>
      `Use --protocol ${oneOf(known)}, or omit it.`,
  },
  host_file_unreadable: {
    message: ({ file, reason }: { file: string; reason: string }) =>
      `Cannot add an entry to ${file}: ${reason}. The file was not changed.`,
    next: () => 'Run the command again without --write, and paste what it prints.',
  },
  host_entry_differs: {
    message: ({ file, name }: { file: string; name: string }) =>
      `${file} has another entry \`${name}\`. The file was not changed.`,
    next: () => 'Run the command again with --replace (JSON files), or edit the entry by hand.',
  },
  host_file_failed: {
    message: ({ file, reason }: { file: string; reason: string }) => `Cannot write ${file}: ${reason}.`,
    next: () =>
      'Correct the path or its permissions, or run the command without --write and paste what it prints.',
  },
  host_program_missing: {
    message: ({ file, missing }: { host: string; file: string; missing: string }) =>
      `${file} starts Plasmid from ${missing}, which does not exist.`,
    next: ({ host }: { host: string; file: string; missing: string }) =>
      `Run \`plasmid init ${host} --write --replace\`, or correct the path in the file.`,
  },
  catalog_missing: {
    message: ({ path }: { path: string }) => `There is no catalog at ${path}.`,
    next: () => 'Correct the path of `--catalog`, or leave it out.',
  },
  no_catalogs: {
    message: () => 'No catalog is loaded.',
    next: () => 'Add a catalog with --catalog, or omit --no-shipped.',
  },
  secret_unset: {
    message: ({ catalog, secret }: { catalog: string; secret: string }) =>
      `The catalog \`${catalog}\` needs the secret ${secret}, which is not set or cannot be read.`,
    next: () =>
      'Set it where this command runs; `auth` of a catalog holds the name of a variable, never the secret.',
  },
  catalog_exists: {
    message: ({ id }: { id: string }) => `The configuration already has a catalog \`${id}\`.`,
    next: ({ id }: { id: string }) =>
      `Choose another name with --id, read its source again with \`plasmid catalog refresh ${id}\`, or run \`plasmid remove ${id}\` first.`,
  },
  catalog_replaced: {
    message: ({ id }: { id: string }) =>
      `The catalog \`${id}\` was changed or removed while its address was read: nothing was written.`,
    next: () => 'Look at it with `plasmid list`, and run the command again if it is still there.',
  },
  catalog_has_file: {
    message: ({ id, path }: { id: string; path: string }) =>
      `The catalog \`${id}\` was not fetched: it follows the file ${path}.`,
    next: () => 'Change the file: a running server reads it again.',
  },
  server_unlisted: {
    message: ({ name }: { name: string }) =>
      `The MCP server \`${name}\` has not been listed yet: no start has reached it.`,
    next: () => 'Run `plasmid doctor`, which reaches every server and says why one does not answer.',
  },
  config_unwritable: {
    message: ({ file, reason }: { file: string; reason: string }) =>
      `Cannot change the configuration ${file}: ${reason}.`,
    next: () => 'Correct its permissions or its folder, or choose another file with --config.',
  },
  bad_catalog_id: {
    message: ({ id }: { id: string }) => `The id ${JSON.stringify(id)} is not valid.`,
    next: () => 'Use letters, digits, `_`, `.` and `-`, at most 64 characters, beginning with a letter.',
  },
  auth_needs_more: {
    message: ({ scheme }: { scheme: string }) =>
      `The API uses \`${scheme}\`, which needs more than one secret.`,
    next: () => 'Leave out --auth, and write `auth` of the catalog in the configuration.',
  },
  catalog_warnings: {
    message: ({ path, warnings }: { path: string; warnings: number }) =>
      `The catalog ${path} has ${counted(warnings, 'warning')}.`,
    next: ({ path }: { path: string }) => `Read them with \`plasmid catalog check ${path}\`.`,
  },
})
