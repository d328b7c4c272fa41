/** The memory that the server keeps of texts that were replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LexedTexts } from '#server/language/text/lexed-texts.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { shapes } from '#test/bench/sql-shapes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // exposed by the flag

async function usedMb(): Promise<number> {
  await turn();
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_000_000;
}

test("names that were found in a statement do not keep its tree's text", async () => {
  const parser = await createParserInstance();
  const text = shapes.unionAll(4_000);
  const parse = (n: number) => parser.parse(`SELECT a_function_of_someone_${n}() UNION ALL ${text}`);
  parse(-1);
  const before = await usedMb();
  const outcomes = Array.from({ length: 50 }, (_, n) => parse(n));
  const keptMb = (await usedMb()) - before;
  assert.ok(keptMb < 1, `${keptMb} MB`);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === 'parsed' && outcome.calls[0]?.name),
    outcomes.map((_, n) => `a_function_of_someone_${n}`),
  );
});

test('tokens of several texts are kept, but not those before an edit', async () => {
  const texts = new LexedTexts();
  const other = texts.read('VALUES (1)');
  const before = new WeakRef(texts.read('SELECT id FROM accounts WHERE id = 1'));
  const after = texts.read('SELECT id FROM accounts WHERE id = 12');
  await usedMb();
  assert.equal(before.deref(), undefined);
  assert.equal(texts.read('SELECT id FROM accounts WHERE id = 12'), after);
  assert.equal(texts.read('VALUES (1)'), other);
});
