/** All golden findings in a pseudo-language, which puts each translated string in guillemets. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import ts from 'typescript-api';
import type { FindingCode } from '#base/finding-severities.ts';
import { setTranslations } from '#base/texts.ts';
import { sourcesOf, textsOf, unknownTextsOf } from '#scripts/lib/texts.js';
import { Analyser } from '#server/language/checks/analyser.ts';
import type { Finding } from '#server/language/checks/finding.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { goldenCases } from './golden-cases.ts';
import { goldenCatalogue } from './golden-catalogue.ts';

const limits = { timeLimitsMs: [10_000, 10_000] } as const;
const pseudo = Object.fromEntries([...textsOf('server/src').keys()].map((text) => [text, `«${text}»`]));

/** Findings whose message may start with a sentence from PostgreSQL, which is always English. */
const inWordsOfPostgres: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'QUERY_PARSE_ERROR',
  'TYPE_MISMATCH',
  'INVALID_LITERAL',
  'AGGREGATE_MISUSE',
  'UNGROUPED_COLUMN',
  'SUBQUERY_COLUMNS',
  'INVALID_CLAUSE',
]);

suite('findings in another language', () => {
  const english = new WorkerParser(limits);
  const translated = new WorkerParser(limits);
  after(async () => {
    setTranslations({});
    await Promise.all([english.dispose(), translated.dispose()]);
  });
  const given = Object.values(goldenCases)
    .flat()
    .map((each) => (typeof each === 'string' ? { text: each } : each));
  const findingsBy = async (parser: WorkerParser): Promise<readonly Finding[]> => {
    const analyser = new Analyser(parser);
    const found: Finding[] = [];
    for (const { text, isSavedQuery = false, isKnown = false } of given) {
      const options = { isSavedQuery, ...(isKnown ? { catalogue: goldenCatalogue } : {}) };
      for (const each of (await analyser.analyse(text, options))?.findings ?? []) found.push(each);
    }
    return found;
  };
  let own: readonly Finding[] = [];
  let others: readonly Finding[] = [];
  before(async () => {
    own = await findingsBy(english);
    setTranslations(pseudo);
    others = await findingsBy(translated);
  });

  test('are the same except for the language', () => {
    const plain = (findings: readonly Finding[]): unknown =>
      JSON.parse(JSON.stringify(findings).replaceAll(/[«»]/g, ''));
    assert.ok(own.length > 200, String(own.length));
    assert.deepEqual(plain(others), plain(own));
  });

  test("contain no English words except PostgreSQL's", () => {
    const left = others.flatMap(({ code, message, fix, unprovenFix }) => [
      ...(isTranslated(inWordsOfPostgres.has(code) ? withoutPostgres(message) : message) ? [] : [message]),
      ...[fix, unprovenFix].flatMap((each) =>
        each === undefined || isTranslated(each.title) ? [] : [each.title],
      ),
    ]);
    assert.deepEqual([...new Set(left)], []);
  });
});

suite('texts of the language server', () => {
  test('are all literals at their uses', () => {
    assert.deepEqual(unknownTextsOf('server/src'), []);
  });

  test('are looked up after startup, when the language is known', () => {
    const early = sourcesOf('server/src').flatMap((file) => {
      const places: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node)) return;
        if (ts.isCallExpression(node) && node.expression.getText(file) === 't')
          places.push(`${file.fileName}: ${node.getText(file)}`);
        ts.forEachChild(node, visit);
      };
      visit(file);
      return places;
    });
    assert.deepEqual(early, []);
  });
});

/** Removes PostgreSQL's sentence from the start of a message. A translated first sentence is kept. */
const withoutPostgres = (message: string): string =>
  message.startsWith('«') ? message : message.replace(/^(?:(?!\. [«\p{Lu}])[^])*/u, '');

/** Returns true if guillemets enclose every word. */
function isTranslated(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '«') depth++;
    else if (character === '»') depth--;
    else if (depth === 0 && /\p{L}/u.test(character)) return false;
  }
  return true;
}
