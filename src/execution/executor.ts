import { oneOf, type Problem } from '../base/diagnostic.ts'
import type { Pace } from '../base/slices/pace.ts'
import type { Operation, Plan, PlanNode } from '../language/plan/plan.ts'
import { demandsOf } from './demand.ts'
import { withJoined } from './read/joined.ts'
import { makeMeter } from './meter.ts'
import { namesOf } from './names.ts'
import { forbidsEffects } from './completeness.ts'
import type { Continuation, EffectOutcome, Outcome, RootResult, Row, Unsent } from './outcome.ts'
import { problem } from './problems.ts'
import type { Run, NodeRun, NodeResult } from './run.ts'
import { type Given, missingIn, finishedTable, type Table } from './table.ts'
import type { LiveRow } from './row.ts'
import { runAggregate } from './steps/aggregate.ts'
import { runCall } from './steps/call.ts'
import { runData } from './steps/data.ts'
import { runEach } from './steps/each.ts'
import { runFilter } from './steps/filter.ts'
import { runGet } from './steps/get.ts'
import { runLimit, runSingleton } from './steps/limit.ts'
import { goOn, runPage } from './steps/page.ts'
import { runProject } from './steps/project.ts'
import { runQuery } from './steps/query.ts'
import { runReference } from './steps/reference.ts'
import { runRelation } from './steps/relation.ts'
import { runRender } from './steps/template/render.ts'
import { runReverse } from './steps/reverse.ts'
import { runSort } from './steps/sort.ts'
import { templateProblem } from './steps/template/template.ts'
import { sources } from './sources/index.ts'
import type { World } from './world.ts'

export type { World } from './world.ts'

/**
 * Runs a plan: reads concurrently where they are ready, effects one after another in source order. Never rejects for
 * what the world does: what happened before a problem is in the outcome as well.
 */
export async function execute(plan: Plan, world: World): Promise<Outcome> {
  const running = new Running(plan, world)
  if (running.mayStart()) await running.all()
  return running.outcome()
}

/** One more page of a read. */
export async function readPage(
  continuation: Continuation,
  world: World,
  limit?: number,
): Promise<{ readonly result: RootResult; readonly problems: Outcome['problems'] }> {
  const problems: Problem[] = []
  const run = runOf(
    world,
    new Map(),
    (node) => node,
    () => 0,
  )
  const read = await goOn(continuation, run, (found) => problems.push(found), limit)
  const label = continuation.entity.entity
  if (read.ok) return { result: await rootOf(label, read.value, world.pace), problems }
  // The page can be asked for again: what stood in the way may pass.
  const result = {
    label,
    entity: continuation.entity,
    columns: [],
    rows: [],
    partial: 'failed',
    continuation,
  } as const
  return { result, problems: [...problems, ...read.problems] }
}

function runOf(
  world: World,
  tables: ReadonlyMap<string, Table>,
  nameOf: Run['nameOf'],
  demand: Run['demand'],
): Run {
  const meter = makeMeter(world.budget, world.clock)
  return {
    world,
    meter,
    sources,
    tables,
    nameOf,
    demand,
    ...(world.runId !== undefined && { runId: world.runId }),
  }
}

class Running {
  readonly #plan: Plan
  readonly #run: Run
  readonly #tables = new Map<string, Table>()
  readonly #failed = new Set<string>()
  /** Of a node that did not run because another one failed: which one that was. */
  readonly #causes = new Map<string, string>()
  readonly #problems = new Map<string, Problem[]>()
  readonly #effects = new Map<string, EffectOutcome[]>()
  readonly #unsent: Unsent[] = []
  #effectFailed = false

  constructor(plan: Plan, world: World) {
    this.#plan = plan
    this.#run = runOf(world, this.#tables, namesOf(plan), demandsOf(plan))
  }

