/** `$1`: reported only if PostgreSQL reads it as a parameter. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { DialectAnalyser } from '#server/language/dialects/analyse.ts';
import type { Dialect } from '#server/language/text/dialects.ts';
import { WorkerDialectParser } from '#server/parser/dialect-parser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const parser = new WorkerParser({ timeLimitsMs: [20_000, 20_000] });
const dialectParser = new WorkerDialectParser({ timeLimitMs: 20_000 });
const analyser = new Analyser(parser, new DialectAnalyser(dialectParser));
after(() => Promise.all([parser.dispose(), dialectParser.dispose()]));

async function reported(text: string, dialect?: Dialect): Promise<readonly string[]> {
  const analysis = await analyser.analyse(text, {
    isSavedQuery: false,
    dialect,
  });
  return (analysis?.findings ?? [])
    .filter(({ code }) => code === 'POSITIONAL_PARAMETER')
    .map(({ start, end }) => text.slice(start, end));
}

describe('a positional parameter', () => {
  it('is reported at each use', async () => {
    assert.deepEqual(await reported('SELECT $1, $2 + $1'), ['$1', '$2', '$1']);
  });

  it('is reported even if the statement does not parse', async () => {
    assert.deepEqual(await reported('SELECT a $1'), ['$1']);
  });

  it('is not reported in strings, dollar quotes, names and comments', async () => {
    assert.deepEqual(
      await reported(`SELECT '$1', E'$1', $$ $1 $$, $x$ $1 $x$, a$1, "$1" -- $1\n/* $1 */`),
      [],
    );
  });

  it('is not reported in other dialects', async () => {
    assert.deepEqual(await reported('SELECT $1', 'sqlite'), []);
  });
});
