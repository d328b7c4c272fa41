/** Formats the log of agent calls as read-only text, newest first. */
import * as vscode from 'vscode';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import { isSingular } from '#base/translate.ts';
import type { AuditCheck, AuditLine } from '#core/agents/audit/audit-chain.ts';
import { rowWords } from '../../ui/format-row-count.ts';
import { locale } from '../../ui/locale.ts';

export function activityText(file: string, lines: readonly AuditLine[], check: AuditCheck): string {
  const head = [
    vscode.l10n.t('Agent calls on this machine, newest first. File: {0}', file),
    check.broken === undefined
      ? vscode.l10n.t(
          isSingular(check.lines, locale())
            ? 'The log is unchanged: {0} line. Last digest: {1}'
            : 'The log is unchanged: {0} lines. Last digest: {1}',
          check.lines,
          check.lastHash ?? '-',
        )
      : vscode.l10n.t('The log was changed at line {0}.', check.broken.line),
  ];
  return [...head, ...lines.map(entryText)].join('\n\n').concat('\n');
}

function entryText({
  at,
  client,
  tool,
  connection,
  status,
  code,
  rows,
  masked,
  subject,
  sql,
}: AuditLine): string {
  const first = [at, status, code, tool, subject, connection, client].filter(
    (part) => part !== undefined && part !== '',
  );
  const facts = [
    ...(rows === undefined ? [] : [rowWords(rows)]),
    ...(masked === undefined || masked.length === 0 ? [] : [vscode.l10n.t('masked: {0}', masked.join(', '))]),
  ];
  return [
    first.join('  '),
    ...(facts.length === 0 ? [] : [`    ${facts.join('; ')}`]),
    ...(sql ?? '').split(/\r?\n/).map((line) => `    ${line}`),
  ]
    .filter((line) => line.trim() !== '')
    .map(escapeHidden)
    .join('\n');
}
