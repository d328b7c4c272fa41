/** JSON of any depth is read, packed, compared and shown without a stack overflow. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseDeepJson, writeDeepJson } from '#api/client/answers/deep-json.ts';
import { pageTokenKey, pageTokenOf } from '#api/client/answers/page-token.ts';
import {
  indentedJson,
  jsonText,
  parseJson,
  scalarText,
  TooDeepError,
  type JsonValue,
} from '#api/client/json.ts';
import { decodeQueryPage } from '#api/client/query-page.ts';
import { recordText } from '#core/records/record-text.ts';
import { canonicalJson } from '#core/rows/canonical-json.ts';
import { cellText, packRows } from '#core/rows/chunk.ts';
import { identityOf } from '#core/rows/compare/cell-identity.ts';
import { spreadJson } from '#webview/results/inspectors/spread-json.ts';

const depths = [5_000, 100_000];
const lists = (depth: number, inside: string) => '['.repeat(depth) + inside + ']'.repeat(depth);
const objects = (depth: number, inside: string) => '{"a":'.repeat(depth) + inside + '}'.repeat(depth);

suite('deep JSON', () => {
  test('beyond any use is refused before it is read, even between strings, and only then', () => {
    for (const deep of [lists(5_000_000, '1.10'), objects(300_000, '{}'), `["]]]",${lists(200_000, '1')}]`])
      assert.throws(() => parseJson(deep), TooDeepError);
    const wide = `[${'["[[[",{}],'.repeat(300_000)}1]`;
    assert.equal((parseJson(wide) as unknown[]).length, 300_001);
  });

  for (const depth of depths) {
    const texts = [lists(depth, '1.50'), objects(depth, '[9007199254740993,"x\\"]",null,true]')];

    test(`of ${depth} levels is read and written with every digit`, () => {
      for (const text of texts) {
        assert.equal(jsonText(parseJson(text)), text);
        assert.equal(indentedJson(parseJson(text)), text);
        assert.equal(canonicalJson(parseJson(text)), text);
      }
    });

    test(`of ${depth} levels in a cell does not affect the other cells`, () => {
      const [deep = ''] = texts;
      const page = decodeQueryPage(
        parseJson(`{"columns":["a","b"],"rows":[[${deep},1.10],["x",${objects(depth, '{}')}]]}`),
        { status: 200, requestId: undefined, request: 'POST /v1/query/execute' },
      );
      const { columns } = packRows(page.rows, [{ isJson: true }, { isJson: false }]);
      const cells = [0, 1].map((row) => columns.map((column) => cellText(column, row)));
      assert.deepEqual(cells, [
        [deep, '1.10'],
        ['"x"', objects(depth, '{}')],
      ]);
    });

    test(`of ${depth} levels has the same value, whatever the order of its members`, () => {
      const { equals, hash } = identityOf('json');
      const rows = [`{"b":1.0,"c":[]}`, `{"c":[],"b":1}`, `{"c":[],"b":2}`].map((inside) => [
        parseJson(lists(depth, inside)),
      ]);
      const [column] = packRows(rows, [{ isJson: true }]).columns;
      assert.ok(column !== undefined);
      assert.ok(equals(column, 0, column, 1));
      assert.equal(hash(column, 0), hash(column, 1));
      assert.ok(!equals(column, 0, column, 2));
    });

    test(`of ${depth} levels in a record is on one line beyond a certain level`, () => {
      const record = {
        deepList: parseJson(lists(depth, '1')),
        deepObject: parseJson(objects(depth, '1')),
        z: 1,
      };
      const { text } = recordText({ collection: 'accounts', globalId: 'x', record }, [], [], {
        heading: 'Account',
        emptyFields: (names) => names,
        referredBy: '',
        reference: () => '',
        noReferences: '',
        referencesProblem: undefined,
        readBySql: '',
      });
      assert.match(text, /\[{1000}/);
      assert.match(text, /(?:\{"a":){1000}/);
      assert.match(text, /^z: 1$/m);
      assert.ok(text.length < depth * 12 + 10_000, `${text.length} characters`);
    });

    test(`of ${depth} levels is formatted over several lines without quadratic growth`, () => {
      const spread = spreadJson(lists(depth, '1'));
      assert.equal(spread.replaceAll(/\s/g, ''), lists(depth, '1'));
      assert.ok(spread.length < depth * 200, `${spread.length} characters`);
    });

    test(`of ${depth} levels may be a page token`, () => {
      const [deep = ''] = texts;
      const [one, other] = [deep, lists(depth, '2.50')].map((text) => pageTokenOf(parseJson(text)));
      assert.ok(one !== undefined && other !== undefined);
      assert.equal(pageTokenKey(one), deep);
      assert.notEqual(pageTokenKey(one), pageTokenKey(other));
    });
  }

  test('with too many closing brackets is shown too', () => assert.equal(spreadJson(']]'), '\n]\n]'));

  test('is read and written like by JSON.parse and JSON.stringify', () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, isSpread) => {
        const value = JSON.parse(text) as JsonValue;
        const written = isSpread ? JSON.stringify(value, undefined, 2) : text;
        assert.deepEqual(parseDeepJson(written, Number), value);
        assert.equal(writeDeepJson(value, { scalar: scalarText }), JSON.stringify(value));
      }),
      { numRuns: 40 },
    );
  });
});
