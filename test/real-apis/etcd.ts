import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { freePort } from '../free-port.ts'
import { type ApiProcess, folderFor, startApi, whyNot } from './api-process.ts'

/** The server does not serve its document; its package holds it. */
const DOCUMENT = '/usr/share/doc/etcd-server/dev-guide/apispec/swagger/rpc.swagger.json.gz'

export const whyNoEtcd = whyNot('etcd-server, with its documentation', 'etcd', [DOCUMENT])

/** A key-value store, whose calls its gateway takes as JSON. The document is `rpc.swagger.json` in its folder. */
export async function startEtcd(): Promise<ApiProcess> {
  const [folder, clients, peers] = [folderFor('etcd'), await freePort(), await freePort()]
  writeFileSync(join(folder, 'rpc.swagger.json'), gunzipSync(readFileSync(DOCUMENT)))
  const [url, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  const flags = [
    ['data-dir', join(folder, 'data')], ['listen-client-urls', url], ['advertise-client-urls', url],
    ['listen-peer-urls', peer], ['initial-advertise-peer-urls', peer], ['initial-cluster', `default=${peer}`],
  ].flatMap(([name, value]) => [`--${name}`, value ?? '']) // prettier-ignore
  return startApi(['etcd', ...flags], { url, folder })
}
