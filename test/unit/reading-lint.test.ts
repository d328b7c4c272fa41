/** Only the one reader asks for further pages: every way to write another loop is reported. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readingProblems } from '#scripts/lib/house-rules.js';

const planted: Readonly<Record<string, string>> = {
  'a loop over tokens':
    'for (let token; ; ) { const page = await list({ pageToken: token }); token = page.nextPageToken; if (!token) break; }',
  'a loop that takes the token out of a page':
    'do { const { items, nextPageToken } = await list(); all.push(...items); more = nextPageToken; } while (more);',
  'a recursion over tokens':
    'async function rest(page) { return page.nextPageToken ? await rest(await list(page.nextPageToken)) : []; }',
  'a token by its quoted name': "while (page['nextPageToken']) page = await list(page['nextPageToken']);",
  'a token by the name on the wire': "do page = await list(page?.['next_page_token']); while (page);",
  'a token that is taken out under another name':
    'for (;;) { const { next_page_token: more } = await list(more); if (!more) break; }',
  'a loop over a feed': 'while (feed.hasMore) rows.push(await feed.next(signal));',
  'a loop over a feed, by a quoted name': "do rows.push(await feed.next(signal)); while (feed['hasMore']);",
  'a reader that is asked with an expression': 'while (!rows.isDone) await run.load(all && rows.length > 0);',
  'a reader that is asked with a comparison': 'do await run.load(most === 1); while (!rows.isDone);',
  'a walk of its own': 'const walk = new PageWalk(source, {});',
  'an iteration over pages': 'for await (const page of walkPages(source, {})) all.push(page);',
  'a reader that is asked in a loop': 'while (!rows.isDone) await run.load(false);',
  'a reader that is asked in a loop, by a variable':
    'async function rest(isAll: boolean) { while (!rows.isDone) await run.load(isAll); }',
  'a reader that is asked by a quoted name': "while (!rows.isDone) await run?.['load'](!isOne);",
  'a loop over a function that asks a reader':
    'const next = () => run.load(false); for (;;) if (await next()) break;',
  'a loop over a method that asks a reader':
    'class Part { async more() { await this.#run?.load(false); } } for (; part.hasMore; ) await part.more();',
  'a loop over a private method, through another one':
    'class Part { async #one() { await run.load(false); } async two() { await this.#one(); } async all() { do await this.two(); while (x); } }',
  'a recursion over a reader':
    'async function rest() { await run.load(false); if (run.hasMore) await rest(); }',
  'a method that calls itself and asks a reader':
    'class A { async rest() { await run.load(false); if (more) await this.rest(); } }',
};

/** What the client of the API must not do either, besides the walk of `paging.ts`. */
const loopsOfTokens: Readonly<Record<string, string>> = {
  'a loop over tokens':
    "for (let at = 0; at < 5; at += 1) { const pageToken = memberOf(told.body, 'nextPageToken'); told = await ask.get(path, { pageToken }); }",
  'a loop over a function that asks for a page by its token':
    'const next = (token) => list({ pageToken: token }); while (token) token = (await next(token)).more;',
  'a recursion over tokens':
    'async function rest(page) { return page.nextPageToken ? await rest(await list(page.nextPageToken)) : []; }',
  'a walk of its own': 'const walk = new PageWalk(source, {});',
};

for (const [name, code] of Object.entries(planted))
  it(`forbids ${name}`, () => {
    for (const folder of ['core/src/controls', 'client/src/features/records', 'cli/src/run'])
      assert.ok(readingProblems(`${folder}/planted.ts`, code).length > 0, folder);
    for (const folder of ['core/src/reading', 'service/src'])
      assert.deepEqual(readingProblems(`${folder}/planted.ts`, code), [], folder);
  });

for (const [name, code] of Object.entries(loopsOfTokens))
  it(`forbids ${name} in the client of the API, too`, () => {
    for (const file of [
      'api/client/planted.ts',
      'api/client/doctor/planted.ts',
      'api/client/answers/planted.ts',
    ])
      assert.ok(readingProblems(file, code).length > 0, file);
    assert.deepEqual(readingProblems('api/client/answers/paging.ts', code), []);
  });

it('allows the client of the API to walk its lists, and to read a token', () => {
  for (const code of [
    'for await (const { items } of walkPages(source, { pagesMax })) if (items.length > 0) return items[0];',
    'const { nextPageToken } = page;',
    'for (const path of paths) first.push(await ask.get(path, { pageSize: 1 }));',
  ])
    assert.deepEqual(readingProblems('api/client/planted.ts', code), [], code);
});

it('allows one page, the words for it, and a feed that translates tokens', () => {
  for (const code of [
    'await run.load(true);',
    "const words = t('Pages results by nextPageToken');",
    'for (const file of files) await file.load(path);',
    'const read = (page) => kept.read(page, () => run.load(false));',
    'for await (const outcome of run.inTurn()) yield outcome;',
  ])
    assert.deepEqual(readingProblems('core/src/planted.ts', code), [], code);
  const feed = 'core/src/records/kept-pages.ts';
  assert.deepEqual(readingProblems(feed, 'const { nextPageToken } = page;'), []);
  assert.equal(readingProblems(feed, 'for (;;) ({ nextPageToken } = await ask(nextPageToken));').length, 2);
});
