/** The lint rule against spreading a list of any length into a call: lints violations and expects reports. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = path.join(import.meta.dirname, '../..');
const rule = 'no-restricted-syntax';
const eslint = new ESLint({
  cwd: root,
  // The project's rules, without type information, which this rule does not need.
  overrideConfig: [tseslint.configs.disableTypeChecked],
  ruleFilter: ({ ruleId }) => ruleId === rule,
});

async function found(code: string, folder: string): Promise<number> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: path.join(root, folder, 'planted.ts') });
  assert.equal(result?.fatalErrorCount, 0, JSON.stringify(result?.messages));
  return result.messages.filter(({ ruleId }) => ruleId === rule).length;
}

const folders = [
  'api/client',
  'base',
  'core/src',
  'server/src',
  'client/src',
  'client/webview',
  'cli/src',
  'service/src',
];

describe('lists as arguments', () => {
  for (const folder of folders) {
    for (const code of [
      'list.push(...more);',
      "list?.push('a', ...more);",
      'list.unshift(...more);',
      'Math.max(0, ...more);',
      'Math.min(...more);',
      'String.fromCodePoint(...more);',
    ]) {
      it(`are forbidden in ${folder}: ${code}`, async () => assert.equal(await found(code, folder), 1));
    }
  }

  it('are allowed if no list is spread, or if it is spread into a list', async () => {
    for (const code of ['list.push(a, b);', 'const all = [...list, ...more];', 'run(...given);'])
      assert.equal(await found(code, 'core/src'), 0, code);
  });
});
