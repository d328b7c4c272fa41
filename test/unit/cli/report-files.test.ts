/** A report or a result never replaces what is read, under any of its names. */
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hasHiddenCharacters } from '#base/shown-text/hidden-characters.ts';
import { writeReports } from '#cli/controls/reports.ts';
import { requireOwnTargets } from '#cli/report-files.ts';
import { sarifOf } from '#cli/sarif.ts';
import { reportFormats } from '#core/controls/reports/report.ts';
import { hostileReport } from '#test/helpers/hostile-report.ts';

let cwd: string;
before(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'report-files-'));
  mkdirSync(path.join(cwd, 'queries'));
  mkdirSync(path.join(cwd, '.identity-queries/history'), { recursive: true });
  writeFileSync(path.join(cwd, 'queries/a.sql'), 'SELECT 1');
  writeFileSync(path.join(cwd, 'queries/b.identity.sql'), 'SELECT 1');
  writeFileSync(path.join(cwd, 'c.json'), '[]');
  symlinkSync('queries/a.sql', path.join(cwd, 'link.sarif'));
  symlinkSync('link.sarif', path.join(cwd, 'links.sarif'));
  symlinkSync('queries/b.identity.sql', path.join(cwd, 'other.sarif'));
  symlinkSync('queries', path.join(cwd, 'folder'));
  linkSync(path.join(cwd, 'queries/a.sql'), path.join(cwd, 'hard.sarif'));
  symlinkSync('.identity-queries/waivers.json', path.join(cwd, 'dangling.json'));
});
after(() => rmSync(cwd, { recursive: true }));

const refused = (targets: readonly string[], inputs = ['queries/a.sql', 'c.json']) =>
  requireOwnTargets(targets, inputs, cwd).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : '?'),
  );

describe('a report', () => {
  for (const target of [
    'queries/a.sql',
    './queries/../queries/a.sql',
    'folder/a.sql',
    'link.sarif',
    'links.sarif',
    'hard.sarif',
    'c.json',
  ])
    it(`does not replace what is read: ${target}`, async () => {
      assert.match(await refused([target]), /would be replaced, but is a file that is read/);
    });

  for (const target of [
    'new.identity.sql',
    'queries/b.identity.json',
    'other.sarif',
    'folder/b.identity.sql',
    'dangling.json',
    '.identity-queries/waivers.json',
    '.identity-queries/baseline.json',
    '.identity-queries/benchmarks.json',
    '.identity-queries/connections.json',
    '.identity-queries/packs.json',
    '.identity-queries/history/20261128T100000000Z-0123456789ab.jsonl',
    'home/identity-queries/connections.json',
    'packs/one/pack.json',
    '.identity-queries/notify.json',
    'home/identity-queries/trusted-connections.json',
    'queries/models.json',
    'models.json',
    'queries/saved-queries.json',
    'queries/scope.json',
    'queries/.gitattributes',
  ])
    it(`does not replace what belongs to queries: ${target}`, async () => {
      assert.match(await refused([target], []), /would be replaced, but is a file that is read/);
    });

  it('is not the same file as another', async () => {
    writeFileSync(path.join(cwd, 'one.json'), '');
    symlinkSync('one.json', path.join(cwd, 'same.json'));
    assert.match(await refused(['one.json', 'same.json']), /Two reports/);
    assert.match(await refused(['new.json', 'x/../new.json']), /Two reports/);
  });

  it('is no file that is written by mistake for standard output', async () => {
    assert.match(await refused(['-']), /"-" is not the name of a file\. Write \.\/- /);
    assert.equal(await refused(['./-']), '');
  });

  it('may replace an earlier one, and anything else', async () => {
    assert.equal(
      await refused([
        'one.json',
        'a.csv',
        '.identity-queries/report.json',
        'rows.jsonl',
        'x/connections.json',
      ]),
      '',
    );
  });
});

describe('the file of a report', () => {
  it('hides no character, whatever its format', async () => {
    const targets = reportFormats.map((format) => ({ format, file: `hostile.${format}` }));
    await writeReports({ cwd, signal: new AbortController().signal }, targets, hostileReport(3));
    for (const { file } of targets) {
      const text = readFileSync(path.join(cwd, file), 'utf8');
      assert.ok(!hasHiddenCharacters(text.replaceAll('\n', '')), file);
    }
  });
});

describe('the SARIF of check', () => {
  it('has no link in a message, whatever a name in the text says', () => {
    const at = { line: 1, column: 1, endLine: 1, endColumn: 2 };
    const message = 'There is no column "[See](https://example.com/)[a](1)".';
    const sarif = sarifOf([
      { file: 'a.sql', diagnostics: [{ code: 'UNKNOWN_COLUMN', severity: 'error', message, ...at }] },
    ]);
    assert.doesNotMatch(JSON.stringify(sarif), /\]\(/);
    assert.match(JSON.stringify(sarif), /\[See\] \(https/);
  });
});
