/** The text on the extension's page in a package without a repository URL. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { omittedSections, packageReadme } from '#scripts/lib/package-readme.js';
import { fromRoot } from '#scripts/lib/paths.js';

const readme = readFileSync(fromRoot('README.md'), 'utf8');

suite('the README of a package without a repository', () => {
  test('has no pictures and no links that lead nowhere, nor words about them', () => {
    const text = packageReadme(readme);
    assert.doesNotMatch(text, /<picture|<img/);
    assert.deepEqual(
      [...text.matchAll(/\]\(([^)]*)\)/g)]
        .map(([, link]) => link)
        .filter((link) => !link?.startsWith('https://')),
      [],
    );
    assert.doesNotMatch(text, /:\n\n(?!```|- |\d)/);
  });

  test('keeps the other sections and sentences', () => {
    const text = packageReadme(readme);
    for (const title of omittedSections) {
      assert.ok(readme.includes(`\n## ${title}\n`), title);
      assert.ok(!text.includes(`\n## ${title}\n`), title);
    }
    const kept = [...readme.matchAll(/^## (.*)$/gm)].filter(
      ([, title = '']) => !omittedSections.includes(title),
    );
    for (const [heading] of kept) assert.ok(text.includes(heading), heading);
    assert.equal(
      packageReadme('Data stays here. [The model](docs/a.md) says why. It is [free](https://example.com).\n'),
      'Data stays here. It is [free](https://example.com).\n',
    );
  });
});
