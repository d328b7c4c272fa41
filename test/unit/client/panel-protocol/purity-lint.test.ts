/** The rules that keep Node, the editor and the schema library out of the page: plants violations, expects reports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importProblems } from '#scripts/lib/house-rules.js';

const found = (code: string, file: string): number => importProblems(file, `${code}\n`).length;

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
  ] as const;
  for (const [file, code] of planted)
    it(`forbids ${code} in ${file}`, () => assert.equal(found(code, file), 1));

  it('allows the page to use the protocol, and the protocol to use the schema library', () => {
    assert.equal(found("import { recordsMax } from '#panel-protocol/rows.ts';", page), 0);
    assert.equal(found("import { Type } from 'typebox';", protocol), 0);
  });
});
