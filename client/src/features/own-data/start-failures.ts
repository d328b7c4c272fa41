/** What is told where the service over a person's own database does not start. */
import * as vscode from 'vscode';
import { passwordRefusedExitCode, untrustedLoginExitCode } from '#base/own-data-exit-codes.ts';
import type { Target } from '#base/postgres-address.ts';
import { commands } from '#client/contributions.ts';
import { ExpectedError } from '#core/failures/failure.ts';

export const tooSlow =
  ({ shown }: Target) =>
  (seconds: number): string =>
    vscode.l10n.t('{0} did not answer within {1} seconds.', shown, seconds);

/** Another password helps. */
export class PasswordRefused extends ExpectedError {}

/** A login that can do more than read is helped, not only refused. */
export function didNotStart(reason: string, exitCode: number | undefined): ExpectedError {
  const action =
    exitCode === untrustedLoginExitCode
      ? { title: vscode.l10n.t('Make a Reading Role...'), command: commands.ownDataRole }
      : { title: vscode.l10n.t('Connect to Your PostgreSQL...'), command: commands.ownDataConnect };
  const Kind = exitCode === passwordRefusedExitCode ? PasswordRefused : ExpectedError;
  // Once there is a connection, it is out of date.
  return new Kind(reason, [action], { isOfConnection: true });
}
