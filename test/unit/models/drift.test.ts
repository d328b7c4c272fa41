/** Broken saved queries, the document that lists their problems, and uses of tables and columns. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Diagnostic } from 'vscode-languageserver-types';
import { UsesIndex } from '#client/features/models/uses-index.ts';
import { breaking, reportOf, withQuery, type CheckedQuery, type DriftResult } from '#core/models/drift.ts';

function at(
  line: number,
  from: number,
  to: number,
  code = 'UNKNOWN_COLUMN',
  severity: 1 | 2 | 4 = 2,
): Diagnostic {
  return {
    range: { start: { line, character: from }, end: { line, character: to } },
    message: `${code} here`,
    code,
    severity,
  };
}

function query(queryId: string, text: string, ...findings: Diagnostic[]): CheckedQuery {
  return { queryId, name: `Query ${queryId}`, version: 3, model: 'platform_identity', text, findings };
}

function result(...broken: CheckedQuery[]): DriftResult {
  return { connection: 'Acme', checkedAt: 0, checked: 9, unread: 0, broken };
}

const words = {
  title: 'Broken',
  summary: 'Two.',
  query: ({ version }: CheckedQuery) => `Version ${version}`,
  finding: ({ code }: Diagnostic) => String(code),
};

suite('broken saved queries', () => {
  test('errors and unknown names break a query, but hints do not; they are in text order', () => {
    const found = breaking([
      at(2, 0, 1, 'QUERY_PARSE_ERROR', 1),
      at(0, 7, 8, 'SELECT_STAR', 4),
      at(0, 9, 12),
      at(0, 2, 4, 'UNKNOWN_TABLE', 4),
    ]);
    assert.deepEqual(
      found.map(({ code }) => code),
      ['UNKNOWN_TABLE', 'UNKNOWN_COLUMN', 'QUERY_PARSE_ERROR'],
    );
  });

  test('a text with very many lines and backticks is reported like any other', () => {
    const long = '` `\n'.repeat(300_000);
    const { text } = reportOf(result(query('a', long, at(0, 0, 1))), words);
    assert.ok(text.includes(`\`\`\`sql\n${long}`));
  });

  test('the document contains every broken text, with each problem at its position', () => {
    const texts = ['SELECT mail\nFROM accounts', '-- ```` é\r\nSELECT 1,\r\n  nope FROM roles'];
    const { text, places } = reportOf(
      result(query('a', texts[0] ?? '', at(0, 7, 11)), query('b', texts[1] ?? '', at(2, 2, 6))),
      words,
    );
    const lines = text.split('\n');
    const marked = places.map(({ range }) =>
      lines[range.start.line]?.slice(range.start.character, range.end.character),
    );
    assert.deepEqual(marked, ['mail', 'nope']);
    const fences = lines.filter((line) => /^`+/.test(line));
    assert.deepEqual(fences, ['```sql', '```', '`````sql', '`````']);
  });

  test('a corrected query disappears, a newly broken one appears, and the others keep their position', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => query(id, 'SELECT x', at(0, 7, 8)));
    assert.ok(a && b && c);
    const ids = ({ broken }: DriftResult) => broken.map(({ queryId }) => queryId);
    assert.deepEqual(ids(withQuery(result(a, b, c), query('b', 'SELECT 1'))), ['a', 'c']);
    assert.deepEqual(ids(withQuery(result(a, b, c), { ...b, version: 4 })), ['a', 'b', 'c']);
    assert.deepEqual(ids(withQuery(result(a), c)), ['a', 'c']);
    assert.deepEqual(ids(withQuery(result(a), query('z', 'SELECT 1'))), ['a']);
  });
});

suite('uses of tables and columns', () => {
  test('each saved query counts once for a table and for each of its columns', () => {
    const index = new UsesIndex();
    const reference = (table: string, ...columns: string[]) => ({
      model: 'm',
      table,
      columns,
      usesAllColumns: false,
    });
    const origins = [{ model: 'm', table: 'accounts', column: 'email' }];
    index.add('1', {
      tables: [reference('accounts', 'id', 'email'), reference('accounts', 'email')],
      outputs: [{ name: 'mail', origins }, { name: 'id', origins: [] }, { origins }],
    });
    index.add('2', { tables: [reference('accounts', 'email'), reference('a.b')], outputs: [] });
    const table = (name: string) => ({ kind: 'table' as const, model: 'm', table: { name } });
    const column = (name: string) => ({
      ...table('accounts'),
      kind: 'column' as const,
      column: { name, type: 'text' },
    });
    assert.deepEqual([...index.of(table('accounts'))], ['1', '2']);
    assert.deepEqual([...index.of(column('email'))], ['1', '2']);
    assert.deepEqual([...index.of(column('id'))], ['1']);
    assert.deepEqual(
      [...index.readersOf({ model: 'm', table: 'accounts', column: 'email' })],
      [
        ['1', ['mail', '?column?']],
        ['2', []],
      ],
    );
    assert.equal(index.of(column('alias')).size, 0);
    assert.equal(index.of({ ...table('accounts'), model: 'other' }).size, 0);
  });
});
