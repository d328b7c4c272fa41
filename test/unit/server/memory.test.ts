/** The memory that the language server takes while a person types in a large text. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shapes } from '#test/bench/sql-shapes.ts';
import { startLanguageClient } from './language-client.ts';

const uri = 'file:///memory.identity.sql';
const edits = 120;
/**
 * Measured 2026-11-25 for this text: 125 to 150 MB; 171 to 309 MB without a limit for the young generation, and with
 * the parse trees' text outside V8's heap.
 */
const limitMb = 170;

// Only Linux tells the resident memory of another process.
test('typing in 100 KB takes a bounded amount of memory', async () => {
  const client = await startLanguageClient();
  try {
    const text = shapes.unionAll(98_000);
    const lines = text.split('\n');
    const line = lines.length - 1;
    const character = (lines.at(-1)?.length ?? 0) - 1; // before the last `1`
    await client.open(uri, text);
    await client.diagnostics(uri, 1);
    for (let version = 2; version < 2 + edits; version++) {
      const end = { line, character: character + (version === 2 ? 1 : 4) };
      await client.change(uri, version, String(1_000 + version), { start: { line, character }, end });
      const { diagnostics } = await client.diagnostics(uri, version);
      assert.deepEqual(diagnostics, []);
    }
    const status = await readFile(`/proc/${client.pid}/status`, 'utf8').catch(() => '');
    const residentMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
    assert.ok(residentMb <= limitMb, `${Math.round(residentMb)} MB are resident`);
  } finally {
    await client.stop();
  }
});
