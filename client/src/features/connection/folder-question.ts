/**
 * Asks whether a folder's connection may do what it requests. The dialog shows the requests in full, character by
 * character, and defaults to No.
 */
import * as vscode from 'vscode';
import { exactText } from '#base/words/exact-text.ts';
import type { FolderAnswers } from '#client/session/folder-answers.ts';
import { whyProgramDoesNotRun } from '#client/session/secrets.ts';
import { showWarningMessage } from '#client/ui/shown/notifications.ts';
import {
  usedAddresses,
  type ConnectionProfile,
  type FolderAnswer,
  type FolderEntry,
  type Powers,
} from '#core/connections/connection-profile.ts';
import { asWritten, isUnanswered, withAnswer } from '#core/connections/folder-entry.ts';
import { ExpectedError } from '#core/failures/failure.ts';

/** A dialog has no room for more, and requests that are not shown must not be allowed. */
const maxChars = 2_000;

/** Asks unless the user has already answered. On cancel, returns undefined, and the connection must not be used. */
export async function settled(
  profile: ConnectionProfile,
  answers: FolderAnswers,
): Promise<ConnectionProfile | undefined> {
  return isUnanswered(profile) ? await askAbout(profile, answers) : profile;
}

/**
 * Asks again and stores the answer. On cancel, returns undefined and keeps the earlier answer.
 * @throws ExpectedError if the requests are too long to show, or include a program in the folder.
 */
export async function askAbout(
  profile: ConnectionProfile,
  answers: FolderAnswers,
): Promise<ConnectionProfile | undefined> {
  const { folderEntry } = profile;
  if (folderEntry?.wants === undefined) return profile;
  const { folder, wants, digest } = folderEntry;
  const obstacle = await whyProgramDoesNotRun(profile);
  if (obstacle !== undefined) throw new ExpectedError(obstacle);
  const detail = detailOf(profile, wants);
  if (detail.length + folder.length + profile.name.length > maxChars) throw tooLong(folderEntry);
  const no = vscode.l10n.t('Do Not Allow');
  const yes = vscode.l10n.t('Allow');
  const chosen = await showWarningMessage(
    vscode.l10n.t(
      'Allow this for the connection "{1}" of the folder "{0}"?',
      exactText(folder),
      exactText(profile.name),
    ),
    { modal: true, detail },
    no, // Enter selects the first button
    yes,
  );
  if (chosen === undefined) return undefined;
  const answer: FolderAnswer = chosen === yes ? 'allowed' : 'refused';
  await answers.set(digest, answer);
  return withAnswer(profile, answer);
}

function detailOf(profile: ConnectionProfile, wants: Powers): string {
  const { baseUrl, authUrl } = usedAddresses(asWritten(profile));
  return [
    vscode.l10n.t(
      'It connects to {0} with the client {1} and gets its tokens from {2}.',
      exactText(baseUrl),
      exactText(profile.clientId),
      exactText(authUrl),
    ),
    vscode.l10n.t('The folder wants to:'),
    ...sayWants(wants, authUrl).map((want) => `\u2022 ${want}`),
    vscode.l10n.t('Allow it only if you trust its author. You are asked again if any of it changes.'),
  ].join('\n');
}

function sayWants(
  { secretSource, allowChanges, allowPlainHttp }: Powers,
  authUrl: string,
): readonly string[] {
  const wants: string[] = [];
  const to = exactText(authUrl);
  if (secretSource?.kind === 'command')
    wants.push(
      vscode.l10n.t(
        'run this program each time a token is needed, and send the first line it prints to {0}: {1}',
        to,
        `[${secretSource.command.map(exactText).join(', ')}]`,
      ),
    );
  if (secretSource?.kind === 'variable')
    wants.push(
      vscode.l10n.t(
        'read the environment variable {0}, and send its value to {1}',
        exactText(secretSource.name),
        to,
      ),
    );
  if (allowChanges) wants.push(vscode.l10n.t("let commands change the service's data (allowChanges)"));
  if (allowPlainHttp)
    wants.push(
      vscode.l10n.t(
        'use http://, so that others on the network can read the secret and every response (allowPlainHttp)',
      ),
    );
  return wants;
}

function tooLong({ folder }: FolderEntry): ExpectedError {
  return new ExpectedError(
    vscode.l10n.t(
      'The folder "{0}" asks for more than can be shown, so none of it is allowed. Put what you need into your own settings.',
      exactText(folder.slice(0, 100)),
    ),
  );
}
