/** Replacing `:name` with bound values, and mapping positions back to the original text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ParameterValue } from '#api/contract/execute.ts';
import { lineColumnOf, offsetOfPosition } from '#service/query/positions.ts';
import { prepareQuery, type PreparedQuery } from '#service/query/prepare.ts';

function prepared(text: string, parameters: Record<string, ParameterValue>): PreparedQuery {
  const result = prepareQuery(text, parameters);
  if ('offset' in result) assert.fail(result.message);
  return result;
}

suite('prepareQuery', () => {
  test('binds one value per name, however often it is used', () => {
    const { sql, values } = prepared('SELECT :a, :b, :a', { a: 1, b: 'x' });
    assert.equal(sql, 'SELECT $1, $2, $1');
    assert.deepEqual(values, ['1', 'x']);
  });

  test('keeps a value apart from the word that it touches', () => {
    const { sql } = prepared('SELECT 1 LIMIT:n OFFSET :m', { n: 1, m: 2 });
    assert.equal(sql, 'SELECT 1 LIMIT $1 OFFSET $2');
  });

  test('converts null, booleans and decimals to text', () => {
    const { values } = prepared('SELECT :a, :b, :c', { a: null, b: true, c: 1.5 });
    assert.deepEqual(values, [null, 'true', '1.5']);
  });

  test('compares a list in IN and NOT IN as an array, even if empty', () => {
    const { sql, values } = prepared('x IN (:a) AND y not in ( :b )', { a: [1, null], b: [] });
    assert.equal(sql, 'x = ANY ($1) AND y <> ALL ( $2 )');
    assert.deepEqual(values, ['{"1",NULL}', '{}']);
  });

  test('keeps a list after ANY in its place', () => {
    assert.equal(prepared('x = ANY(:a)', { a: ['p', 'q"r\\'] }).sql, 'x = ANY($1)');
    assert.deepEqual(prepared('x = ANY(:a)', { a: ['p', 'q"r\\'] }).values, ['{"p","q\\"r\\\\"}']);
  });

  test('writes out a list among other values', () => {
    const { sql, values } = prepared("x IN ('z', :a, :b)", { a: ['p', 'q'], b: 'r' });
    assert.equal(sql, "x IN ('z', $1, $2, $3)");
    assert.deepEqual(values, ['p', 'q', 'r']);
  });

  test('refuses an empty list among other values', () => {
    const problem = prepareQuery("x IN ('z', :a)", { a: [] });
    assert.ok('offset' in problem);
    assert.equal(problem.offset, 11);
  });

  test('reports a missing value at its name', () => {
    const problem = prepareQuery('SELECT 1,\n  :since', {});
    assert.ok('offset' in problem);
    assert.deepEqual(lineColumnOf('SELECT 1,\n  :since', problem.offset), { line: 2, column: 3 });
  });

  test('maps positions back across shorter and longer replacements', () => {
    const text = "SELECT :a_long_name, x FROM t WHERE y NOT IN (:l) AND z = 'end'";
    const { sql, toOriginal } = prepared(text, { a_long_name: 1, l: [1, 2] });
    for (const word of ['SELECT', ', x', 'FROM', 'WHERE', 'AND', "'end'"]) {
      assert.equal(toOriginal(sql.indexOf(word)), text.indexOf(word), word);
    }
    assert.equal(toOriginal(sql.indexOf('$1')), text.indexOf(':a_long_name'));
  });
});

suite('positions', () => {
  test('are in code points in PostgreSQL', () => {
    const text = "SELECT '🙂🙂', oops";
    const position = Array.from(text.slice(0, text.indexOf('oops'))).length + 1;
    assert.equal(offsetOfPosition(text, position), text.indexOf('oops'));
  });

  test('support any line ending, with columns in characters', () => {
    const text = 'a\nb\r\nc\r🙂d';
    assert.deepEqual(lineColumnOf(text, 0), { line: 1, column: 1 });
    assert.deepEqual(lineColumnOf(text, text.indexOf('b')), { line: 2, column: 1 });
    assert.deepEqual(lineColumnOf(text, text.indexOf('c')), { line: 3, column: 1 });
    assert.deepEqual(lineColumnOf(text, text.indexOf('d')), { line: 4, column: 2 });
  });
});
