import fc from 'fast-check'
import { SEED } from './law-cases.ts'

/* Every property of the suite draws its cases from the project's seed, so that a failure repeats; its report names the seed. */
fc.configureGlobal({ seed: SEED })
