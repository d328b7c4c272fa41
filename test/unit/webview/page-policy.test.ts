/** Our pages use only our own scripts and styles, and never turn text into markup. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageHtml } from '#client/ui/page-html.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

suite('pages', () => {
  test('never turn text into markup', () => {
    const files = globSync('client/webview/**/*.ts', { cwd: root });
    assert.ok(files.length > 20);
    const makesMarkup =
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTML(?:Unsafe)?|createContextualFragment|parseFromString|srcdoc)\b|document\.write|\beval\(|new Function\b/;
    const found = files.filter((file) => makesMarkup.test(readFileSync(`${root}/${file}`, 'utf8')));
    assert.deepEqual(found, []);
  });

  test('run their own script and nothing else in the result panel', () => {
    const page = pageHtml({
      title: 'Identity Results',
      cspSource: 'https://page.test',
      scriptUri: 'https://page.test/results.js',
      styleUri: 'https://page.test/results.css',
      nonce: 'n-1',
      language: '"><script>alert(1)</script>',
      translations: {},
    });
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const directives = new Map(
      policy.split('; ').map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
    );
    assert.equal(directives.get('default-src'), "'none'");
    assert.equal(directives.get('script-src'), "'nonce-n-1'");
    assert.doesNotMatch(policy, /unsafe|\*|connect-src|frame-src|form-action/);
    const scripts = [...page.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
    assert.deepEqual(scripts, [
      ' type="application/json" id="translations"',
      ' nonce="n-1" src="https://page.test/results.js"',
    ]);
  });

  test('say that they load before their style and script arrive', () => {
    const page = pageHtml({
      ...{ title: 'Identity Results', cspSource: 'https://page.test', nonce: 'n-1', language: 'en' },
      ...{ scriptUri: 'https://page.test/results.js', styleUri: 'https://page.test/results.css' },
      ...{ translations: {}, waiting: 'Loading <1>...' },
    });
    const at = (part: string) => page.indexOf(part);
    assert.ok(at('<p class="waiting">Loading &lt;1>...</p>') > 0, page);
    assert.ok(at('<p class="waiting">') < at('results.css'), page);
    assert.ok(at('results.css') < at('results.js'), page);
  });

  test('each have their own nonce', () => {
    const made = readFileSync(`${root}/client/src/features/results/panel/webview-connection.ts`, 'utf8');
    assert.match(made, /nonce: randomBytes\(16\)/);
  });
});
