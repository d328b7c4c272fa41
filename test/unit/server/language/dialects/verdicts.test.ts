/**
 * Statements from PostgreSQL's function reference (chapter 9) and the documentation of extensions and other databases,
 * each with a manually assigned verdict: test/golden/verdicts.jsonl.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import { parseDialect } from '#server/language/text/dialects.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import type { ReadOnlyVerdict } from '#server/protocol.ts';

interface Judged {
  /** The function's source: a section of PostgreSQL's manual, an extension or another database. */
  readonly source: string;
  readonly dialect?: string;
  readonly sql: string;
  readonly verdict: ReadOnlyVerdict;
}

const file = path.join(import.meta.dirname, '../../../../golden/verdicts.jsonl');
const judged = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Judged); // our own file

suite('verdicts for statements from the references', () => {
  const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
  const dialectParser = new WorkerDialectParser({ timeLimitMs: 10_000 });
  const analyser = new Analyser(parser, new DialectAnalyser(dialectParser));
  after(async () => {
    await parser.dispose();
    await dialectParser.dispose();
  });

  test('are many and distinct', () => {
    const texts = new Set(judged.map(({ dialect, sql }) => `${dialect ?? ''} ${sql}`));
    assert.equal(texts.size, judged.length);
    assert.ok(texts.size >= 500, String(texts.size));
  });

  for (const source of new Set(judged.map((one) => one.source))) {
    test(source, async () => {
      const wrong: string[] = [];
      for (const { dialect, sql, verdict } of judged.filter((one) => one.source === source)) {
        const analysis = await analyser.analyse(sql, { isSavedQuery: true, dialect: parseDialect(dialect) });
        const [statement] = analysis?.statements ?? [];
        const called = statement?.calls?.map(({ name }) => name).join(', ') ?? '';
        if (statement?.verdict !== verdict || analysis?.statements.length !== 1) {
          wrong.push(`${sql}: ${statement?.verdict ?? 'nothing'} (${called}) in place of ${verdict}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }
});
