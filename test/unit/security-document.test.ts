/** docs/security.md names a test for each of its promises, as `file › title`. Each test must exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = readFileSync(`${root}/docs/security.md`, 'utf8');
const named = [...document.matchAll(/`(test\/[^`]+\.ts)(?: › ([^`]*))?`/g)].map(([, file = '', title]) => ({
  file,
  title,
}));

/** Returns patterns for the titles of tests and suites; template expressions match anything. */
function titlesOf(file: string): RegExp[] {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const calls = text.matchAll(
    /\b(?:test|it|suite|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
  );
  return [...calls].map(([, single, double, template = '']) => {
    const plain = (single ?? double)?.replace(/\\(.)/g, '$1');
    const pattern = plain === undefined ? template.split(/\$\{[^}]*\}/) : [plain];
    return new RegExp(`^${pattern.map((part) => RegExp.escape(part)).join('.+')}$`);
  });
}

suite('docs/security.md', () => {
  test('names existing tests', () => {
    assert.ok(named.length > 40);
    const missing = named.filter(({ file, title }) => {
      if (!existsSync(`${root}/${file}`)) return true;
      return title !== undefined && !titlesOf(file).some((one) => one.test(title));
    });
    assert.deepEqual(missing, []);
  });

  test('has a test for each attack', () => {
    const rows = document
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (?:-|attack )/.test(line));
    assert.ok(rows.length > 30);
    const without = rows.filter(
      (row) => !/ \| `test\/[^`]+ › [^`]+`(?:, `test\/[^`]+ › [^`]+`)* \|$/.test(row.replace(/\s+\|$/, ' |')),
    );
    assert.deepEqual(without, []);
  });

  test('describes verdicts like the gate and docs/diagnostics.md', () => {
    const diagnostics = readFileSync(`${root}/docs/diagnostics.md`, 'utf8');
    for (const verdict of [
      'read-only',
      'may have side effects',
      'unknown function',
      'not read-only',
      'not known',
    ]) {
      assert.match(document, new RegExp(`\\*\\*${verdict}\\*\\*`), verdict);
      assert.match(diagnostics, new RegExp(`^\\| ${verdict} `, 'm'), verdict);
    }
  });
});
