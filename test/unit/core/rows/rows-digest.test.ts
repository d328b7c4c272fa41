/** Digests of rows, compared with an independent implementation over the service's response (docs/evidence.md). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { parseJson } from '#api/client/json.ts';
import { createLocalData } from '#core/rows/local-data.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Computes the documented digest of JSON lines, which the tests below write by hand. */
function expected(columns: readonly (readonly [string, string])[], lines: readonly string[]) {
  return {
    rowCount: lines.length,
    sha256: sha256([JSON.stringify(columns), ...lines].map((line) => `${line}\n`).join('')),
    setSha256: sha256(
      lines
        .map(sha256)
        .sort()
        .map((line) => `${line}\n`)
        .join(''),
    ),
  };
}

async function digestOf(
  columns: readonly (readonly [string, string])[],
  pages: readonly string[],
  rowCount = 1_000,
) {
  const data = createLocalData().create(columns.map(([name, type]) => ({ name, type })));
  for (const page of pages) await data.append(parseJson(page) as unknown[][]); // the tests below pass arrays of arrays
  const digest = await data.ask('digest', { rowCount });
  data.dispose();
  return digest;
}

suite('digests of rows', () => {
  const columns = [
    ['n', 'int8'],
    ['amount', 'numeric'],
    ['name', 'text'],
    ['on', 'bool'],
    ['detail', 'jsonb'],
  ] as const;

  test('hash every kind of value as the service wrote it', async () => {
    const page = `[
      [9007199254740993, 1.10, "Zoë \\"Z\\"", true, {"b": [1, 2.50], "a": null, "10": "x", "9": {"z": 1, "y": 2}}],
      [1, -0.5, "", false, ["p", {"k": "ü"}]],
      [null, null, null, null, null],
      [2, 1e400, "42", true, "bare"]
    ]`;
    const lines = [
      String.raw`[9007199254740993,1.10,"Zoë \"Z\"",true,{"10":"x","9":{"y":2,"z":1},"a":null,"b":[1,2.50]}]`,
      '[1,-0.5,"",false,["p",{"k":"ü"}]]',
      '[null,null,null,null,null]',
      '[2,1e400,"42",true,"bare"]',
    ];
    assert.deepEqual(await digestOf(columns, [page]), expected(columns, lines));
  });

  test('ignore pages; one of them depends on the order; a prefix has its own digest', async () => {
    const two = [['n', 'int4']] as const;
    const whole = await digestOf(two, ['[[1],[2],[3]]']);
    assert.deepEqual(await digestOf(two, ['[[1]]', '[[2],[3]]']), whole);
    const turned = await digestOf(two, ['[[3],[1],[2]]']);
    assert.notEqual(turned.sha256, whole.sha256);
    assert.equal(turned.setSha256, whole.setSha256);
    assert.deepEqual(await digestOf(two, ['[[1],[2],[3]]'], 2), expected(two, ['[1]', '[2]']));
    assert.notEqual(
      (await digestOf(two, ['[[1],[1],[2]]'])).setSha256,
      (await digestOf(two, ['[[1],[2]]'])).setSha256,
    );
    assert.deepEqual(await digestOf(two, []), expected(two, []));
  });

  test('distinguish digits from a number, and an empty text from NULL', async () => {
    const one = [['v', 'text']] as const;
    const digests = await Promise.all(
      ['[["1"]]', '[[1]]', '[[""]]', '[[null]]', '[["null"]]'].map((page) => digestOf(one, [page])),
    );
    assert.equal(new Set(digests.map((digest) => digest.sha256)).size, 5);
    assert.equal(new Set(digests.map((digest) => digest.setSha256)).size, 5);
  });

  test('can be stopped, and do not depend on sorting and filtering', async () => {
    const data = createLocalData().create([{ name: 'n', type: 'int4' }]);
    await data.append(Array.from({ length: 50_000 }, (_, n) => [n]));
    const before = await data.ask('digest', { rowCount: 50_000 });
    await data.ask('sortAndFilter', {
      sort: [{ column: 0, descending: true }],
      filters: [{ column: 0, rule: { kind: 'compare', operator: '>', text: '10' } }],
    });
    assert.deepEqual(await data.ask('digest', { rowCount: 50_000 }), before);
    const controller = new AbortController();
    const stopped = data.ask(
      'digest',
      { rowCount: 50_000 },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await assert.rejects(stopped, { name: 'AbortError' });
    data.dispose();
  });
});
