import { join } from 'node:path'
import { loginFiles } from '../adapters/wire/credentials/logins.ts'
import type { Config } from '../config/read.ts'

/** The folder of what `plasmid auth login` keeps. */
export function loginsOf({ dataDir }: Pick<Config, 'dataDir'>) {
  return loginFiles(join(dataDir, 'logins'))
}
