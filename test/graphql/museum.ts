import { buildSchema } from 'graphql'

/* A GraphQL API that we wrote for these tests: works of art, their makers, and the museums that show them. */

export const MUSEUM_SCHEMA = `
interface Node { id: ID! }

"""Somebody who made a work"""
interface Maker { id: ID! name: String! }

"""A painter or a sculptor"""
type Artist implements Node & Maker {
  id: ID!
  name: String!
  born: Int
  "What the artist made, by year"
  works: [Work!]!
}

type Workshop implements Node & Maker { id: ID! name: String! town: String }

enum Medium { OIL BRONZE PRINT WAX @deprecated }

type Money { amount: Float! currency: String! }

"""A work of art"""
type Work implements Node {
  id: ID!
  title: String!
  year: Int
  medium: Medium
  tags: [String!]!
  price: Money
  maker: Maker
  museum: Museum
  similar: [Work!]!
  "Only for insurers"
  policy: String
  image(size: Int!): String
  oldTitle: String @deprecated
}

type PageInfo { hasNextPage: Boolean! endCursor: String }
type WorkEdge { cursor: String! node: Work! }
type WorkConnection { edges: [WorkEdge!]! pageInfo: PageInfo! totalCount: Int! }

"""A house that shows works"""
type Museum implements Node {
  id: ID!
  name: String!
  city: String
  works(first: Int, after: String, last: Int, before: String, medium: Medium): WorkConnection!
  room(number: Int!): Room
  rooms: [Room!]!
}
type Room { number: Int! title: String }

union Found = Work | Artist | Workshop

input WorkFilter { medium: Medium years: YearRange museumId: ID }
input YearRange { from: Int to: Int }
enum WorkOrder { YEAR TITLE }

type Visitors { day: String! count: Int! }
type VisitorPage { results: [Visitors!]! info: Info! }
type Info { next: Int }

type Query {
  node(id: ID!): Node
  museum(id: ID!): Museum
  museums(limit: Int = 2, offset: Int): [Museum!]!
  works(first: Int, after: String, filter: WorkFilter, orderBy: WorkOrder): WorkConnection!
  search(text: String!): [Found!]!
  visitors(museumId: ID!, page: Int): VisitorPage!
  featuredWork: Work
  motto: String!
}

input CreateWorkInput { clientMutationId: String title: String! year: Int museumId: ID! price: MoneyInput }
input MoneyInput { amount: Float! currency: String! }
type UserError { field: String message: String! }
type CreateWorkPayload { work: Work userErrors: [UserError!]! }
type DeleteWorkPayload { deletedId: ID }
type Refused { message: String! }
union LendResult = Work | Refused

type Mutation {
  createWork(input: CreateWorkInput!): CreateWorkPayload!
  updateWork(id: ID!, title: String, year: Int): Work
  deleteWork(id: ID!): DeleteWorkPayload
  lendWork(workId: ID!, museumId: ID!): LendResult
  restoreWork(workId: ID!): Work
  closeAll: Boolean!
}
type Subscription { workAdded: Work! }
`

interface WorkData {
  readonly id: string
  readonly title: string
  readonly year: number
  readonly medium: string
  readonly maker: string
  readonly museum: string
}

const MAKERS = {
  a1: { __typename: 'Artist', id: 'a1', name: 'Ada Stein', born: 1901 },
  a2: { __typename: 'Artist', id: 'a2', name: 'Bo Lind', born: 1932 },
  w1: { __typename: 'Workshop', id: 'w1', name: 'Foundry Kern', town: 'Ulm' },
}
const MUSEUMS = ['North', 'South', 'East'].map((name, at) => ({
  __typename: 'Museum',
  id: `m${at + 1}`,
  name: `${name} Hall`,
  city: at === 2 ? null : `${name}port`,
}))

