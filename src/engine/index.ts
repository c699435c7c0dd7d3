/* The door through which surfaces reach the engine. */
export { LOCAL_USER } from '../access/caller.ts'
export type { Caller } from '../access/caller.ts'
export type { Verifier } from '../access/verifier.ts'
export { contextInput, discoverInput, planInput, runInput } from './contract.ts'
export type {
  ContextFacts,
  Continuity,
  DiscoverFacts,
  Gateway,
  PlanFacts,
  RegistryFacts,
  Reply,
  RunFacts,
  RunOptions,
  SessionFacts,
  SnapshotFacts,
} from './contract.ts'
export { GRAMMAR } from './grammar.ts'
