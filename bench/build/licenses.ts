import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licenses of the packages that these modules are from, as a text. Modules of no package are left out. */
export function licensesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders)].toSorted().map(licenseOf).join('\n')
}

function licenseOf(folder: string): string {
  const manifest: Readonly<Record<'name' | 'version' | 'license', string>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const title = `${manifest.name} ${manifest.version} (${manifest.license})`
  const texts = readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|notice)(?:\.|$)/i.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trimEnd())
  return [title, '='.repeat(title.length), ...texts, ''].join('\n')
}
