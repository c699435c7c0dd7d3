import { describe, expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import type { Reply, ContextFacts } from '../../../src/engine/contract.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const HOUR = 3_600_000

function seeds(...names: readonly string[]) {
  return names.map((name) => {
    const [api, entity] = name.split(':')
    return { api, entity }
  })
}

function accepted(reply: Reply<ContextFacts>): Extract<Reply<ContextFacts>, { ok: true }> {
  if (!reply.ok) throw new Error(reply.text)
  return reply
}

const BOOK_ROWS = [
  'e1(isbn=$)\tBook: An edition that the library owns · isbn, title, author, pages int, summary markdown · also copies [Copy]',
  'e1\t[e1]',
  'e1~$\t[e1]',
]

const FULL = `\`s0\`

\`\`\`tsv
plasm_expr\tMeaning
${BOOK_ROWS.join('\n')}
\`\`\`
`

const UNCHANGED = (count: number, ref = 's0') =>
  `\`${ref}\`\n\n_Session unchanged (\`e1\`…\`e${count}\`). Use \`plasm\` / \`plasm_run\` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n`

describe('plasm_context', () => {
  test('opens with the ref and one full table', async () => {
    const { gateway } = testEngine()
    const reply = accepted(
      await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') }),
    )
    expect(reply.text).toBe(FULL)
    expect(reply.meta).toEqual({
      logical_session_ref: 's0',
      continuity: {
        stale_binding_recovered: false,
        new_symbol_space: true,
        discard_cached_plasm_symbols: true,
      },
      domain_revision: 1,
    })
    expect(reply.facts.reused).toBe(false)
  })

  test('answers the same call with one line', async () => {
    const { gateway } = testEngine()
    await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
    const reply = accepted(
      await gateway.context(LOCAL_USER, { intent: ' read ', seeds: seeds('library:Book', 'library:Book') }),
    )
    expect(reply.text).toBe(UNCHANGED(1))
    expect(reply.meta).toEqual({
      logical_session_ref: 's0',
      continuity: { stale_binding_recovered: false, new_symbol_space: false },
      domain_revision: 1,
    })
    expect(reply.facts.reused).toBe(true)
  })

  test('extends with the new rows only', async () => {
    const { gateway } = testEngine()
    await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
    const reply = accepted(
      await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book', 'library:Copy') }),
    )
    expect(reply.text).toMatch(/^`s0`\n\n```tsv\nplasm_expr\tMeaning\n(e2|e1\(\$\)\.)[^]*\n```\n$/)
    for (const row of BOOK_ROWS) expect(reply.text).not.toContain(`${row}\n`)
    expect(reply.meta['domain_revision']).toBe(2)
  })

  test('answers a repeated set of several catalogs with one line', async () => {
    const { gateway } = testEngine()
    await gateway.context(LOCAL_USER, {
      intent: 'read',
      seeds: seeds('shop:Order', 'library:Order', 'library:Book'),
    })
    const again = await gateway.context(LOCAL_USER, {
      intent: 'read',
      seeds: seeds('library:Book', 'library:Order', 'shop:Order'),
    })
    expect(again.text).toBe(UNCHANGED(3))
  })

  test('gives the same table for any order of seeds', async () => {
    const texts = [
      seeds('shop:Order', 'library:Book', 'shop:Product'),
      seeds('library:Book', 'shop:Product', 'shop:Order', 'library:Book'),
    ].map(
      async (picked) => (await testEngine().gateway.context(LOCAL_USER, { intent: 'x', seeds: picked })).text,
    )
    const [first, second] = await Promise.all(texts)
    expect(first).toBe(second)
  })

  test('resolves aliases and letter case of an api', async () => {
    const { gateway, swap } = testEngine()
    swap(setOf(fixtureCatalog('library', { aliases: ['books'] })))
    expect((await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('Books:Book') })).text).toBe(
      FULL,
    )
    expect(
      (
        await gateway.context(LOCAL_USER, {
          intent: 'read',
          seeds: [{ entry_id: 'LIBRARY', entity: 'Book' }],
        })
      ).text,
    ).toBe(UNCHANGED(1))
  })

  test('numbers goals in the order they come', async () => {
    const { gateway } = testEngine()
    for (const [index, intent] of ['a', 'b', 'a', 'c'].entries()) {
      const reply = accepted(await gateway.context(LOCAL_USER, { intent, seeds: seeds('library:Book') }))
      expect(reply.meta['logical_session_ref']).toBe(['s0', 's1', 's0', 's2'][index])
    }
  })

  test('rejoins by ref, short or long', async () => {
    const { gateway } = testEngine()
    const opened = accepted(
      await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') }),
    )
    for (const logical_session_ref of ['s0', opened.facts.longRef]) {
      const reply = await gateway.context(LOCAL_USER, { logical_session_ref, seeds: seeds('library:Book') })
      expect(reply.text).toBe(UNCHANGED(1))
    }
  })
})

