import type { ListedCatalog } from '../../dependencies.ts'

/** Every address that calls of the catalog go to: `https://api.example, https://upload.example`. */
export function serversOf({ server, other_servers: others = [] }: ListedCatalog): string {
  return [server, ...others].join(', ')
}
