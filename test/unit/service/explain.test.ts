/** What a person is told of a query that PostgreSQL refused to let write. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { queryError } from '#service/query/explain.ts';
import { prepareQuery } from '#service/query/prepare.ts';

suite('a query that would write', () => {
  for (const [text, phase, refused, told] of [
    [
      'SELECT * FROM view_of_f',
      'run',
      'INSERT',
      /^The query calls something that writes, and queries only read: cannot execute INSERT/,
    ],
    [
      "TABLE t ORDER BY nextval('s')",
      'run',
      'nextval()',
      /^The query calls something that writes, .* nextval\(\)/,
    ],
    ['SELECT 1 FROM t FOR UPDATE', 'run', 'SELECT FOR UPDATE', /^Only SELECT statements are permitted\.$/],
    ['DELETE FROM t', 'proof', 'DELETE', /^Only SELECT statements are permitted\.$/],
  ] as const)
    // oxfmt-ignore
    test(`is told what writes: ${text}`, () => {
      const query = prepareQuery(text, {});
      assert.ok('sql' in query);
      const message = `cannot execute ${refused} in a read-only transaction`;
      const failure = { phase, sqlState: '25006', message, hint: undefined, position: undefined };
      const { code, message: words, ...more } = queryError(text, query, failure).toEnvelope();
      assert.equal(code, 'QUERY_PARSE_ERROR');
      assert.match(words, told);
      assert.match(JSON.stringify(more), /MUTATION_NOT_ALLOWED/);
    });
});
