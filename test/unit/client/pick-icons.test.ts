/** Labels of quick picks are names: an icon in one would be shown as text (`$ (save)`). Icons use `iconPath`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { sourcesOf } from '../../../scripts/lib/texts.js';

test('no label of a list contains an icon', () => {
  const found: string[] = [];
  for (const file of sourcesOf('client/src/features').concat(sourcesOf('client/src/ui'))) {
    const visit = (node: ts.Node): void => {
      if (
        ts.isPropertyAssignment(node) &&
        node.name.getText() === 'label' &&
        node.initializer.getText().includes('$(')
      )
        found.push(`${file.fileName}: ${node.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  assert.deepEqual(found, []);
});
