/* The public list: what is not named here is free to change. */
export { assemble, type Assembly } from './app/assemble.ts'
export { readConfig, type Config, type ConfigSources } from './config/read.ts'
export { LOCAL_USER, GRAMMAR } from './engine/index.ts'
export type {
  Caller,
  ContextFacts,
  Continuity,
  DiscoverFacts,
  Gateway,
  PlanFacts,
  ProblemCode,
  RegistryFacts,
  Reply,
  RunFacts,
  RunOptions,
  SessionFacts,
  SnapshotFacts,
} from './engine/index.ts'
export type { Problem, Result } from './base/diagnostic.ts'
export { VERSION } from './version.ts'
