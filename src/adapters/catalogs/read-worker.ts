import { giveWay, serveJobs } from '../threads/serve-jobs.ts'
import { type CatalogInput, settledInThisThread } from './settled-in-this-thread.ts'
import { slicesOf, type Slice } from './slices.ts'

/** The thread of `readInThread`. */
giveWay()
serveJobs<CatalogInput, Slice>(async (input) => slicesOf(await settledInThisThread(input)))
