import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readCatalogPath } from '../src/adapters/catalogs/files.ts'
import { pin } from '../src/catalog/digest.ts'
import type { Catalog } from '../src/catalog/model.ts'
import type { Scope } from '../src/language/check/model/scope.ts'
import { readProgram } from '../src/language/program.ts'
import { symbolSpace } from '../src/session/exposure.ts'
import type { Wave } from '../src/session/record.ts'
import { teachingTable } from '../src/teaching/table.ts'
import type { Contest } from './measure.ts'

/** What is measured: a large third-party catalog where the machine has it, else a shipped one. */
interface Subject {
  readonly catalog: Catalog
  /** Ten lines, about a kilobyte. */
  readonly program: string
}

const PROGRAMS = {
  github: `repo = Repository(owner="octocat", repo="Hello-World")
;; the open issues and who works on them: the newest first, with the words that a reader of the report needs to see
open = Issue{repository=Repository(owner=octocat, repo=Hello-World), state=open}.sort(created_at, desc).limit(50)
shown = open[number, title, state, created_at, updated_at, comments]
commits = repo.commits.limit(20)
said = commits[sha, message, authored_at, html_url, comment_count, stats_additions, stats_deletions, total_changes]
counted = commits.aggregate(n=count, added=sum(stats_additions), removed=sum(stats_deletions), most=max(total_changes))
bugs = Issue{repository=Repository(owner=octocat, repo=Hello-World), state=closed, title~"crash on start"}.limit(30)
first = Issue(owner="octocat", repo="Hello-World", number=1347)
note = first.update(title="Crash on start (seen again)", body="Seen again: \${counted.n} commits since, \${counted.added} lines were added")
shown, said, counted, bugs, note`,
  bazaar: `customers = Customer.limit(50)
named = customers[id, name]
;; all orders, with the words that a reader of the report needs to see, in the order in which the orders were placed
orders = Order.limit(50)
counted = orders.aggregate(n=count)
again = Customer.limit(20)
others = Order.limit(20)
some = again[id, name]
more = others.aggregate(count)
named, counted, some, more`,
}

async function subject(): Promise<Subject> {
  const shared = fileURLToPath(new URL('../../../shared/data/catalogs/github', import.meta.url))
  const own = fileURLToPath(new URL('../src/adapters/catalogs/shipped/bazaar', import.meta.url))
  const path = existsSync(shared) ? shared : own
  const { catalog } = await readCatalogPath(path)
  if (!catalog) throw new Error(`${path} holds no catalog`)
  return { catalog, program: path === shared ? PROGRAMS.github : PROGRAMS.bazaar }
}

/** A session that picked up to so many entities of the catalog. */
function session(catalog: Catalog, most: number) {
  const { digest } = pin(catalog)
  const entities = catalog.entities
    .filter(({ abstract }) => !abstract)
    .slice(0, most)
    .map(({ name }) => name)
    .toSorted()
  const pick = { catalog: catalog.id, digest, lens: 'all' as const, entities }
  const waves: readonly Wave[] = [{ revision: 1, generation: 1, picks: [pick] }]
  return { digest, entities, waves }
}

/** How many hashes a plan, and how many JSON texts a table may cost: both sides take about as long. */
const HASHES = 200
const WRITINGS = 10

/** A program of ten lines from text to plan, against SHA-256 of its bytes, `HASHES` times. */
export async function readingContest(): Promise<Contest> {
  const { catalog, program } = await subject()
  const { waves } = session(catalog, Number.POSITIVE_INFINITY)
  const model = () => catalog
  const scope: Scope = { space: symbolSpace(waves, model), model, allows: () => true, ref: 's0' }
  const read = readProgram(program, scope)
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '))
  const bytes = Buffer.from(program.padEnd(1024))
  return {
    // Each call of a session has a scope of its own.
    ours: (calls) => {
      for (let call = 0; call < calls; call++) readProgram(program, { ...scope })
    },
    base: (calls) => {
      for (let call = 0; call < calls * HASHES; call++) createHash('sha256').update(bytes).digest('hex')
    },
    subject: catalog.id,
    bound: 1,
  }
}

/** The table of 24 entities with empty caches, against `JSON.stringify` of the same part of the model, `WRITINGS` times. */
export async function teachingContest(): Promise<Contest> {
  const { catalog } = await subject()
  const { waves, entities } = session(catalog, 24)
  const names = new Set(entities)
  const slice = {
    entities: catalog.entities.filter(({ name }) => names.has(name)),
    capabilities: catalog.capabilities.filter(({ entity }) => names.has(entity)),
  }
  return {
    ours: (calls) => {
      for (let call = 0; call < calls; call++) {
        // A copy, so that nothing is cached for it.
        const cold = { ...catalog }
        const model = () => cold
        const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
        teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: () => true })
      }
    },
    base: (calls) => {
      for (let call = 0; call < calls * WRITINGS; call++) JSON.stringify(slice)
    },
    subject: catalog.id,
    bound: 1,
  }
}

/** Rebuilding the symbols of a session of 24 entities on another node, against rendering its table there. */
export async function rebuildContest(): Promise<Contest> {
  const { catalog } = await subject()
  const { waves } = session(catalog, 24)
  return {
    ours: (calls) => {
      for (let call = 0; call < calls; call++) {
        const cold = { ...catalog }
        symbolSpace(waves, () => cold)
      }
    },
    base: (calls) => {
      for (let call = 0; call < calls; call++) {
        const cold = { ...catalog }
        const model = () => cold
        teachingTable({
          waves,
          taughtRevision: 0,
          spaceOf: (some) => symbolSpace(some, model),
          model,
          allows: () => true,
        })
      }
    },
    subject: catalog.id,
    bound: 0.5,
  }
}
