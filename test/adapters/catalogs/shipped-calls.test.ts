import { afterEach, describe, expect, test } from 'vitest'
import { readCatalogPath } from '../../../src/adapters/catalogs/files.ts'
import { runnerOf } from '../../execution/served.ts'
import { json, type Seen, serve } from '../wire/fixtures.ts'

/* Programs on the shipped catalogs, with answers in the form that their public documentation shows. */

const runners: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const { close } of runners.splice(0)) await close()
})

/** A runner on a shipped catalog whose API is a loopback server with these answers, by `METHOD /path`. */
async function shipped(id: string, answers: Readonly<Record<string, unknown>>) {
  const server = await serve((seen, response) => {
    const answer = answers[`${seen.method} ${pathOf(seen)}`]
    if (answer === undefined) json(response, { message: 'Not Found' }, 404)
    else json(response, answer)
  })
  const { catalog } = await readCatalogPath(`src/adapters/catalogs/shipped/${id}`)
  if (!catalog) throw new Error(`${id} is read`)
  const runner = runnerOf({ ...catalog, origin: server.origin, auth: { scheme: 'none' } })
  runners.push(runner)
  return { run: runner.run, seen: server.seen }
}

const pathOf = ({ url }: Seen) => decodeURIComponent(new URL(url, 'http://api').pathname)
const asked = (seen: readonly Seen[]) => seen.map(({ method, url, body }) => [`${method} ${url}`, body])

describe('openbrewerydb', () => {
  const BREWERY = {
    id: '5128df48-79fc-4f0f-8b52-d06be54d0cec',
    name: '(405) Brewing Co',
    brewery_type: 'micro',
    address_1: '1716 Topeka St',
    city: 'Norman',
    state_province: 'Oklahoma',
    postal_code: '73069-8224',
    country: 'United States',
    longitude: -97.46818222,
    latitude: 35.25738891,
    phone: '4058160490',
    website_url: 'http://www.405brewing.com',
  }

  test('finds breweries by place, by words and by id', async () => {
    const { run, seen } = await shipped('openbrewerydb', {
      'GET /breweries': [BREWERY],
      'GET /breweries/search': [BREWERY],
      [`GET /breweries/${BREWERY.id}`]: BREWERY,
    })
    const ran = await run(
      `a = Brewery{by_city=norman, by_type=micro}[name, street]\nb = Brewery~"dog"[name]\nc = Brewery(${JSON.stringify(BREWERY.id)})[latitude]\na, b, c`,
    )
    expect(ran).toMatchObject({
      results: {
        a: [{ name: '(405) Brewing Co', street: '1716 Topeka St' }],
        b: [{ name: '(405) Brewing Co' }],
        c: [{ latitude: 35.25738891 }],
      },
      problems: [],
    })
    expect(asked(seen).map(([line]) => line)).toEqual(
      expect.arrayContaining([
        'GET /breweries?by_city=norman&by_type=micro&page=1&per_page=50',
        'GET /breweries/search?query=dog&page=1&per_page=50',
      ]),
    )
  })
})

describe('hackernews', () => {
  const HIT = {
    objectID: '8863',
    title: 'My YC app: Dropbox - Throw away your USB drive',
    url: 'http://www.getdropbox.com/u/2/screencast.html',
    author: 'dhouston',
    points: 111,
    num_comments: 71,
    created_at: '2007-04-04T19:16:40Z',
    _tags: ['story', 'author_dhouston', 'story_8863'],
  }

  test('finds stories, their comments and their authors', async () => {
    const { run, seen } = await shipped('hackernews', {
      'GET /search': { hits: [HIT], page: 0, nbPages: 1, hitsPerPage: 50 },
      'GET /search_by_date': {
        hits: [
          { objectID: '8952', author: 'nickb', comment_text: '<p>Wow', story_id: 8863, parent_id: 8863 },
        ],
        page: 0,
        nbPages: 1,
        hitsPerPage: 50,
      },
      'GET /users/dhouston': { username: 'dhouston', karma: 2937, about: 'Founder' },
    })
    const ran = await run(
      's = Story~"dropbox"{min_points=100}.limit(1)\nc = s.comments[id, comment_text]\nu = s.author[username, karma]\ns, c, u',
    )
    expect(ran).toMatchObject({
      results: {
        s: [{ id: 8863, points: 111, author: 'dhouston' }],
        c: [{ id: 8952, comment_text: '<p>Wow' }],
        u: [{ username: 'dhouston', karma: 2937 }],
      },
      problems: [],
    })
    expect(asked(seen).map(([line]) => decodeURIComponent(String(line)))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^GET \/search\?query=dropbox&tags=story&numericFilters=points>=100/),
        expect.stringContaining('tags=comment,story_8863'),
      ]),
    )
  })
})

