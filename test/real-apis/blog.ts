import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { type ApiProcess, folderFor, startApi } from './api-process.ts'

const PROGRAM = join(
  createRequire(import.meta.url).resolve('json-graphql-server/node'),
  '../../bin/json-graphql-server.cjs',
)

const DATA = {
  authors: [
    { id: 1, name: 'Ada', domain: 'ada.example.' },
    { id: 2, name: 'Bob', domain: 'bob.example.' },
  ],
  posts: Array.from({ length: 7 }, (_, index) => ({
    id: index + 1,
    title: `Post ${index + 1}`,
    views: 10 * (index + 1),
    author_id: 1 + (index % 2),
  })),
}

/** A GraphQL server over a file of data, with a schema that it makes of the data. */
export async function startBlog(): Promise<ApiProcess> {
  const [folder, port] = [folderFor('blog'), await freePort()]
  const file = join(folder, 'data.json')
  writeFileSync(file, JSON.stringify(DATA))
  return startApi([process.execPath, PROGRAM, file, '--port', String(port), '--host', '127.0.0.1'], {
    url: `http://127.0.0.1:${port}`,
    folder,
  })
}
