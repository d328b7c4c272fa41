/** Every document of the repository and of the extension's package links only to what is there. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { packageChangelog, packageReadme } from '#scripts/lib/package-readme.js';
import { fromRoot, root } from '#scripts/lib/paths.js';
import { brokenLinks } from '#test/helpers/markdown-links.ts';

const inRoot = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root }).map((file) => file.split(path.sep).join('/'));
const textsOf = (files: readonly string[]) =>
  new Map(files.map((file) => [file, readFileSync(fromRoot(file), 'utf8')]));
const documents = inRoot('*.md', 'docs/**/*.md', 'cli/npm/*.md', 'media/**/*.md', 'library/**/*.md');

suite('links of documents', () => {
  test('lead somewhere in the repository', () => {
    const inPackage = new Set(['cli/npm/README.md']); // its place is the root of the package
    const texts = textsOf(documents.filter((file) => !inPackage.has(file)));
    assert.deepEqual(
      brokenLinks(texts, (file) => existsSync(fromRoot(file))),
      [],
    );
    assert.ok(texts.size > 40, String(texts.size));
  });

  test("lead somewhere in the extension's package", () => {
    const { files } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as {
      readonly files: readonly string[];
    };
    const packed = new Set([...inRoot(...files), 'README.md', 'package.json']);
    const texts = textsOf([...packed].filter((file) => file.endsWith('.md') && file !== 'dist/changelog.md'));
    texts.set('CHANGELOG.md', packageChangelog(readFileSync(fromRoot('CHANGELOG.md'), 'utf8')));
    texts.set('README.md', packageReadme(readFileSync(fromRoot('README.md'), 'utf8')));
    assert.ok(texts.has('docs/diagnostics.md'));
    assert.deepEqual(
      brokenLinks(texts, (file) => packed.has(file)),
      [],
    );
  });

  test('are found in every form, and broken ones are named', () => {
    const texts = new Map([
      [
        'a.md',
        '# A b: `c`!\n[x](b.md#top) [y](c.md) ![z](<p q.png> "t") [own](#a-b-c) [no](#d)\n[r]: e.md\n`[no](f)`',
      ],
      ['b.md', '## Top\n<img src="i.png"> [up](../x.md) [ok](https://example.com)\n```\n[no](g)\n```\n'],
    ]);
    assert.deepEqual(
      brokenLinks(texts, (file) => texts.has(file)),
      ['a.md: c.md', 'a.md: p', 'a.md: #d', 'a.md: e.md', 'b.md: ../x.md', 'b.md: i.png'],
    );
  });
});