test('null for an argument counts as absent, as clients send it', async () => {
  const { gateway } = testEngine()
  const call = {
    intent: 'read',
    logical_session_ref: null,
    seeds: [{ api: 'library', entry_id: null, entity: 'Book' }],
    have: null,
    fork_of: null,
    workspace: null,
  }
  expect((await gateway.context(LOCAL_USER, call)).text).toBe(FULL)
  const program = { logical_session_ref: 's0', program: 'e1', reasoning: null, workspace: null }
  expect(await gateway.plan(LOCAL_USER, program)).toMatchObject({ ok: true })
  const goal = { intent: 'read books', typed: null, max_options: null, allowed_entry_ids: null }
  expect(await gateway.discover(LOCAL_USER, goal)).toMatchObject({ ok: true })
})

test('the same API under two names is one', async () => {
  const seed = { api: 'library', entry_id: 'Library', entity: 'Book' }
  const reply = await testEngine().gateway.context(LOCAL_USER, { intent: 'read', seeds: [seed] })
  expect(reply.text).toBe(FULL)
})

describe('a call that is wrong', () => {
  test('changes nothing and lists every problem', async () => {
    const { gateway } = testEngine()
    const call = { intent: 'read', seeds: seeds('library:Book', 'shopp:Order', 'shop:Custmer') }
    expect(await gateway.context(LOCAL_USER, call)).toEqual({
      ok: false,
      text: [
        'unknown_api at seeds[1].api: There is no api `shopp`; nearest: `shop`. Copy the `api` from `discover_capabilities`.',
        'unknown_seed at seeds[2].entity: The api `shop` has no entity `Custmer`; nearest: `Customer`. Copy the `entity` from `discover_capabilities`.',
        '',
      ].join('\n'),
      problems: [
        expect.objectContaining({ code: 'unknown_api', path: 'seeds[1].api', nearest: ['shop'] }),
        expect.objectContaining({ code: 'unknown_seed', path: 'seeds[2].entity', nearest: ['Customer'] }),
      ],
    })
    const listed = await gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions).toEqual([])
    expect((await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })).text).toBe(
      FULL,
    )
  })

  test.each([
    [{}, ['missing_intent', 'missing_seeds']],
    [{ intent: 'x' }, ['missing_seeds']],
    [{ intent: 'x', seeds: [] }, ['missing_seeds']],
    [{ intent: '', seeds: seeds('library:Book') }, ['bad_intent']],
    [{ intent: '\uD800', seeds: seeds('library:Book') }, ['bad_intent']],
    [{ intent: 'x'.repeat(5000), seeds: seeds('library:Book') }, ['bad_intent']],
    [{ intent: 5, seeds: 'Book' }, ['bad_arguments', 'bad_arguments']],
    [{ intent: 'x', seeds: [{ api: ' ', entity: 'Book' }] }, ['empty_seed']],
    [{ intent: 'x', seeds: [{ api: 'library', entry_id: 'shop', entity: 'Book' }] }, ['two_apis']],
    [{ intent: 'x', seeds: [{ api: 'library', entry_id: 'no', entity: 'Book' }] }, ['two_apis']],
    [{ intent: 'x', seeds: seeds('__proto__:constructor') }, ['unknown_api']],
    [{ intent: 'x', seeds: seeds('library:__proto__') }, ['unknown_seed']],
    [{ intent: 'x', seeds: seeds('library:Book'), have: 'everything' }, ['bad_have']],
    [{ intent: 'x', have: 'none' }, ['missing_seeds']],
    [{ logical_session_ref: 's7', seeds: seeds('library:Book') }, ['unknown_session']],
    [{ logical_session_ref: 'session', seeds: seeds('library:Book') }, ['bad_ref']],
    [null, ['bad_arguments']],
    ['{}', ['bad_arguments']],
  ])('%j is refused', async (call, codes) => {
    const reply = await testEngine().gateway.context(LOCAL_USER, call)
    expect(reply.ok ? [] : reply.problems.map(({ code }) => code)).toEqual(codes)
  })

  test('names the misspelt form of an argument that is missing', async () => {
    const call = { logical_session_ref: 's0', programm: 'e1' }
    const { text } = await testEngine().gateway.plan(LOCAL_USER, call)
    expect(text).toBe(
      'bad_arguments at program: Invalid arguments: `program` is missing, and `programm` is no argument. Correct the arguments and call again; nothing changed.\n',
    )
  })

  test('says what each wrong argument must be', async () => {
    const call = { intent: 5, seeds: [{ api: 'library' }], have: ['e1'] }
    expect((await testEngine().gateway.context(LOCAL_USER, call)).text).toBe(
      [
        'bad_arguments at intent: Invalid arguments: `intent` must be a text. Correct the arguments and call again; nothing changed.',
        'bad_arguments at seeds[0].entity: Invalid arguments: `seeds[0].entity` is missing. Correct the arguments and call again; nothing changed.',
        'bad_arguments at have: Invalid arguments: `have` must be a text. Correct the arguments and call again; nothing changed.',
        '',
      ].join('\n'),
    )
  })

  test('names another session than its ref', async () => {
    const { gateway } = testEngine()
    await gateway.context(LOCAL_USER, { intent: 'a', seeds: seeds('library:Book') })
    await gateway.context(LOCAL_USER, { intent: 'b', seeds: seeds('library:Book') })
    const reply = await gateway.context(LOCAL_USER, {
      intent: 'a',
      logical_session_ref: 's1',
      seeds: seeds('library:Book'),
    })
    expect(reply.ok ? [] : reply.problems.map(({ code }) => code)).toEqual(['intent_names_another_session'])
  })
})

