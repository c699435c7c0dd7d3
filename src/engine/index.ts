/* The door through which surfaces reach the engine. */
import type { workspaceProblem } from '../access/problems.ts'
import type { problem as discoveryProblem } from '../discovery/problems.ts'
import type { problem as executionProblem } from '../execution/problems.ts'
import type { problem as languageProblem } from '../language/problems.ts'
import type { syntaxProblem } from '../language/syntax/problems.ts'
import type { engineProblem } from './problems.ts'

export { announcedOver, announcedText, readAnnounced } from '../access/announced.ts'
export type { Announced } from '../access/announced.ts'
export { LOCAL_USER, mayUse } from '../access/caller.ts'
export type { Caller } from '../access/caller.ts'
export type { Surface } from '../access/surface.ts'
export type { Verifier } from '../access/verifier.ts'
export { readRoot } from '../access/workspace.ts'
export { contextInput, discoverInput, planInput, runInput } from './contract.ts'
export type {
  ApiCall,
  CallOptions,
  Confirmation,
  ContextFacts,
  Continuity,
  DiscoverFacts,
  Gateway,
  Meta,
  OwnCatalogs,
  PlanFacts,
  RegistryFacts,
  Reply,
  RunFacts,
  RunOptions,
  SessionFacts,
  SnapshotFacts,
} from './contract.ts'
export { seedIn } from './seed-text.ts'
export type { Conversation } from './conversation/conversation.ts'
export type { Conversations } from './conversation/conversations.ts'
export type { Turn } from './conversation/turn.ts'
export { readingOf } from '../language/reading.ts'
export type { TraceDetail, TraceMessage, Traces, TraceSummary } from './watch/traces.ts'
export { GRAMMAR } from './grammar.ts'
export { passingProblem } from './passing.ts'

/** Every code that a refusal of the engine can carry: surfaces that branch on codes list all of them. */
export type ProblemCode =
  | Parameters<typeof engineProblem>[0]
  | Parameters<typeof workspaceProblem>[0]
  | Parameters<typeof discoveryProblem>[0]
  | Parameters<typeof syntaxProblem>[0]
  | Parameters<typeof languageProblem>[0]
  | Parameters<typeof executionProblem>[0]