  /** What can be seen to fail without calling anything fails before anything is called. */
  mayStart(): boolean {
    for (const node of this.#plan.nodes) {
      const found = node.operation.kind === 'render' ? templateProblem(node.operation.template) : undefined
      if (found) this.#listOf(this.#problems, node).push(found)
    }
    if (this.#problems.size > 0) for (const { id } of this.#plan.nodes) this.#failed.add(id)
    return this.#problems.size === 0
  }

  /** Starts every node; each waits for what it needs. All of them are awaited, so that no effect is left in flight. */
  async all(): Promise<void> {
    const started = new Map<string, Promise<void>>()
    for (const [index, node] of this.#plan.nodes.entries()) {
      const before = this.#plan.nodes.slice(0, index).filter((earlier) => mustPrecede(earlier, node))
      const waits = before.flatMap(({ id }) => started.get(id) ?? [])
      started.set(
        node.id,
        Promise.all(waits).then(() => this.#work(node)),
      )
    }
    const ended = await Promise.allSettled(started.values())
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  async outcome(): Promise<Outcome> {
    const nodes = this.#plan.nodes
    const effects = nodes.flatMap(({ id }) => this.#effects.get(id) ?? [])
    const changed = effects.some(({ state }) => state === 'done' || state === 'unknown')
    const stated = (found: Problem) => (changed ? afterChange(found) : found)
    const results: RootResult[] = []
    for (const { label, node } of this.#plan.returns) {
      const table = this.#tables.get(node)
      const result = table
        ? await rootOf(label, table, this.#run.world.pace)
        : { label, columns: [], rows: [] }
      results.push(this.#failed.has(node) ? { ...result, partial: 'failed' } : result)
    }
    return {
      results,
      effects: effects.map((one) => (one.problem ? { ...one, problem: stated(one.problem) } : one)),
      unsent: this.#unsent,
      usage: this.#run.meter.usage(),
      problems: nodes.flatMap(({ id, span }) =>
        this.#reported(id).map((one) => stated(one.span ? one : { ...one, span })),
      ),
    }
  }

  /** A node's problems; the last one, for which it failed, names what could not run for it. */
  #reported(id: string): readonly Problem[] {
    const found = this.#problems.get(id) ?? []
    const last = found.at(-1)
    const lost = [...this.#causes].flatMap(([node, cause]) =>
      cause === id && this.#isSeen(node) ? [this.#run.nameOf(node)] : [],
    )
    if (!last || lost.length === 0) return found
    const message = `${last.message} Not run: ${oneOf(lost, 'and')}.`
    return [...found.slice(0, -1), { ...last, message }]
  }

  /** Is it something that the program's reader waits for? */
  #isSeen(id: string): boolean {
    const node = this.#plan.nodes.find((one) => one.id === id)
    return node !== undefined && (isEffect(node) || this.#plan.returns.some((one) => one.node === id))
  }

  async #work(node: PlanNode): Promise<void> {
    const obstacle = this.#obstacle(node)
    if (obstacle) return this.#skip(node, obstacle)
    const step: NodeRun = {
      run: this.#run,
      node,
      warn: (found) => void this.#listOf(this.#problems, node).push(found),
      effect: (outcome) => void this.#listOf(this.#effects, node).push(outcome),
      unsent: (rest) => void this.#unsent.push(rest),
    }
    const joined = await withJoined(step)
    const { tables } = joined.run
    const incomplete = this.#incomplete(node, tables)
    if (incomplete) return this.#skip(node, incomplete, rowsOf(node.operation, tables))
    const stepped = await runOperation(node.operation, joined)
    if (stepped.ok) {
      this.#tables.set(node.id, finishedTable(node, stepped.value, tables))
      return
    }
    this.#failed.add(node.id)
    if (stepped.table) this.#tables.set(node.id, finishedTable(node, stepped.table, tables))
    if (isEffect(node)) this.#effectFailed = true
    this.#listOf(this.#problems, node).push(...stepped.problems)
  }

  /** Why a node does not run at all. */
  #obstacle(node: PlanNode): Problem | undefined {
    const what = `\`${this.#run.nameOf(node.id)}\``
    const lost = node.inputs.find((input) => this.#failed.has(input))
    if (lost !== undefined) {
      const cause = this.#causes.get(lost) ?? lost
      this.#causes.set(node.id, cause)
      return problem('input_failed', { what, input: this.#run.nameOf(cause) })
    }
    if (!isEffect(node)) return undefined
    if (this.#run.world.signal.aborted) return problem('cancelled', { what })
    return this.#effectFailed ? problem('effect_stopped', { what }) : undefined
  }

  /** No change is made from rows that are not all there, or that were computed from such. */
  #incomplete(node: PlanNode, tables: ReadonlyMap<string, Table>): Problem | undefined {
    const missing = missingIn(node, tables)
    if (!isEffect(node) || !forbidsEffects(missing)) return undefined
    const marked = node.inputs.filter((input) => forbidsEffects(tables.get(input)?.missing ?? null))
    return problem('incomplete_input', {
      what: `\`${this.#run.nameOf(node.id)}\``,
      sources: marked.map((source) => this.#run.nameOf(source)),
      reason: missing.because?.message ?? '',
    })
  }

  #skip(node: PlanNode, obstacle: Problem, rows: readonly number[] = [0]): void {
    this.#failed.add(node.id)
    // What failed before it says so itself.
    if (!this.#causes.has(node.id) && this.#isSeen(node.id)) this.#listOf(this.#problems, node).push(obstacle)
    const call = callIn(node.operation)
    if (!isEffect(node) || !call || !node.entity) return
    const { catalog } = node.entity
    const unsent = { node: node.id, capability: call, catalog, state: 'not_sent', problem: obstacle } as const
    this.#listOf(this.#effects, node).push(...rows.map((row) => ({ ...unsent, row })))
  }

  #listOf<T>(lists: Map<string, T[]>, { id }: PlanNode): T[] {
    let list = lists.get(id)
    if (!list) lists.set(id, (list = []))
    return list
  }
}

/**
 * Inputs come first; effects keep their written order; and what the program reads of a catalog before or after an effect
 * on it, it reads before or after that effect.
 */
function mustPrecede(earlier: PlanNode, later: PlanNode): boolean {
  if (later.inputs.includes(earlier.id)) return true
  if (!isEffect(earlier) && !isEffect(later)) return false
  return (
    (isEffect(earlier) && isEffect(later)) ||
    (earlier.entity !== undefined && earlier.entity.catalog === later.entity?.catalog)
  )
}

function isEffect({ effect }: PlanNode): boolean {
  return effect === 'write' || effect === 'side_effect'
}

/** The rows that an effect would be called for. */
function rowsOf(operation: Operation, tables: ReadonlyMap<string, Table>): readonly number[] {
  const source = operation.kind === 'each' ? tables.get(operation.source) : undefined
  return source ? [...source.rows.keys()] : [0]
}

function callIn(operation: Operation): string | undefined {
  const call = operation.kind === 'each' ? operation.body : operation
  return call.kind === 'call' ? call.capability : undefined
}

function runOperation(operation: Operation, step: NodeRun): NodeResult | Promise<NodeResult> {
  switch (operation.kind) {
    case 'query':
      return runQuery(operation, step)
    case 'get':
      return runGet(operation, step)
    case 'relation':
      return runRelation(operation, step)
    case 'reference':
      return runReference(operation, step)
    case 'reverse':
      return runReverse(operation, step)
    case 'call':
      return runCall(operation, step)
    case 'each':
      return runEach(operation, step)
    case 'project':
      return runProject(operation, step)
    case 'filter':
      return runFilter(operation, step)
    case 'limit':
      return runLimit(operation, step)
    case 'singleton':
      return runSingleton(operation, step)
    case 'sort':
      return runSort(operation, step)
    case 'aggregate':
      return runAggregate(operation, step)
    case 'render':
      return runRender(operation, step)
    case 'data':
      return runData(operation.value, step)
    case 'page':
      return runPage(operation, step)
  }
}

function shownRow({ values, identity, parent }: LiveRow): Row {
  if (parent) return identity ? { values, identity, parent } : { values, parent }
  return identity ? { values, identity } : { values }
}

/** A root as the reader gets it: without what only the run needed. */
async function rootOf(
  label: string,
  { entity, columns, rows, missing, continuation, kept }: Given,
  pace: Pace,
): Promise<RootResult> {
  return {
    label,
    ...(entity && { entity }),
    columns,
    rows: await pace.map(rows, shownRow),
    ...(missing && { partial: missing.reason }),
    ...(missing?.searched !== undefined && { searched: missing.searched }),
    ...(continuation && { continuation }),
    ...(kept && { kept }),
  }
}

/** Codes whose next step is to send the program again. What APIs and rights state advises calls, not programs. */
const REPEATING: ReadonlySet<string> = new Set(
  Object.entries(problem.table).flatMap(([code, wording]) => ('repeats' in wording ? [code] : [])),
)

/** The problem as a run that changed something states it: sending the program again would repeat the change. */
export function afterChange(found: Problem): Problem {
  if (!REPEATING.has(found.code)) return found
  return {
    ...found,
    next: 'Changes of this run were done: plan only what is still to do, not the whole program.',
  }
}
