import { StoreError, storeProblem, type StoreProblem } from '../problems.ts'
import type { Link } from './link.ts'

/** The oldest version with functions. */
const OLDEST = 7

/** Refuses a server whose settings would lose or evict sessions; returns warnings for its operator. */
export async function inspectServer(link: Link): Promise<readonly StoreProblem[]> {
  const info = readInfo(String(await link.send(['INFO'])))
  const { server } = link
  const refuse = (detail: string, remedy: string): never => {
    throw new StoreError(storeProblem('store_unfit', { server, detail, remedy }))
  }
  const version = info.get('redis_version') ?? ''
  if (Number.parseInt(version, 10) < OLDEST)
    refuse(`version ${version} has no functions`, `Use Redis ${OLDEST} or newer`)
  if (info.get('role') !== 'master') refuse('it is a replica, which returns stale data', 'Use the primary')
  if (info.get('cluster_enabled') === '1')
    refuse('it is a node of a Redis Cluster', 'Use a Redis server that is not part of a cluster')
  const policy = info.get('maxmemory_policy') ?? ''
  if (policy !== 'noeviction')
    refuse(
      `maxmemory-policy must be noeviction, got ${policy}`,
      'Set maxmemory-policy noeviction on the Redis server',
    )
  return info.get('aof_enabled') === '1' ? [] : [storeProblem('store_forgetful', { server })]
}

function readInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'))
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const),
  )
}
