import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { fileCatalogs, readCatalogPath } from '../../../src/adapters/catalogs/files.ts'

const own = fileURLToPath(new URL('../../fixtures/catalogs/', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'plasmid-catalogs-'))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
/** A fresh copy of one of our catalogs. */
function copy(name: string, as = name): string {
  const path = join(root, String(++count), as)
  cpSync(join(own, name), path, { recursive: true })
  return path
}
/** Replaces text in a catalog's domain. */
function edit(path: string, from: string, to: string): void {
  const file = join(path, 'domain.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}
function write(name: string, text: string): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

describe('reading a path', () => {
  it('takes a folder and names it by itself', async () => {
    const path = copy('shop', 'corner-shop')
    expect(await readCatalogPath(`${path}/`)).toMatchObject({
      id: 'corner-shop',
      path: `${path}/`,
      errors: [],
      catalog: { id: 'corner-shop' },
    })
  })

  it('takes one file and names it by itself', async () => {
    const domain = readFileSync(join(own, 'shop/domain.yaml'), 'utf8')
    const mappings = readFileSync(join(own, 'shop/mappings.yaml'), 'utf8').replaceAll(/^/gm, '  ')
    const path = write('stall.cgs.yaml', `${domain}\nmappings:\n${mappings}`)
    expect(await readCatalogPath(path)).toMatchObject({ id: 'stall', errors: [], catalog: { id: 'stall' } })
  })

  it('reports places by file and line', async () => {
    const path = copy('shop')
    edit(path, 'target: OrderLine', 'target: OrderLin')
    const { errors } = await readCatalogPath(path)
    expect(errors).toEqual([
      {
        code: 'unknown_name',
        message: '`entities.Order.relations.lines.target` refers to an unknown entity: `OrderLin`.',
        next: 'Did you mean `OrderLine`?',
        file: join(path, 'domain.yaml'),
        line: 99,
        nearest: ['OrderLine'],
      },
    ])
  })

  it.each([
    ['nothing at all', () => join(root, 'nowhere'), 'it does not exist'],
    ['a JSON file', () => write('a.json', '{}'), 'must be YAML'],
    ['another file', () => write('a.txt', ''), 'has an unknown format'],
    [
      'a folder without files',
      () => mkdirSync(join(root, 'empty'), { recursive: true }) ?? join(root, 'empty'),
      'has an unknown format',
    ],
    [
      'text that is not UTF-8',
      () => (writeFileSync(join(root, 'b.yaml'), Buffer.from([0x61, 0xff])), join(root, 'b.yaml')),
      'it is not UTF-8',
    ],
    [
      'a pipe',
      () => (execFileSync('mkfifo', [join(root, 'c.yaml')]), join(root, 'c.yaml')),
      'it is neither a file nor a folder',
    ],
    [
      'fifty-one megabytes',
      () => (
        writeFileSync(join(root, 'd.yaml'), ''),
        truncateSync(join(root, 'd.yaml'), 51 * 1024 * 1024),
        join(root, 'd.yaml')
      ),
      'over the limit of 52428800',
    ],
  ])('refuses %s', async (_, path, reason) => {
    const { catalog, errors } = await readCatalogPath(path())
    expect(catalog).toBeUndefined()
    expect(errors[0]?.message).toContain(reason)
  })

  it('reads no file that a link of a folder leads to elsewhere', async () => {
    const path = copy('shop')
    const elsewhere = write('elsewhere.yaml', readFileSync(join(own, 'shop/mappings.yaml'), 'utf8'))
    const mappings = join(path, 'mappings.yaml')
    rmSync(mappings)
    symlinkSync(elsewhere, mappings)
    const { catalog, errors } = await readCatalogPath(path)
    expect(catalog).toBeUndefined()
    expect(errors).toMatchObject([
      {
        code: 'catalog_unreadable',
        message: `Cannot read the catalog ${mappings}: it is a symbolic link that leads out of its folder.`,
      },
    ])
    // Links inside the folder are how some systems replace all files at once.
    mkdirSync(join(path, 'now'))
    renameSync(join(path, 'domain.yaml'), join(path, 'now/domain.yaml'))
    writeFileSync(join(path, 'now/mappings.yaml'), readFileSync(elsewhere))
    rmSync(mappings)
    for (const name of ['domain.yaml', 'mappings.yaml']) symlinkSync(join('now', name), join(path, name))
    expect(await readCatalogPath(path)).toMatchObject({ id: 'shop', errors: [] })
  })

  it('lists what it accepts where no reader claims the path', async () => {
    const path = write('a.txt', '')
    expect((await readCatalogPath(path)).errors).toEqual([
      {
        code: 'catalog_unrecognised',
        message: `The catalog ${path} has an unknown format.`,
        next: 'Give an OpenAPI document (.json, .yaml), or a GraphQL schema (.graphql, or an introspection result in .json), or a folder with domain.yaml and mappings.yaml, or one .yaml file.',
        file: path,
      },
    ])
  })

  it('names the file that a folder lacks', async () => {
    const path = copy('shop', 'half')
    rmSync(join(path, 'mappings.yaml'))
    expect((await readCatalogPath(path)).errors).toMatchObject([
      { code: 'catalog_unreadable', message: expect.stringContaining('it does not exist') },
    ])
  })

  it('refuses a pipe inside of a folder', async () => {
    const path = copy('shop', 'piped')
    rmSync(join(path, 'mappings.yaml'))
    execFileSync('mkfifo', [join(path, 'mappings.yaml')])
    expect((await readCatalogPath(path)).errors).toMatchObject([
      { code: 'catalog_unreadable', message: expect.stringContaining('plain file') },
    ])
  })
})

describe('several catalogs', () => {
  it('make one set', async () => {
    const { source, problems } = await fileCatalogs([copy('shop'), copy('library')])
    expect([...source.current().byId.keys()]).toEqual(['library', 'shop'])
    expect(problems).toEqual([])
  })

  it('serve the first of two with one id', async () => {
    const [first, second] = [copy('shop'), copy('shop')]
    const { source, readings } = await fileCatalogs([first, second])
    expect([...source.current().byId.keys()]).toEqual(['shop'])
    expect(readings.map(({ errors }) => errors.map(({ message }) => message))).toEqual([
      [],
      [`Two catalogs have the id \`shop\`: ${first} and ${second}.`],
    ])
  })

  it('move to other origins under the same digest', async () => {
    const path = copy('shop')
    const plain = await fileCatalogs([path])
    const moved = await fileCatalogs([path], { backends: { shop: 'http://127.0.0.1:4010/v1/' } })
    const [a, b] = [plain, moved].map(({ source }) => source.current().byId.get('shop'))
    expect(b?.catalog.origin).toBe('http://127.0.0.1:4010/v1')
    expect(b?.digest).toBe(a?.digest)
  })

  it('report backends of unknown catalogs', async () => {
    const { problems } = await fileCatalogs([copy('shop')], {
      backends: { shopp: 'http://127.0.0.1', shop: 'nope' },
    })
    expect(problems.map(({ code, nearest }) => [code, nearest])).toEqual([
      ['unknown_backend', ['shop']],
      ['bad_url', undefined],
    ])
  })
})
