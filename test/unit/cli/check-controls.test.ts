import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkControl } from '#cli/controls/check-controls.ts';
import { readControl } from '#core/controls/control.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

test('a control whose check was ended is not called empty', async () => {
  const text = '-- @control A-1\nSELECT 1';
  const control = readControl(text);
  assert.ok(control !== undefined);
  const parser = new WorkerParser({ timeLimitsMs: [5_000, 10_000] });
  const analyser = new Analyser(parser);
  await parser.dispose();
  await assert.rejects(checkControl(analyser, { control, place: { name: 'a.identity.sql' }, text }), {
    name: 'AbortError',
  });
});
