/** Dates and numbers follow the editor's language, not the system's: every `toLocaleString` call gets a locale. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript-api';
import { sourcesOf } from '#scripts/lib/texts.js';

test('dates and numbers in the client are formatted with an explicit locale', () => {
  const found: string[] = [];
  for (const file of sourcesOf('client/src')) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /\.toLocale\w*String$/.test(node.expression.getText())) {
        const [language] = node.arguments;
        if (language === undefined || language.getText() === 'undefined')
          found.push(`${file.fileName}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  assert.deepEqual(found, []);
});
