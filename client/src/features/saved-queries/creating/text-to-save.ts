/** The text that Save as New is for: the whole document, or the parts of it that a code lens names. */
import * as vscode from 'vscode';
import type { StatementArgument } from '../../../../../server/src/protocol.ts';

type Span = NonNullable<StatementArgument['parts']>[number];

/** @param argument what the command was called with, which may be anything. */
export function textToSave(argument: unknown, document: vscode.TextDocument): string {
  const parts =
    typeof argument === 'object' && argument !== null && 'parts' in argument ? argument.parts : [];
  const spans = Array.isArray(parts) ? parts.filter(isSpan) : [];
  return spans.length === 0
    ? document.getText()
    : spans.map((span) => document.getText(toRange(span))).join('\n');
}

function toRange({ start, end }: Span): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function isSpan(value: unknown): value is Span {
  return (
    typeof value === 'object' &&
    value !== null &&
    'start' in value &&
    'end' in value &&
    isPosition(value.start) &&
    isPosition(value.end)
  );
}

function isPosition(value: unknown): value is Span['start'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    'line' in value &&
    'character' in value &&
    Number.isInteger(value.line) &&
    Number.isInteger(value.character)
  );
}
