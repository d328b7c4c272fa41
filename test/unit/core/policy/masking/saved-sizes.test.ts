/** Saved queries of the library and examples of the guides: what an agent gives their parameters chooses no size. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { readQueryOrigins } from '#core/policy/masking/query-origins.ts';
import { unknownOf } from '#core/policy/masking/relations.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { replacePlaceholders, splitStatements } from '#server/language/text/statements.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const parser = new WorkerParser();
const analyser = new Analyser(parser);
after(() => parser.dispose());

const textsIn = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.sql')
    ? [text]
    : [...text.matchAll(/^ *```sql\n(.*?)^ *```/gms)].map(([, sql = '']) => sql);
};
const files = ['library/**/*.identity.sql', 'media/**/*.identity.sql', 'docs/**/*.md', 'README.md'];
const texts = globSync(files).flatMap((file) => textsIn(file).map((text) => [file, text] as const));

describe('a saved query that a person may copy', () => {
  it('has no size that its parameters choose', async () => {
    const chosen: string[] = [];
    let judged = 0;
    for (const [file, text] of texts) {
      const analysis = await analyser.analyse(text, { isSavedQuery: true });
      if (analysis === undefined) continue;
      for (const [index, span] of splitStatements(analysis.lexed).entries()) {
        if (!analysis.statements[index]?.placeholders.length) continue;
        const json = await parser.readTree(replacePlaceholders(analysis.lexed, span));
        // Any value may be a sensitive one.
        const origins = readQueryOrigins(JSON.parse(json ?? '{}'), {
          schema: '',
          columnsOf: (_, table) => unknownOf(table),
        });
        if (origins === undefined) continue;
        judged += 1;
        for (const problem of origins.problems)
          if ('isByValue' in problem && problem.isByValue) chosen.push(`${file}: ${problem.what}`);
      }
    }
    assert.deepEqual(chosen, []);
    assert.ok(judged > 20, String(judged));
  });
});
