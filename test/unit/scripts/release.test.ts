/** Releases are built only if everything is ready, with a bill of materials for the bundles. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { archiveEnvironment, setArchiveModes } from '#scripts/lib/archives.js';
import { bundledPackages } from '#scripts/lib/notices.js';
import { fromRoot } from '#scripts/lib/paths.js';
import { isPreRelease, releaseProblems } from '#scripts/lib/release-problems.js';
import { repositoryFields } from '#scripts/lib/repository.js';
import { softwareBill } from '#scripts/lib/sbom.js';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly unknown[];
}

const ready = {
  version: '1.0.0',
  tags: ['v1.0.0'],
  changes: '',
  changelog: '# Changelog\n\n## 1.0.0\n',
  gaps: 0,
};

describe('a release', () => {
  it('is built from a clean commit with a tag and release notes', () => {
    assert.deepEqual(releaseProblems(ready), []);
  });

  for (const [what, state, expected] of [
    ['no tag', { tags: [''] }, /no tag v1\.0\.0/],
    ['another tag', { tags: ['v0.9.0'] }, /no tag v1\.0\.0/],
    ['changes', { changes: ' M README.md' }, /uncommitted/],
    ['no section', { changelog: '## Unreleased' }, /no section "## 1\.0\.0"/],
    ['a section that is not released', { changelog: '## 1.0.0 (not released)' }, /no section/],
    ['the section of a longer number', { changelog: '## 1.0.01' }, /no section/],
    ['missing translations', { gaps: 3 }, /^3 texts are not translated/],
    ['no version', { version: '1.0', tags: ['v1.0'], changelog: '## 1.0' }, /not a version/],
  ] as const)
    it(`is refused with ${what}`, () => {
      const problems = releaseProblems({ ...ready, ...state });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', expected);
    });

  it('is a pre-release if its notes say so', () => {
    assert.equal(isPreRelease('## 1.1.0 (pre-release)\n', '1.1.0'), true);
    assert.equal(isPreRelease('## 1.1.0\n\n## 1.0.9 (pre-release)\n', '1.1.0'), false);
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

describe('an archive', () => {
  it('has the same permissions whatever the umask of the checkout', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-modes-'));
    try {
      const files = [0o600, 0o644, 0o755].map((mode) => ({ mode, file: path.join(folder, String(mode)) }));
      for (const { mode, file } of files) {
        await writeFile(file, '');
        await chmod(file, mode);
      }
      setArchiveModes(files.map(({ file }) => file));
      const expected = process.platform === 'win32' ? 0o666 : 0o644;
      for (const { file } of files) assert.equal((await stat(file)).mode & 0o777, expected);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has the same times in every time zone', () => {
    const program = 'process.stdout.write(String(new Date(1e12).getHours()))';
    const hours = ['Asia/Tokyo', 'America/Lima'].map((zone) => {
      const env = { ...process.env, TZ: zone, ...archiveEnvironment(1_000_000_000) };
      return spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }).stdout;
    });
    assert.deepEqual(hours, ['1', '1']);
  });
});

describe('the bill of materials', () => {
  const timestamp = '2026-01-01T00:00:00.000Z';
  // Finding the packages takes a build of all bundles.
  const folders = bundledPackages();
  const bill = softwareBill({ timestamp, packages: folders }) as { components: readonly Component[] };

  it('lists exactly the contents of the bundles', () => {
    const packages = folders.map((folder) => {
      const { name } = JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8')) as { name: string };
      return name;
    });
    assert.deepEqual(bill.components.map(({ name }) => name).sort(), packages.sort());
    assert.ok(packages.includes('undici') && packages.includes('libpg-query'));
    assert.ok(!packages.includes('oxlint') && !packages.includes('typescript'));
  });

  it('contains a version, a license and a package URL for each', () => {
    for (const { name, version, purl, licenses } of bill.components) {
      assert.match(version, /^\d+\.\d+\.\d+/, name);
      assert.equal(licenses.length, 1, name);
      assert.match(purl, /^pkg:npm\/(?:%40[^/@]+\/)?[^/@]+@\d/, name);
    }
  });

  it('is the same in whichever order the packages are found', () => {
    assert.deepEqual(softwareBill({ timestamp, packages: folders.toReversed() }), bill);
  });
});

describe('workflows', () => {
  it('run only scripts of package.json, with the permissions that each job needs', () => {
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
