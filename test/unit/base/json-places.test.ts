/** Places in JSON text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineOfSyntaxError, repeatedMember } from '#base/json-places.ts';

describe('a member that is written twice', () => {
  for (const [text, pointer, line] of [
    ['{"a":1,"a":2}', '/a', 1],
    ['{"a":1,\n"\\u0061" : 1}', '/a', 2],
    ['{"a":{"b":[{}, {"c":1, "d":"x", "c":2}]}}', '/a/b/1/c', 1],
    ['[[], {"a/b~":1,\n\n"a/b~":1}]', '/1/a~1b~0', 3],
    ['{"":1,"":2}', '/', 1],
    ['{"__proto__":1,"__proto__":2}', '/__proto__', 1],
    ['{"a":"{","b":["}",":"],"a":1}', '/a', 1],
    ['{"a\\"":1,"b":"a","a\\"":1}', '/a"', 1],
  ] as const)
    it(`is found in ${text}`, () => {
      const found = repeatedMember(text);
      assert.deepEqual([found?.pointer, found?.line], [pointer, line]);
    });

  for (const text of [
    '{}',
    '"a"',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1},["a","a"]]',
    '{"a":"a","b":"a : b, a","A":1}',
    '{"a":"\\",\\"a\\":1"}',
  ])
    it(`is not in ${text}`, () => {
      assert.equal(repeatedMember(text), undefined);
    });
});

describe('the line where a text stops being JSON', () => {
  for (const [text, line] of [
    // The engine names no position where a value is missing.
    ['[\n{},\n]\n\n', 3],
    ['[\n{"a": [],\n"b": [1,]},\n{}]\n', 3],
    ['{"a": [\n,\n1]}', 2],
    ['{"a":\n,"b": {}}', 2],
    ['[\n{}\n\n', 2],
    ['[[],\n{"a": tru}]', 2],
    ['[\n1 2]', 2],
  ] as const)
    it(`is line ${line} of ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => JSON.parse(text) as unknown,
        (error) => lineOfSyntaxError(error, text) === line,
      );
    });
});
