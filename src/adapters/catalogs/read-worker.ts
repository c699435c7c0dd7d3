import { serveJobs } from '../threads/serve-jobs.ts'
import { type CatalogInput, settledHere } from './settled-here.ts'
import { slicesOf, type Slice } from './slices.ts'

/** The thread of `readInThread`. */
serveJobs<CatalogInput, Slice>(async (input) => slicesOf(await settledHere(input)))