describe('have', () => {
  async function taught() {
    const engine = testEngine()
    await engine.gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
    const delta = await engine.gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Copy') })
    return { ...engine, rowsOfDelta: rowsOf(delta.text) }
  }
  const rowsOf = (text: string) =>
    text.split('\n').filter((line) => line.includes('\t') && !line.startsWith('plasm_expr'))

  test('none brings the whole table', async () => {
    const { gateway, rowsOfDelta } = await taught()
    const reply = await gateway.context(LOCAL_USER, { intent: 'read', have: 'none' })
    expect(rowsOf(reply.text)).toEqual([...BOOK_ROWS, ...rowsOfDelta])
  })

  test('the last symbol held brings what came after', async () => {
    const { gateway, rowsOfDelta } = await taught()
    expect(
      rowsOf((await gateway.context(LOCAL_USER, { logical_session_ref: 's0', have: 'e1' })).text),
    ).toEqual(rowsOfDelta)
    expect((await gateway.context(LOCAL_USER, { logical_session_ref: 's0', have: 'e2' })).text).toBe(
      UNCHANGED(2),
    )
  })

  test('more than was ever given is refused and changes nothing', async () => {
    const { gateway } = await taught()
    const call = { intent: 'read', seeds: seeds('library:Order') }
    expect(await gateway.context(LOCAL_USER, { ...call, have: 'e9' })).toMatchObject({
      ok: false,
      problems: [{ code: 'have_unknown' }],
    })
    expect(accepted(await gateway.context(LOCAL_USER, call)).text).toContain('\ne3')
  })
})

