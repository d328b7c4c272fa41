/** Shows the SQL of a login that can only read, and runs it if the person wants that. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { parseTarget, withUser } from '#base/postgres-address.ts';
import { readingRoleSql } from '#base/reading-role-sql.ts';
import { splitNames } from '#base/sql-names.ts';
import { promptSteps } from '#client/ui/prompt-steps.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';

export interface MadeRole {
  /** The address as the new role, without a password. */
  readonly address: string;
  readonly schemas: string;
  readonly password: string;
}

export interface RoleToMake {
  /** The address as the owner of the tables, without a password. */
  readonly owner: string;
  readonly ownerPassword: string;
  readonly role: string;
  readonly schemas: string;
}

/**
 * @param run makes the role and returns its password. @throws ExpectedError
 * @param entered what was last entered to connect, which may be the owner's address
 * @returns the role if it was made here
 */
export async function makeReadingRole(
  run: (role: RoleToMake) => Promise<string>,
  entered: { readonly address: string; readonly schemas: string },
): Promise<MadeRole | undefined> {
  const answers = await promptSteps(
    vscode.l10n.t('Make a Reading Role'),
    [
      {
        prompt: vscode.l10n.t('Address of the database, as the owner of the tables'),
        placeholder: 'postgres://postgres@localhost:5432/database',
        validate: (value) => {
          const parsed = parseTarget(value);
          return parsed.kind === 'problem' ? parsed.problem : undefined;
        },
      },
      {
        prompt: vscode.l10n.t('Schemas that the role may read, separated by commas'),
        placeholder: 'public, hr',
        validate: (value) => required(splitNames(value).join('')),
      },
      { prompt: vscode.l10n.t('Name of the role'), validate: required },
    ],
    {
      answers: [
        entered.address,
        entered.schemas.trim() === '' ? 'public' : entered.schemas,
        'identity_reader',
      ],
    },
  );
  if (answers === undefined) return undefined;
  const [text = '', schemas = '', role = ''] = answers.map((answer) => answer.trim());
  const parsed = parseTarget(text);
  if (parsed.kind === 'problem') return undefined; // checked while it was typed
  const { target, address } = parsed;
  const sql = (password: string): string =>
    readingRoleSql({ role, password, schemas: splitNames(schemas), database: target.database });
  // The editor keeps unsaved documents on the disk, so this one has no password.
  const hint = vscode.l10n.t('Copy SQL puts a new password in place of the dots.');
  const document = await vscode.workspace.openTextDocument({
    language: 'sql',
    content: `-- ${hint}\n${sql('...')}`,
  });
  await vscode.window.showTextDocument(document);
  const copy = {
    label: vscode.l10n.t('Copy SQL'),
    detail: vscode.l10n.t(
      'Run it once as the owner of the tables, then connect with the new role and the password in it.',
    ),
  };
  const runNow = { label: vscode.l10n.t('Run It as {0}...', target.user) };
  // A notification would hide its buttons while the SQL is read.
  const chosen = await showQuickPick([copy, runNow], {
    title: vscode.l10n.t('Make a Reading Role'),
    placeHolder: vscode.l10n.t('Nothing was run yet. How should the role be made?'),
    ignoreFocusOut: true,
  });
  if (chosen === copy) await vscode.env.clipboard.writeText(sql(randomBytes(18).toString('base64url')));
  if (chosen !== runNow) return undefined;
  const ownerPassword =
    parsed.password ??
    (
      await promptSteps(vscode.l10n.t('Make a Reading Role'), [
        {
          prompt: vscode.l10n.t(
            'Password of {0}, used once and not kept. Leave empty if it is in your password file or none is needed.',
            target.user,
          ),
          password: true,
          validate: () => undefined,
        },
      ])
    )?.[0];
  if (ownerPassword === undefined) return undefined;
  const confirm = vscode.l10n.t('Make Role');
  const answer = await showInformationMessage(
    vscode.l10n.t('Make the role {0} in {1}?', role, target.shown),
    {
      modal: true,
      detail: vscode.l10n.t(
        'It may read the tables of {0}, now and later, and nothing else. It gets a new password, which this editor keeps. All of the SQL or nothing is run.',
        schemas,
      ),
    },
    confirm,
  );
  if (answer !== confirm) return undefined;
  const made = { address: withUser(address, target, role), schemas };
  return { ...made, password: await run({ owner: address, ownerPassword, role, schemas }) };
}

const required = (value: string): string | undefined =>
  value.trim() === '' ? vscode.l10n.t('Enter at least one character.') : undefined;
