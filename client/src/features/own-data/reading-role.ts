/** Writes the SQL of a login that can only read, for the person to look at and run. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { readingRoleSql } from '#base/reading-role-sql.ts';
import { promptSteps } from '#client/ui/prompt-steps.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';

export async function makeReadingRole(): Promise<void> {
  const required = (value: string) =>
    value.trim() === '' ? vscode.l10n.t('Enter at least one character.') : undefined;
  const answers = await promptSteps(
    vscode.l10n.t('Make a Reading Role'),
    [
      { prompt: vscode.l10n.t('Name of the database'), placeholder: 'postgres', validate: required },
      {
        prompt: vscode.l10n.t('Schemas that the role may read, separated by commas'),
        placeholder: 'public, hr',
        validate: required,
      },
      { prompt: vscode.l10n.t('Name of the role'), validate: required },
    ],
    { answers: ['', 'public', 'identity_reader'] },
  );
  if (answers === undefined) return;
  const [database = '', schemas = '', role = ''] = answers;
  const sql = readingRoleSql({
    role: role.trim(),
    password: randomBytes(18).toString('base64url'),
    schemas: schemas
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    database: database.trim(),
  });
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content: sql });
  await vscode.window.showTextDocument(document);
  const copy = vscode.l10n.t('Copy SQL');
  const chosen = await showInformationMessage(
    vscode.l10n.t(
      'Nothing was run. Run this SQL once as the owner of the tables, then connect with the new role and its password.',
    ),
    copy,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(sql);
}