/** A fresh collection: 30 works in three museums, and resolvers over them. */
export function museum() {
  const works: WorkData[] = Array.from({ length: 30 }, (_, at) => ({
    id: `k${at + 1}`,
    title: `Work ${at + 1}`,
    year: 1900 + at,
    medium: ['OIL', 'BRONZE', 'PRINT'][at % 3] ?? 'OIL',
    maker: ['a1', 'a2', 'w1'][at % 3] ?? 'a1',
    museum: `m${(at % 3) + 1}`,
  }))
  const workOf = (data: WorkData | undefined): object | null =>
    data
      ? {
          ...data,
          __typename: 'Work',
          tags: [data.medium.toLowerCase()],
          price: { amount: data.year, currency: 'EUR' },
          maker: () => makerOf(data.maker),
          museum: () => museumOf(data.museum),
          similar: () => works.filter(({ maker, id }) => maker === data.maker && id !== data.id).map(workOf),
          policy: () => {
            throw new Error('Policies are not for you')
          },
          image: () => null,
        }
      : null
  const makerOf = (id: string) => {
    const data = Object.entries(MAKERS).find(([key]) => key === id)?.[1]
    return data && { ...data, works: () => works.filter(({ maker }) => maker === id).map(workOf) }
  }
  const museumOf = (id: string) => {
    const data = MUSEUMS.find((one) => one.id === id)
    if (!data) return null
    const own = works.filter((work) => work.museum === id)
    return {
      ...data,
      works: (page: Page & { readonly medium?: string }) =>
        connection(
          own.filter(({ medium }) => page.medium === undefined || page.medium === medium),
          page,
        ),
      room: ({ number }: { readonly number: number }) => ({ number, title: `Room ${number}` }),
      rooms: () => [1, 2].map((number) => ({ number, title: `Room ${number}` })),
    }
  }
  const connection = (all: readonly WorkData[], { first = 10, after }: Page) => {
    const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0
    const page = all.slice(start, start + Math.min(first ?? 10, 20))
    return {
      edges: page.map((data) => ({ cursor: data.id, node: workOf(data) })),
      pageInfo: { hasNextPage: start + page.length < all.length, endCursor: page.at(-1)?.id ?? null },
      totalCount: all.length,
    }
  }
  const find = (id: string) => works.find((work) => work.id === id)
  const rootValue = {
    node: ({ id }: Id) => workOf(find(id)) ?? makerOf(id) ?? museumOf(id),
    museum: ({ id }: Id) => museumOf(id),
    museums: ({ limit, offset = 0 }: { readonly limit: number; readonly offset?: number }) =>
      MUSEUMS.slice(offset, offset + limit).map(({ id }) => museumOf(id)),
    works: ({ filter, ...page }: Page & { readonly filter?: Filter }) =>
      connection(
        works.filter(
          ({ medium, year, museum: house }) =>
            (filter?.medium ?? medium) === medium &&
            (filter?.museumId ?? house) === house &&
            year >= (filter?.years?.from ?? 0) &&
            year <= (filter?.years?.to ?? 9999),
        ),
        page,
      ),
    search: ({ text }: { readonly text: string }) => [
      ...works.filter(({ title }) => title.includes(text)).map(workOf),
      ...Object.values(MAKERS).filter(({ name }) => name.includes(text)),
    ],
    visitors: ({ page = 1 }: { readonly page?: number }) => ({
      results: [{ day: `2030-01-0${page}`, count: page * 10 }],
      info: { next: page < 3 ? page + 1 : null },
    }),
    featuredWork: () => workOf(works[0]),
    motto: 'Look twice',
    createWork: ({ input }: { readonly input: Omit<WorkData, 'id'> & { readonly museumId: string } }) => {
      if (input.title === '')
        return { work: null, userErrors: [{ field: 'title', message: 'Title is blank' }] }
      const made = {
        ...input,
        id: `k${works.length + 1}`,
        museum: input.museumId,
        medium: 'OIL',
        maker: 'a1',
      }
      works.push(made)
      return { work: workOf(made), userErrors: [] }
    },
    updateWork: ({ id, ...changes }: Id & Partial<WorkData>) => {
      const at = works.findIndex((work) => work.id === id)
      const old = works[at]
      if (!old) throw new Error(`There is no work ${id}`)
      works[at] = { ...old, ...changes }
      return workOf(works[at])
    },
    deleteWork: ({ id }: Id) => {
      const at = works.findIndex((work) => work.id === id)
      if (at >= 0) works.splice(at, 1)
      return { deletedId: id }
    },
    lendWork: ({ workId }: { readonly workId: string }) =>
      workId === 'k1' ? { __typename: 'Refused', message: 'It is too fragile' } : workOf(find(workId)),
    restoreWork: ({ workId }: { readonly workId: string }) => {
      const work = workOf(find(workId))
      return work && { ...work, title: () => Promise.reject(new Error('The title was lost')) }
    },
    closeAll: () => true,
  }
  return { schema: buildSchema(MUSEUM_SCHEMA), rootValue, works }
}

interface Id {
  readonly id: string
}
interface Page {
  readonly first?: number
  readonly after?: string
}
interface Filter {
  readonly medium?: string
  readonly museumId?: string
  readonly years?: { readonly from?: number; readonly to?: number }
}
