/** The lint rules that keep Node, the editor and the schema library out of the page: expects reports of violations. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const root = path.join(import.meta.dirname, '../../../..');
const rules = ['no-restricted-imports', 'no-restricted-globals'];
const eslint = new ESLint({
  cwd: root,
  // The project's rules, without type information, which these rules do not need.
  overrideConfig: [tseslint.configs.disableTypeChecked],
  ruleFilter: ({ ruleId }) => rules.includes(ruleId),
});

async function found(code: string, file: string): Promise<number> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: path.join(root, file) });
  assert.equal(result?.fatalErrorCount, 0, JSON.stringify(result?.messages));
  return result.messages.filter(({ ruleId }) => rules.includes(ruleId ?? '')).length;
}

describe('the page and its protocol are pure', () => {
  const page = 'client/webview/results/grid/planted.ts';
  const protocol = 'client/panel-protocol/planted.ts';
  const planted = [
    [page, "import { a } from '#panel-protocol/panel-message.ts';"],
    [page, "import { Type } from 'typebox';"],
    [page, "import * as vscode from 'vscode';"],
    [page, "import fs from 'node:fs';"],
    [protocol, "import * as vscode from 'vscode';"],
    [protocol, "import fs from 'node:fs';"],
    [protocol, "document.title = 'planted';"],
  ] as const;
  for (const [file, code] of planted)
    it(`forbids ${code} in ${file}`, async () => assert.equal(await found(code, file), 1));

  it('allows the page to use the protocol, and the protocol to use the schema library', async () => {
    assert.equal(await found("import { recordsMax } from '#panel-protocol/rows.ts';", page), 0);
    assert.equal(await found("import { Type } from 'typebox';", protocol), 0);
  });
});
