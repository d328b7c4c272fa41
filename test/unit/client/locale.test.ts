/**
 * Numbers follow the editor's language, not the system's: every `toLocaleString` call gets a locale. Times have one
 * form, which has one owner.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript-api';
import {
  clockText,
  dayOrClockText,
  exactMomentText,
  momentText,
  recordedText,
} from '#base/words/moment-text.ts';
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

test('only one module decides how a time is written', () => {
  const formats = /toLocale(?:Time|Date)String|dateStyle:|timeStyle:|second: '2-digit'/;
  const found = ['client/src', 'client/webview', 'core/src', 'cli/src', 'base'].flatMap((folder) =>
    sourcesOf(folder)
      .filter((file) => formats.test(file.text))
      .map(({ fileName }) => fileName.replaceAll('\\', '/')),
  );
  // The calendar reads the names of days to screen readers.
  assert.deepEqual(
    found.filter((file) => !file.endsWith('/parameter-form-calendar.ts')),
    [],
  );
});

test('a moment is written in local time, and with its zone where it is kept', () => {
  const at = new Date(2026, 0, 31, 8, 0, 5);
  assert.equal(momentText(at), '2026-01-31 08:00');
  assert.equal(exactMomentText(at.getTime()), '2026-01-31 08:00:05');
  assert.equal(clockText(at), '08:00:05');
  assert.equal(dayOrClockText(at), '2026-01-31');
  assert.match(recordedText(at), /^2026-01-31T08:00:05[+-]\d\d:\d\d$/);
  assert.equal(new Date(recordedText(at)).getTime(), at.getTime());
});
