/** Command arguments from outside: valid arguments are parsed, and others rejected. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  either,
  flag,
  given,
  lenient,
  index,
  instanceOf,
  listOf,
  nothing,
  number,
  object,
  oneOf,
  optional,
  parseArguments,
  recordOf,
  text,
  unfit,
} from '#client/ui/arguments.ts';

suite('command arguments', () => {
  test('valid ones are returned unchanged', () => {
    const row = object({ id: text, version: optional(number) });
    assert.equal(text('a'), 'a');
    assert.equal(flag(false), false);
    assert.equal(index(0), 0);
    assert.equal(nothing(null), null);
    assert.equal(oneOf(['csv', 'json'])('csv'), 'csv');
    assert.deepEqual(listOf(text)(['a', 'b']), ['a', 'b']);
    assert.deepEqual(recordOf(either(text, nothing))({ a: 'x', b: null }), { a: 'x', b: null });
    assert.deepEqual(row({ id: 'a', more: 1 }), { id: 'a', version: undefined });
    const url = new URL('file:///a');
    assert.equal(instanceOf(URL)(url), url);
  });

  test('invalid ones are refused', () => {
    const row = object({ id: text, version: optional(number) });
    for (const value of [undefined, null, 1, {}, []]) assert.equal(text(value), unfit);
    for (const value of [-1, 1.5, Infinity, '1', NaN]) assert.equal(index(value), unfit);
    assert.equal(number(NaN), unfit);
    assert.equal(oneOf(['csv'])('xml'), unfit);
    assert.equal(listOf(text)(['a', 1]), unfit);
    assert.equal(listOf(text)('ab'), unfit);
    assert.equal(recordOf(text)({ a: 1 }), unfit);
    for (const value of [undefined, null, 'a', { id: 1 }, { id: 'a', version: 'b' }])
      assert.equal(row(value), unfit);
  });

  test('members may come from a class, but not from Object.prototype', () => {
    class Place {
      get line() {
        return 3;
      }
    }
    assert.deepEqual(object({ line: index })(new Place()), { line: 3 });
    assert.equal(object({ constructor: instanceOf(Function) })({}), unfit);
    assert.deepEqual(object({ constructor: optional(text) })({}), { constructor: undefined });
  });

  test('an invalid one counts as absent if the parser allows it', () => {
    const parse = object({ queryId: lenient(text), version: lenient(index) });
    assert.deepEqual(parse({ queryId: 'q-1', version: '2' }), { queryId: 'q-1', version: undefined });
    assert.deepEqual(parse({ queryId: null }), { queryId: undefined, version: undefined });
    assert.equal(lenient(text)({}), undefined);
  });

  test("arguments may be absent, and a menu's arguments count as absent", () => {
    for (const value of [undefined, null]) {
      assert.equal(optional(text)(value), undefined);
      assert.equal(given(text)(value), undefined);
    }
    assert.equal(optional(text)({ scheme: 'file' }), unfit);
    assert.equal(given(text)({ scheme: 'file' }), undefined);
    assert.equal(given(text)('a'), 'a');
    assert.equal(given(text)(1), unfit);
  });

  test('arguments are passed on only if all are valid', () => {
    assert.deepEqual(parseArguments([text, optional(index)], ['a', 1, 'more']), ['a', 1]);
    assert.deepEqual(parseArguments([text, optional(index)], ['a']), ['a', undefined]);
    assert.deepEqual(parseArguments([], ['more']), []);
    assert.equal(parseArguments([text, optional(index)], ['a', 'b']), undefined);
    assert.equal(parseArguments([text], []), undefined);
  });
});
