/** Formatting JSON over several lines, with numbers and strings unchanged. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { spreadJson } from '#webview/results/inspectors/spread-json.ts';

suite('formatted JSON', () => {
  test('keeps its numbers', () => {
    assert.equal(
      spreadJson('{"id":9007199254740993,"a":[1.10,{}],"t":"x,{\\"y:"}'),
      '{\n  "id": 9007199254740993,\n  "a": [\n    1.10,\n    {}\n  ],\n  "t": "x,{\\"y:"\n}',
    );
  });

  test('differs only in white space', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const compact = JSON.stringify(JSON.parse(text));
        assert.deepEqual(JSON.parse(spreadJson(compact)), JSON.parse(compact));
        assert.equal(JSON.stringify(JSON.parse(spreadJson(compact))), compact);
      }),
    );
  });
});
