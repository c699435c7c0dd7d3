import { parentPort, workerData } from 'node:worker_threads'
import { type CatalogInput, settledHere } from './settled-here.ts'
import { slicesOf } from './slices.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only read-thread.ts starts this thread
const slices = slicesOf(await settledHere(workerData as CatalogInput)).values()
const send = () => parentPort?.postMessage(slices.next().value)
parentPort?.on('message', send)
send()
