/** Releases: only ready ones, with a bill of materials of the bundles. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { bundledPackages } from '../../../scripts/lib/notices.js';
import { fromRoot } from '../../../scripts/lib/paths.js';
import { releaseProblems } from '../../../scripts/lib/release-problems.js';
import { repositoryFields } from '../../../scripts/lib/repository.js';
import { softwareBill } from '../../../scripts/lib/sbom.js';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly unknown[];
}

const ready = { version: '1.0.0', tags: ['v1.0.0'], changes: '', changelog: '# Changelog\n\n## 1.0.0\n' };

describe('a release', () => {
  it('is made of a clean, tagged and described commit', () => {
    assert.deepEqual(releaseProblems(ready), []);
  });

  for (const [what, state, expected] of [
    ['no tag', { tags: [''] }, /no tag v1\.0\.0/],
    ['another tag', { tags: ['v0.9.0'] }, /no tag v1\.0\.0/],
    ['changes', { changes: ' M README.md' }, /uncommitted/],
    ['no section', { changelog: '## Unreleased' }, /no section "## 1\.0\.0"/],
    ['no version', { version: '1.0', tags: ['v1.0'], changelog: '## 1.0' }, /not a version/],
  ] as const)
    it(`is refused with ${what}`, () => {
      const problems = releaseProblems({ ...ready, ...state });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', expected);
    });

  it('names its repository once the owner has filled it in', () => {
    assert.deepEqual(repositoryFields(''), {});
    assert.deepEqual(repositoryFields('https://example.com/o/r'), {
      repository: { type: 'git', url: 'git+https://example.com/o/r.git' },
      bugs: { url: 'https://example.com/o/r/issues' },
      homepage: 'https://example.com/o/r#readme',
    });
  });
});

describe('the software bill', () => {
  const bill = softwareBill({ timestamp: '2026-01-01T00:00:00.000Z' }) as {
    components: readonly Component[];
  };

  it('lists what the bundles hold, and nothing else', () => {
    const packages = bundledPackages().map((folder) => {
      const { name } = JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8')) as { name: string };
      return name;
    });
    assert.deepEqual(bill.components.map(({ name }) => name).sort(), packages.sort());
    assert.ok(packages.includes('undici') && packages.includes('libpg-query'));
    assert.ok(!packages.includes('eslint') && !packages.includes('typescript'));
  });

  it('gives each a version, a licence and a package URL', () => {
    for (const { name, version, purl, licenses } of bill.components) {
      assert.match(version, /^\d+\.\d+\.\d+/, name);
      assert.equal(licenses.length, 1, name);
      assert.match(purl, /^pkg:npm\/(?:%40[^/@]+\/)?[^/@]+@\d/, name);
    }
  });

  it('is the same each time', () => {
    assert.deepEqual(softwareBill({ timestamp: '2026-01-01T00:00:00.000Z' }), bill);
  });
});

describe('workflows', () => {
  it('run only scripts of package.json, with the rights that each job needs', () => {
    const { scripts } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const file of readdirSync(fromRoot('.github/workflows'))) {
      const text = readFileSync(fromRoot('.github/workflows', file), 'utf8');
      for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g))
        assert.ok(Object.hasOwn(scripts, script), script);
      assert.match(text, /^permissions:\n {2}contents: read$/m, file);
    }
  });
});
