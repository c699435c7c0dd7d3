import { basename } from 'node:path'
import { readers } from '../../catalog/readers/index.ts'

/** Names of files and words of titles that tell nothing about the API. */
const EMPTY = new Set([
  'openapi', 'swagger', 'api', 'apis', 'docs', 'doc', 'spec', 'schema', 'index', 'v1', 'v2', 'v3', 'json', 'yaml', 'the', 'rest', 'http',
  'https', 'web', 'service', 'services', 'public', 'reference', 'documentation', 'authoritative', 'server', 'version', 'specification', 'main', 'www',
]) // prettier-ignore
const MAX_WORDS = 3

/** A readable id for a catalog: from the name of its file, else from the title of its document, else from its host. */
export function idFor(source: string, title: string | undefined): string {
  const isUrl = /^https?:\/\//i.test(source)
  const file = isUrl ? '' : basename(source)
  const reader = readers.find(({ isFile }) => isFile(file))
  const host = isUrl ? new URL(source).hostname.split('.').slice(0, -1).toReversed() : []
  const candidates = [reader?.idOf(file) ?? file, title ?? '', ...host, 'api']
  return candidates.map(slug).find((id) => id !== '') ?? 'api'
}

function slug(text: string): string {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !EMPTY.has(word) && !/^v?\d+$/.test(word))
  const id = words.slice(0, MAX_WORDS).join('-')
  return /^[a-z]/.test(id) ? id.slice(0, 64) : ''
}
