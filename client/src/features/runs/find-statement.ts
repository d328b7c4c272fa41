/** Uses the checks to find the statement to run, or explains why there is none. */
import * as vscode from 'vscode';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import type { RunFailure } from '#core/failures/run-failure.ts';
import { chooseStatement } from '#core/runs/choose-statement.ts';
import type { StatementInfo } from '#server/protocol.ts';
import type { LanguageFeature } from '../language/index.ts';

export type FoundStatement =
  | {
      readonly kind: 'found';
      readonly statement: StatementInfo;
      /** Whether the statement is only part of the document. */
      readonly isPart: boolean;
    }
  | { readonly kind: 'none'; readonly failure: RunFailure };

export async function findStatement(
  deps: { readonly log: Logger; readonly statements: LanguageFeature['statements'] },
  document: vscode.TextDocument,
  selection: vscode.Selection,
): Promise<FoundStatement> {
  const isSelection = !selection.isEmpty;
  const answer = await deps
    .statements(document, isSelection ? selection : undefined)
    .catch((error: unknown) => {
      deps.log.warn(`checks did not answer: ${errorName(error)}`);
      return undefined;
    });
  const none = (message: string, nextStep?: RunFailure['nextStep']): FoundStatement => ({
    kind: 'none',
    failure: { message, reasons: [], nextStep },
  });
  if (answer === undefined) {
    return none(vscode.l10n.t('The checks did not respond, so this statement could not be verified.'), {
      title: vscode.l10n.t('Show Log'),
      command: commands.logShow,
    });
  }
  const choice = chooseStatement(answer.statements, { cursor: selection.active, isSelection });
  switch (choice.kind) {
    case 'chosen':
      return {
        kind: 'found',
        statement: choice.statement,
        isPart: isSelection || answer.statements.length > 1,
      };
    case 'none':
      return none(vscode.l10n.t('There is no statement here. Write a query, then run it.'));
    case 'several':
      return none(
        vscode.l10n.t(
          'The selection contains {0} statements. Select one, place the cursor in it, or run all statements.',
          choice.count,
        ),
      );
    default:
      return choice satisfies never;
  }
}
