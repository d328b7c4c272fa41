/** The script of docs/evidence.md computes the digests that the product computes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseJson } from '#api/client/json.ts';
import { packingOf, packRows } from '#core/rows/chunk.ts';
import { ResultStore } from '#core/rows/store/result-store.ts';
import { seeded } from '../../../helpers/typed-values.ts';

const odd = [
  '100.00',
  '1e2',
  '1E+2',
  '-0',
  '-0.0',
  '0.10',
  '1e-7',
  '12345678901234567890',
  '0.1e1',
  '1.0',
  '1e21',
  '123456789012345680000',
  '9007199254740993',
  '5e-324',
  '1e400',
];
const values = [
  'null',
  'true',
  '"a\\u00e9b"',
  '{"b": 1.0, "a": [1, 2.50]}',
  '{"10":1,"9":2}',
  '[1.0,  "x"]',
  '"100.00"',
  String.raw`{"\ude00": ["\ud800", "\ud83d\ude00", "\\ud800"]}`,
];

describe('digests', () => {
  it('are those of the documented script, for 1,000 odd numbers', async () => {
    const random = seeded(44);
    const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
    const oddNumber = () =>
      `${random() < 0.5 ? '-' : ''}${1 + Math.floor(random() * 9)}${digits(Math.floor(random() * 20))}.${digits(1 + Math.floor(random() * 20))}${random() < 0.3 ? `e${Math.floor(random() * 40) - 20}` : ''}`;
    const rows = Array.from(
      { length: 1_000 },
      (_, row) => `[${odd[row] ?? oddNumber()},${values[row % values.length] ?? 'null'},"half \\ud83d"]`,
    );
    const columns = [
      { name: 'n', type: 'numeric' },
      { name: 'v\uD800', type: 'jsonb' },
      { name: 't', type: 'text' },
    ];
    const folder = mkdtempSync(path.join(os.tmpdir(), 'digests-'));
    try {
      const [, script = ''] =
        /```js\n(import[\s\S]*?)```/.exec(readFileSync('docs/evidence.md', 'utf8')) ?? [];
      writeFileSync(path.join(folder, 'digests.mjs'), script);
      const page = (part: readonly string[]) =>
        `{"columns":${JSON.stringify(columns)},"rows":[${part.join(', ')}]}`;
      writeFileSync(path.join(folder, '1.json'), page(rows.slice(0, 600)));
      writeFileSync(path.join(folder, '2.json'), page(rows.slice(600)));
      const printed = execFileSync(process.execPath, ['digests.mjs', '1.json', '2.json'], {
        cwd: folder,
        encoding: 'utf8',
      });
      const store = new ResultStore(columns);
      const parsed = parseJson(`[${rows.join(',')}]`);
      assert.ok(Array.isArray(parsed));
      store.append(packRows(parsed as unknown[][], packingOf(columns)));
      const digest = await store.digest(rows.length, {
        pause: () => Promise.resolve(),
        progress: () => undefined,
      });
      assert.deepEqual(printed.match(/[0-9a-f]{64}/g), [digest.sha256, digest.setSha256]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
