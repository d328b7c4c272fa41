import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnalyser } from '#cli/checks.ts';
import { checkControl } from '#cli/controls/check-controls.ts';
import { readControl } from '#core/controls/control.ts';

test('a control whose check was ended is not called empty', async () => {
  const text = '-- @control A-1\nSELECT 1';
  const control = readControl(text);
  assert.ok(control !== undefined);
  const { analyser, dispose } = startAnalyser();
  await dispose();
  await assert.rejects(checkControl(analyser, { control, place: { name: 'a.identity.sql' }, text }), {
    name: 'AbortError',
  });
});
