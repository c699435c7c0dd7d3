/** What counts in a score, and which scores are likely or strong: chosen for each embedder on goals with known answers. */
export interface Weights {
  /** How close an entity is in meaning. */
  readonly meaning: number
  /** How well its words match. */
  readonly words: number
  /** How many of the words its API has at all. */
  readonly api: number
  /** That the goal names the API. */
  readonly named: number
  /** The least score of a band, and how far it may be behind the best. */
  readonly likely: Reach
  readonly strong: Reach
  /** An entity this far behind the best is not worth a row. */
  readonly farthest: number
}

interface Reach {
  readonly from: number
  readonly behind: number
}

/** By embedder; `npm run discovery:goals` measures them. */
export const WEIGHTS = {
  static: {
    meaning: 8,
    words: 1.2,
    api: 3,
    named: 2,
    likely: { from: 8.3, behind: 3 },
    strong: { from: 8.3, behind: 1 },
    farthest: 6,
  },
  minilm: {
    meaning: 14,
    words: 1.2,
    api: 2,
    named: 2,
    likely: { from: 8.5, behind: 3.5 },
    strong: { from: 8.5, behind: 1.2 },
    farthest: 8,
  },
} as const satisfies Record<string, Weights>
