import { existsSync, readFileSync } from 'node:fs'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import { parse } from '../../../src/language/syntax/parse.ts'
import { outline } from '../../language/syntax/outline.ts'
import { checkText, steps } from '../../language/read.ts'
import { session } from './worlds.ts'

/** What the fact says that happens: something works, or is refused. */
type Outcome = 'ok' | 'error'

/** Shows on the fact's own program that we are as the verdict says: what is wrong, or nothing. */
export interface Proof {
  /** What the proof shows of us; absent where the proof is a test that has its own programs. */
  readonly shows?: Outcome
  readonly of: (program: string) => Promise<string | undefined> | string | undefined
}

export type Verdict =
  /** As the fact says. */
  | { readonly kind: 'held'; readonly proof: Proof }
  /** Otherwise, on purpose. */
  | { readonly kind: 'changed'; readonly reason: string; readonly proof?: Proof }
  /** The fact is about something that we do not have. */
  | { readonly kind: 'not applicable'; readonly reason: string }

export type Verdicts = Readonly<Record<string, Verdict>>

export function held(proof: Proof): Verdict {
  return { kind: 'held', proof }
}

export function changed(reason: string, proof?: Proof): Verdict {
  return { kind: 'changed', reason, ...(proof && { proof }) }
}

export function notApplicable(reason: string): Verdict {
  return { kind: 'not applicable', reason }
}

export interface Reading {
  /** The program as it is to be read, where the fact writes symbols or shapes in words. */
  readonly as?: (program: string) => string
  readonly teaching?: boolean
}

/** The program has a plan, and the plan (a line a node, as `steps` writes it) holds this. */
export function planned(world: string, holds = '', { as = same, teaching = false }: Reading = {}): Proof {
  return {
    shows: 'ok',
    of: async (written) => {
      const scope = await session(world)
      const program = as(written)
      const { problems } = checkText(program, scope, teaching)
      if (problems.length > 0) return `${program}: ${problems.map(({ message }) => message).join('; ')}`
      if (holds === '') return undefined
      const plan = steps(program, scope).join('\n')
      return plan.includes(holds) ? undefined : `no \`${holds}\` in\n${plan}`
    },
  }
}

/** The program is refused, first of all with this code; and the fix, where one is named, makes this of it. */
export function refused(world: string, code: string, fixed?: string, { as = same }: Reading = {}): Proof {
  return {
    shows: 'error',
    of: async (written) => {
      const program = as(written)
      const [problem] = checkText(program, await session(world)).problems
      if (problem?.code !== code) return `${program}: ${problem?.code ?? 'no problem'}, not ${code}`
      if (fixed === undefined) return undefined
      const repaired = problem.fix ? applyFix(program, problem.fix) : 'no fix'
      return repaired === fixed ? undefined : `the fix gives ${repaired}`
    },
  }
}

/** The text parses, and its outline holds this. */
export function parsed(holds: string, { as = same }: Reading = {}): Proof {
  return {
    shows: 'ok',
    of: (written) => {
      const { program, problems } = parse(as(written))
      const read = outline(program).join('\n')
      if (problems.length > 0) return `${as(written)}: ${problems.map(({ message }) => message).join('; ')}`
      return read.includes(holds) ? undefined : `no \`${holds}\` in ${read}`
    },
  }
}

/** The text does not parse, first of all with this code. */
export function unparsed(code: string, { as = same }: Reading = {}): Proof {
  return {
    shows: 'error',
    of: (written) => {
      const [problem] = parse(as(written)).problems
      return problem?.code === code
        ? undefined
        : `${as(written)}: ${problem?.code ?? 'no problem'}, not ${code}`
    },
  }
}

/** The value in a method's argument is read as this. */
export function value(holds: string): Proof {
  return parsed(`(a: ${holds})`, { as: (written) => `E.m(a=${written})` })
}

const root = new URL('../../../', import.meta.url)

/** A test of ours shows it: the file, and the title or another passage of it. */
export function tested(file: string, passage: string): Proof {
  return {
    of: () => {
      const at = new URL(`test/${file}`, root)
      if (!existsSync(at)) return `no file test/${file}`
      return readFileSync(at, 'utf8').includes(passage) ? undefined : `no \`${passage}\` in test/${file}`
    },
  }
}

function same(program: string): string {
  return program
}
