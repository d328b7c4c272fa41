/** The page is loaded each time the panel is shown, so it must stay small. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { translationsOfPage } from '#client/ui/page-texts.ts';
import { readCatalogue, translationsOf } from '#scripts/lib/catalogues.js';
import { textsOf } from '#scripts/lib/texts.js';
import { buildWebview, webviewGoalBytes } from '#test/helpers/webview-bundle.ts';

/** Maximum size of the translations in a page. */
const translationsGoalBytes = 20 * 1024;

test('the script of the result panel stays below its limit, including charts', async () => {
  const script = (await buildWebview('results')).files.get('/results.js') ?? '';
  const bytes = gzipSync(script).length;
  assert.ok(script.length > 50_000, 'the whole script was built');
  assert.ok(bytes < webviewGoalBytes, `${bytes} bytes compressed`);
});

suite('the page gets only the translations of its own texts', () => {
  for (const { language, file } of translationsOf('l10n/bundle.l10n.*.json')) {
    test(language, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'page-texts-'));
      try {
        const textsFile = path.join(folder, 'results.texts.json');
        const all = readCatalogue(file);
        assert.deepEqual(translationsOfPage(textsFile, all), all, 'without the list, all');
        const { texts } = await buildWebview('results');
        await writeFile(textsFile, JSON.stringify(texts));
        const own = translationsOfPage(textsFile, all);
        // A text without a translation is shown in English.
        const translated = (text: string) => Object.hasOwn(all, text);
        assert.deepEqual(Object.keys(own), texts.filter(translated));
        for (const text of textsOf('client/webview/results').keys())
          assert.equal(Object.hasOwn(own, text), translated(text), text);
        assert.ok(!Object.hasOwn(own, 'Show Log'), 'a text of the client');
        const bytes = Buffer.byteLength(JSON.stringify(own));
        assert.ok(bytes < translationsGoalBytes, `${bytes} bytes`);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
  test('English needs none', () => assert.deepEqual(translationsOfPage('/nowhere', undefined), {}));
});
