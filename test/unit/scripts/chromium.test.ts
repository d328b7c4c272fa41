/** The list of features that replaces Playwright's contains all of them, also after an update of Playwright. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { disabledFeatures } from '#scripts/lib/chromium.js';

test('every feature that Playwright disables stays disabled', () => {
  const source = readFileSync(
    createRequire(import.meta.url).resolve('playwright-core/lib/coreBundle'),
    'utf8',
  );
  const list = /disabledFeatures = \[(.*?)\]\.filter/s.exec(source)?.[1] ?? '';
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  assert.ok(theirs.length > 5, `the list is not found: ${list}`);
  assert.deepEqual(
    theirs.filter((name) => name !== undefined && !disabledFeatures.includes(name)),
    [],
  );
});
