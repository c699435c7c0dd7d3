import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, Operator, rowsIn } from './agent.ts'
import type { ApiProcess } from './api-process.ts'
import { startBlog } from './blog.ts'

/* A GraphQL server of npm, imported by introspection: every GET of it answers a web page. */

describe('a GraphQL server', { timeout: 60_000 }, () => {
  const operator = new Operator()
  let server: ApiProcess
  let agent: Agent
  let added: string
  beforeAll(async () => {
    server = await startBlog()
    added = await operator.add(`${server.url}/`, '--id', 'blog')
    // The schema does not say that this server counts its pages from zero.
    appendFileSync(
      operator.config,
      `    capabilities: { post_query: { paging: { page: page, start: 0 } } }\n`,
    )
    agent = await operator.serve()
  }, 60_000)
  afterAll(async () => {
    await agent.close()
    await server.stop()
    await operator.close()
  })

  test('is added by its address alone, and shows its first rows', () => {
    expect(added).toContain('Added `blog`')
    expect(added).toContain('Try this goal: read Author\n')
    expect(added).toContain('1\tAda\tada.example.')
    expect(readFileSync(operator.config, 'utf8')).toContain(`source: ${server.url}/\n    kind: graphql\n`)
  })

  test('is found by a goal, and teaches its types', async () => {
    expect(await agent.discover('posts by their author')).toMatch(
      /^blog\t(?:Post|Author)\t(?:strong|likely)\t/m,
    )
    const { taught } = await agent.open('teach', 'blog:Author', 'blog:Post')
    expect(taught).toMatch(/^e1\(\$\)\tAuthor · id, name, domain, Posts \[e2\]/m)
    expect(taught).toMatch(/^e2\.create\(title=\$,views=\$,author_id=e1\(\$\)\)\twrite e2$/m)
  })

  test('reads all pages, rows by their relation, and single rows', async () => {
    const session = await agent.open('read', 'blog:Author', 'blog:Post')
    expect(rowsIn(await session.read('Post.aggregate(n=count, views=sum(views))'))).toEqual(['7\t280'])
    const first = await session.read('Post.page_size(3)[title]')
    expect(rowsIn(first)).toEqual(['Post 1', 'Post 2', 'Post 3'])
    expect(rowsIn(await session.page(first))).toEqual(['Post 4', 'Post 5', 'Post 6'])
    expect(rowsIn(await session.read('Author("2").Posts[title]'))).toEqual(['Post 2', 'Post 4', 'Post 6'])
    expect(rowsIn(await session.read('Post("5")[title, Author.name]'))).toEqual(['Post 5\tAda'])
  })

  test('writes from a plan', async () => {
    const session = await agent.open('write', 'blog:Author', 'blog:Post')
    const program = 'made = Post.create(title="New", views=0, author_id=Author("1"))\nmade[id,title]'
    expect(await session.read(program)).toMatch(/plan_required/)
    expect(rowsIn(await session.change(program))).toEqual(['8\tNew'])
    expect(await session.change('Post("8").delete()')).toContain('_Changes: 1 done._')
  })

  test('says what the server refuses, and what a program has wrong', async () => {
    const session = await agent.open('refused', 'blog:Post')
    expect(await session.read('Post("99")')).toMatch(/\*\*not_found\*\*/)
    expect(await session.plan('Post.create(titel="x")')).toMatch(/unknown_argument/)
  })
})
