/** Numbers keep their original text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ExactNumber, parseJson } from '#api/client/json.ts';

suite('parseJson', () => {
  const kept = [
    '9007199254740993',
    '-9223372036854775808',
    '0.10',
    '1.0',
    '3.14159265358979323846',
    '1e400',
    '12345678901234567890.5',
    '1E5',
    '-0',
  ];
  for (const text of kept) {
    test(`keeps ${text} unchanged`, () => {
      const value = parseJson(`[${text}]`) as unknown[];
      assert.ok(value[0] instanceof ExactNumber);
      assert.equal(value[0].text, text);
      assert.equal(String(value[0]), text);
    });
  }
  for (const text of ['0', '-1', '42', '9007199254740991', '0.1', '1.5']) {
    test(`${text} is a plain number`, () => assert.deepEqual(parseJson(text), Number(text)));
  }
  const wheres = [
    '{"a":%}',
    '{"a" : %}',
    '[0,%]',
    '[ % ]',
    '{"a\\\\":%}',
    '{"a":{"b":[1,\n%]}}',
    '{"x":"\\":","y":%}',
  ];
  for (const where of wheres) {
    test(`is exact in ${JSON.stringify(where)}, also beside other numbers`, () => {
      for (const text of kept) {
        const json = where.replace('%', () => text);
        assert.equal(JSON.stringify(parseJson(json)), json.replaceAll(/\s/g, ''));
      }
      const plain = where.replace('%', '0.25');
      assert.deepEqual(parseJson(plain), JSON.parse(plain));
    });
  }
  test('digits inside strings and names stay text', () => {
    assert.deepEqual(parseJson('{"9007199254740993":"9007199254740993"}'), {
      '9007199254740993': '9007199254740993',
    });
  });
  test('an exact number is written as the same number', () => {
    assert.equal(JSON.stringify(parseJson('{"a":[9007199254740993,1.10]}')), '{"a":[9007199254740993,1.10]}');
  });
  test('invalid JSON throws', () => assert.throws(() => parseJson('<html>'), SyntaxError));
  test('any integer text survives the round trip', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        const parsed = parseJson(`{"n":${value}}`) as { n: unknown };
        assert.equal(String(parsed.n), String(value));
      }),
    );
  });
});
