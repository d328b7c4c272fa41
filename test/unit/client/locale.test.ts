/** Dates and numbers follow the editor's language, not that of the system: `toLocaleString` is always given it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { sourcesOf } from '../../../scripts/lib/texts.js';

test('dates and numbers of the client name their locale', () => {
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
