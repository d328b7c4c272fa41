/** The page loads each time the panel is shown, so it must stay small. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildResults, webviewGoalBytes } from '../../helpers/results-bundle.ts';

test('the script of the result panel stays under its limit, charts and all', async () => {
  const script = (await buildResults()).get('/results.js') ?? '';
  const bytes = gzipSync(script).length;
  assert.ok(script.length > 50_000, 'the whole script was built');
  assert.ok(bytes < webviewGoalBytes, `${bytes} bytes compressed`);
});