describe('an answer that is lost', () => {
  test('brings its rows again with the next one', async () => {
    const { gateway, losing } = testEngine()
    const call = { intent: 'read', seeds: seeds('library:Book') }
    expect((await losing().context(LOCAL_USER, call)).text).toBe(FULL)
    expect((await gateway.context(LOCAL_USER, call)).text).toBe(FULL)
    expect((await gateway.context(LOCAL_USER, call)).text).toBe(UNCHANGED(1))
  })

  test('loses no delta', async () => {
    const { gateway, losing } = testEngine()
    await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
    const lost = await losing().context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Copy') })
    const again = await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
    expect(again.text).toBe(lost.text)
    expect((await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Copy') })).text).toBe(
      UNCHANGED(2),
    )
  })

  test('loses no recovery', async () => {
    const { gateway, losing, advance } = testEngine()
    const call = { intent: 'read', seeds: seeds('library:Book', 'library:Order') }
    await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
    advance(HOUR)
    const lost = await losing().context(LOCAL_USER, call)
    const again = await gateway.context(LOCAL_USER, call)
    expect(lost.text).toContain('\ne2($)')
    expect(again.text).toContain('\ne2($)')
  })
})

describe('stale recovery', () => {
  test.each([
    ['one catalog', ['library:Book']],
    ['several catalogs', ['library:Book', 'shop:Order']],
  ])('sends notice and full table for %s', async (_case, picked) => {
    const { gateway, advance } = testEngine()
    const opened = accepted(await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds(...picked) }))
    advance(HOUR)
    const reply = accepted(await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds(...picked) }))
    const fence = opened.text.slice(opened.text.indexOf('```'))
    expect(reply.text).toMatch(/^`s0`\n\n\*\*Prior Plasm symbol table is void\.\*\* [^\n]+\n\n```tsv\n/)
    expect(reply.text.slice(reply.text.indexOf('```'))).toBe(fence)
    expect(reply.meta).toEqual({
      logical_session_ref: 's0',
      continuity: {
        stale_binding_recovered: true,
        new_symbol_space: true,
        discard_cached_plasm_symbols: true,
        previous_execute: { prompt_hash: opened.facts.promptHash, session_id: opened.facts.session },
      },
      domain_revision: 2,
    })
  })

  test('does not follow while the session is used', async () => {
    const { gateway, advance } = testEngine()
    for (let use = 0; use < 5; use++) {
      const reply = await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') })
      expect(reply.text).toBe(use === 0 ? FULL : UNCHANGED(1))
      advance(HOUR - 1)
    }
  })

  test('names the catalog that changed and what it lost', async () => {
    const { gateway, swap } = testEngine()
    await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book', 'library:Copy') })
    const library = fixtureCatalog('library')
    swap(setOf({ ...library, version: 99, entities: library.entities.filter(({ name }) => name !== 'Copy') }))
    const reply = accepted(
      await gateway.context(LOCAL_USER, { intent: 'read', seeds: seeds('library:Book') }),
    )
    expect(reply.text).toContain('Changed: library. No longer there: library:Copy.')
    expect(reply.text).toContain('\ne3(isbn=$)\tBook')
  })
})

describe('callers at the same time', () => {
  test('two racing opens both hold the full table, and one row exists', async () => {
    const engine = testEngine()
    const other = engine.another()
    const call = { intent: 'read', seeds: seeds('library:Book') }
    const [one, two] = await Promise.all([
      engine.gateway.context(LOCAL_USER, call),
      other.context(LOCAL_USER, call),
    ])
    expect([one.text, two.text]).toEqual([FULL, FULL])
    const listed = await engine.gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions).toHaveLength(1)
    expect(one.ok && two.ok && one.facts.session === two.facts.session).toBe(true)
  })

  test('racing extends give each symbol one meaning', async () => {
    const engine = testEngine()
    await engine.gateway.context(LOCAL_USER, { intent: 'x', seeds: seeds('library:Book') })
    const picks = ['shop:Order', 'shop:Product', 'shop:Customer', 'library:Copy', 'library:Order']
    const replies = await Promise.all(
      picks.map((name) => engine.another().context(LOCAL_USER, { intent: 'x', seeds: seeds(name) })),
    )
    const meanings = new Map<string, Set<string>>()
    for (const { text } of replies) {
      for (const [, symbol = '', name = ''] of text.matchAll(
        /^(e\d+)[^\t\n]*\t(?:\[e\d+\] · )?(?:(?:shop|library)\.)(\w+)/gm,
      )) {
        meanings.set(symbol, (meanings.get(symbol) ?? new Set()).add(name))
      }
    }
    expect([...meanings.values()].every((names) => names.size === 1)).toBe(true)
    expect(replies.every((reply) => reply.ok)).toBe(true)
  })
})

