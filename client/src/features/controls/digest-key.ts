/**
 * The key for digests of waived and known rows, one per folder. Read from the environment, as on the command line, or
 * from the editor's secret storage; never from a file in the repository.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { digestKeyLengthMin, rowDigests, type RowDigests } from '#core/controls/row-digest.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { controlRoot } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';

const variable = 'IDENTITY_QUERIES_DIGEST_KEY';
const generatedBytes = 32;

type WithSecrets = Pick<ControlsDependencies, 'context'>;

/** Returns undefined if no key is set. */
export async function digestsOf({ context }: WithSecrets): Promise<RowDigests | undefined> {
  const given = process.env[variable] ?? '';
  if (given.length >= digestKeyLengthMin) return rowDigests(given);
  const stored = (await context.secrets.get(storageKey())) ?? '';
  return stored.length >= digestKeyLengthMin ? rowDigests(stored) : undefined;
}

/** Asks for the key if none is set. @throws ExpectedError, CancellationError */
export async function requireDigests(deps: WithSecrets): Promise<RowDigests> {
  const digests = await digestsOf(deps);
  if (digests !== undefined) return digests;
  await setDigestKey(deps);
  const entered = await digestsOf(deps);
  if (entered === undefined) throw new vscode.CancellationError();
  return entered;
}

export async function setDigestKey({ context }: WithSecrets): Promise<void> {
  if ((process.env[variable] ?? '').length >= digestKeyLengthMin)
    throw new ExpectedError(
      vscode.l10n.t("The digest key comes from the editor's variable {0}, which takes precedence.", variable),
    );
  const key = storageKey();
  const isStored = (await context.secrets.get(key)) !== undefined;
  const enter = { label: vscode.l10n.t("Enter your team's key"), kindOf: 'enter' as const };
  const make = {
    label: vscode.l10n.t('Create a new key'),
    description: vscode.l10n.t('copied; keep it with your other secrets'),
    kindOf: 'make' as const,
  };
  const forget = { label: vscode.l10n.t("Forget this folder's key"), kindOf: 'forget' as const };
  const chosen = await showQuickPick([enter, make, ...(isStored ? [forget] : [])], {
    title: vscode.l10n.t('Digest Key for Controls'),
    placeHolder: vscode.l10n.t('Waivers and the baseline identify rows by digests made with this key'),
  });
  switch (chosen?.kindOf) {
    case 'enter': {
      const entered = await askKey();
      if (entered !== undefined) await context.secrets.store(key, entered);
      return;
    }
    case 'make': {
      const made = randomBytes(generatedBytes).toString('base64url');
      await context.secrets.store(key, made);
      await vscode.env.clipboard.writeText(made);
      void showInformationMessage(
        vscode.l10n.t('The new digest key is copied. Give it to your team and to CI as {0}.', variable),
      );
      return;
    }
    case 'forget':
      await context.secrets.delete(key);
      return;
    case undefined:
      return;
    default:
      chosen satisfies never;
  }
}

function askKey(): Thenable<string | undefined> {
  return showInputBox({
    title: vscode.l10n.t('Digest Key for Controls'),
    prompt: vscode.l10n.t('It is kept in the secret storage of the editor, for this folder.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.length < digestKeyLengthMin
        ? vscode.l10n.t('The key must have at least {0} characters.', digestKeyLengthMin)
        : undefined,
  });
}

/** Returns a key per folder, since different repositories may belong to different teams. */
function storageKey(): string {
  const folder = createHash('sha256')
    .update(controlRoot() ?? '')
    .digest('hex')
    .slice(0, 16);
  return `controls.digestKey.${folder}`;
}
