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

/** What is measured on: a large catalog of other people where it is at hand, else one of ours. */
interface Subject {
  readonly catalog: Catalog
  /** Ten lines, about a kilobyte. */
  readonly program: string
}

const PROGRAMS = {
  github: `repo = Repository(owner="octocat", repo="Hello-World")
;; what is open, and who works on it: the newest first, with the words that a reader of the report needs to see
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
;; everything that was bought, with the words that a reader of the report needs to see, in the order in which it came in
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

/** What a plan may cost in hashes of its program, and a table in writings of its model: both sides take about as long. */
const HASHES = 200
const WRITINGS = 10

/** A program of ten lines from text to plan, against so many times SHA-256 of its bytes. */
export async function readingContest(): Promise<Contest> {
  const { catalog, program } = await subject()
  const { waves } = session(catalog, Number.POSITIVE_INFINITY)
  const model = () => catalog
  const scope: Scope = { space: symbolSpace(waves, model), model, allows: () => true, ref: 's0' }
  const read = readProgram(program, scope)
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '))
  const bytes = Buffer.from(program.padEnd(1024))
  return {
    name: `program to plan, ${catalog.id} / ${HASHES} SHA-256 of 1 KB`,
    store: 'memory',
    // Each call of a session has a scope of its own.
    ours: (calls) => {
      for (let call = 0; call < calls; call++) readProgram(program, { ...scope })
    },
    base: (calls) => {
      for (let call = 0; call < calls * HASHES; call++) createHash('sha256').update(bytes).digest('hex')
    },
    bound: 1,
  }
}

/** The table of 24 entities with nothing derived before, against JSON of the same part of the model, so many times. */
export async function teachingContest(): Promise<Contest> {
  const { catalog } = await subject()
  const { waves, entities } = session(catalog, 24)
  const names = new Set(entities)
  const slice = {
    entities: catalog.entities.filter(({ name }) => names.has(name)),
    capabilities: catalog.capabilities.filter(({ entity }) => names.has(entity)),
  }
  return {
    name: `table of ${entities.length} entities, ${catalog.id} / ${WRITINGS} JSON of it`,
    store: 'memory',
    ours: (calls) => {
      for (let call = 0; call < calls; call++) {
        // Another object: nothing that is kept for a catalog is known of this one.
        const cold = { ...catalog }
        const model = () => cold
        const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
        teachingTable({ waves, base: 0, spaceOf, model, allows: () => true })
      }
    },
    base: (calls) => {
      for (let call = 0; call < calls * WRITINGS; call++) JSON.stringify(slice)
    },
    bound: 1,
  }
}

/** The symbols of a session of 24 entities made again on another node, against rendering its table there: half of it at most. */
export async function rebuildContest(): Promise<Contest> {
  const { catalog } = await subject()
  const { waves, entities } = session(catalog, 24)
  return {
    name: `symbols of ${entities.length} entities, ${catalog.id} / their table`,
    store: 'memory',
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
          base: 0,
          spaceOf: (some) => symbolSpace(some, model),
          model,
          allows: () => true,
        })
      }
    },
    bound: 0.5,
  }
}
