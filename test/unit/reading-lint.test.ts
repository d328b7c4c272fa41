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
  'a walk of its own': 'const walk = new PageWalk(source, {});',
  'an iteration over pages': 'for await (const page of walkPages(source, {})) all.push(page);',
  'a reader that is asked in a loop': 'while (!rows.isDone) await run.load(false);',
};

for (const [name, code] of Object.entries(planted))
  it(`forbids ${name}`, () => {
    for (const folder of ['core/src/controls', 'client/src/features/records', 'cli/src/run'])
      assert.ok(readingProblems(`${folder}/planted.ts`, code).length > 0, folder);
    for (const folder of ['core/src/reading', 'api/client', 'service/src'])
      assert.deepEqual(readingProblems(`${folder}/planted.ts`, code), [], folder);
  });

it('allows one page, the words for it, and a feed that translates tokens', () => {
  for (const code of [
    'await run.load(true);',
    "const words = t('Pages results by nextPageToken');",
    'for (const file of files) await file.load(path);',
  ])
    assert.deepEqual(readingProblems('core/src/planted.ts', code), [], code);
  const feed = 'core/src/records/kept-pages.ts';
  assert.deepEqual(readingProblems(feed, 'const { nextPageToken } = page;'), []);
  assert.equal(readingProblems(feed, 'for (;;) ({ nextPageToken } = await ask(nextPageToken));').length, 2);
});
