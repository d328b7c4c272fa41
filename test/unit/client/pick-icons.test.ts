/** Quick pick labels are sanitized, so an icon in a label would appear as text (`$ (save)`). Icons use `iconPath`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript-api';
import { sourcesOf } from '#scripts/lib/texts.js';

test('no quick pick label contains an icon', () => {
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