describe('github', () => {
  const OWNER = { login: 'octocat', id: 1, type: 'User' }
  const REPOSITORY = {
    id: 1296269,
    name: 'Hello-World',
    full_name: 'octocat/Hello-World',
    owner: OWNER,
    description: 'This your first repo!',
    language: 'C',
    stargazers_count: 80,
    forks_count: 9,
    open_issues_count: 1,
    topics: ['octocat', 'api'],
    license: { key: 'mit', spdx_id: 'MIT' },
    default_branch: 'master',
    private: false,
    archived: false,
  }
  const ISSUE = {
    number: 1347,
    title: 'Found a bug',
    state: 'open',
    user: OWNER,
    assignee: null,
    labels: [{ id: 208045946, name: 'bug', color: 'f29513' }],
    comments: 1,
    repository_url: 'https://api.github.com/repos/octocat/Hello-World',
    body: 'I have a problem with this.',
  }
  const COMMENT = {
    id: 1,
    issue_url: 'https://api.github.com/repos/octocat/Hello-World/issues/1347',
    user: OWNER,
    body: 'Me too',
  }
  const HOME = '/repos/octocat/Hello-World'

  test('walks from a repository to its issues, their comments and their authors', async () => {
    const { run, seen } = await shipped('github', {
      [`GET ${HOME}`]: REPOSITORY,
      [`GET ${HOME}/issues`]: [ISSUE],
      [`GET ${HOME}/issues/1347/comments`]: [COMMENT],
      'GET /users/octocat': { ...OWNER, name: 'The Octocat', followers: 20 },
    })
    const ran = await run(
      'r = Repository(owner=octocat, repo="Hello-World")\ni = r.issues{state=open}[number, title, author.name]\nc = r.issues{state=open}.comments[id, body]\nr, i, c',
    )
    expect(ran).toMatchObject({
      results: {
        r: [{ owner: 'octocat', repo: 'Hello-World', stars: 80, license: 'MIT' }],
        i: [{ number: 1347, title: 'Found a bug', 'author.name': 'The Octocat' }],
        c: [{ id: 1, body: 'Me too' }],
      },
      problems: [],
    })
    expect(asked(seen).map(([line]) => line)).toContain(`GET ${HOME}/issues?state=open&page=1&per_page=50`)
    expect(seen[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    })
  })

  test('opens, closes and comments on issues', async () => {
    const { run, seen } = await shipped('github', {
      [`POST ${HOME}/issues`]: ISSUE,
      [`PATCH ${HOME}/issues/1347`]: { ...ISSUE, state: 'closed' },
      [`POST ${HOME}/issues/1347/comments`]: COMMENT,
    })
    const opened = await run(
      'i = Issue.create(repository=Repository(owner=octocat, repo="Hello-World"), title="Found a bug", labels=[bug])[number]\ni',
    )
    expect(opened).toMatchObject({ results: { i: [{ number: 1347 }] }, effects: ['0 done'] })
    const closed = await run(
      'i = Issue(owner=octocat, repo="Hello-World", number=1347).update(state=closed)[number, state]\ni',
    )
    expect(closed).toMatchObject({ results: { i: [{ number: 1347, state: 'closed' }] } })
    const said = await run(
      'c = Comment.create(issue=Issue(owner=octocat, repo="Hello-World", number=1347), body="Me too")[id]\nc',
    )
    expect(said).toMatchObject({ results: { c: [{ id: 1 }] }, effects: ['0 done'] })
    expect(asked(seen)).toEqual([
      [`POST ${HOME}/issues`, '{"title":"Found a bug","labels":["bug"]}'],
      [`PATCH ${HOME}/issues/1347`, '{"state":"closed"}'],
      [`POST ${HOME}/issues/1347/comments`, '{"body":"Me too"}'],
    ])
  })

  test('searches, and pages by number', async () => {
    const { run, seen } = await shipped('github', {
      'GET /search/repositories': { total_count: 1, incomplete_results: false, items: [REPOSITORY] },
    })
    expect(await run('r = Repository~"hello language:c"[repo, stars]\nr')).toMatchObject({
      results: { r: [{ repo: 'Hello-World', stars: 80 }] },
    })
    expect(seen[0]?.url).toBe('/search/repositories?q=hello%20language%3Ac&page=1&per_page=50')
  })
})