describe('callers apart', () => {
  const ann: Caller = { ...LOCAL_USER, principal: ['user', 'ann'], tenantScope: ['user', 'ann'] }
  const bob: Caller = { ...LOCAL_USER, principal: ['user', 'bob'], tenantScope: ['user', 'bob'] }

  test('share nothing under one intent', async () => {
    const { gateway } = testEngine()
    const opened = accepted(await gateway.context(ann, { intent: 'read', seeds: seeds('library:Book') }))
    expect((await gateway.context(bob, { intent: 'read', seeds: seeds('library:Book') })).text).toBe(FULL)
    const stolen = await gateway.context(bob, {
      logical_session_ref: opened.facts.longRef,
      seeds: seeds('library:Book'),
    })
    expect(stolen.ok ? [] : stolen.problems.map(({ code }) => code)).toEqual(['unknown_session'])
  })

  test('share a session where the tenant does, each taught in full', async () => {
    const { gateway } = testEngine()
    const shared = { tenantScope: ['tenant', 'acme'] }
    await gateway.context({ ...ann, ...shared }, { intent: 'read', seeds: seeds('library:Book') })
    const call = { intent: 'read', seeds: seeds('library:Book') }
    expect((await gateway.context({ ...bob, ...shared }, call)).text).toBe(FULL)
    expect((await gateway.context({ ...bob, ...shared }, call)).text).toBe(UNCHANGED(1))
  })

  test('see only what they may', async () => {
    const { gateway } = testEngine()
    const limited: Caller = {
      ...ann,
      mayUseCatalog: (id) => id === 'library',
      mayUseCapability: (_, name) => name !== 'book_search',
    }
    const refused = await gateway.context(limited, { intent: 'x', seeds: seeds('shop:Order') })
    expect(refused.ok ? '' : refused.problems[0]).toMatchObject({ code: 'unknown_api', nearest: [] })
    const reply = await gateway.context(limited, { intent: 'read', seeds: seeds('library:Book') })
    expect(reply.text).toBe(FULL.replace('e1~$\t[e1]\n', ''))
  })

  test('do not see an entity of which they may call nothing', async () => {
    const { gateway } = testEngine()
    let mayCall = false
    const limited: Caller = {
      ...ann,
      mayUseCapability: (_, name) => mayCall || !name.startsWith('book_'),
    }
    const call = { intent: 'read', seeds: seeds('library:Book') }
    const refused = await gateway.context(limited, call)
    expect(refused.text).toBe(
      'unknown_seed at seeds[0].entity: The api `library` has no entity `Book`. Copy the `entity` from `discover_capabilities`.\n',
    )
    mayCall = true
    await gateway.context(limited, call)
    mayCall = false
    const again = await gateway.context(limited, { intent: 'read', have: 'none' })
    expect(again.text).toBe(
      '`s0`\n\n_You may use no entity of this session._ Call again with other `seeds` from discover_capabilities, or ask the operator for the right.\n',
    )
  })
})

test('rows that arrived are not taught again while the note of it is being stored', async () => {
  const store = memoryStore({ clock: { now: () => 1_000_000 } })
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const slow = {
    ...store,
    markDelivered: async (...note: Parameters<typeof store.markDelivered>) => {
      await gate
      return store.markDelivered(...note)
    },
  }
  const gateway = testEngine({ store: slow }).losing()
  const call = { intent: 'read', seeds: seeds('library:Book') }
  const opened = accepted(await gateway.context(LOCAL_USER, call))
  const noted = opened.markDelivered?.()
  const answers = [
    gateway.context(LOCAL_USER, call),
    gateway.context(LOCAL_USER, { logical_session_ref: 's0', have: 'e1' }),
  ]
  open()
  await noted
  for (const answer of answers) expect((await answer).text).toBe(UNCHANGED(1))
})
