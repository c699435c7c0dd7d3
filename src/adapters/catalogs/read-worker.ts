import { parentPort, workerData } from 'node:worker_threads'
import type { ReadJob } from './read-path.ts'
import { readCatalogHere } from './read-here.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only read-catalog.ts starts this thread
const { path, as } = workerData as ReadJob
parentPort?.postMessage(await readCatalogHere(path, as))
