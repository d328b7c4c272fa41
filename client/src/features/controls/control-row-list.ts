/** Reads the rows of a control for display: combined with waivers and baseline, and identified by their key. */
import * as vscode from 'vscode';
import { withProgress } from '#client/ui/shown/progress.ts';
import type { ControlFacts, NamedRow } from '#core/controls/control-rows.ts';
import type { Control } from '#core/controls/control.ts';
import { factsFor, readControlFiles } from '#core/controls/files/control-facts.ts';
import { listRows, type ListedRows } from '#core/controls/list-rows.ts';
import type { RowDigests } from '#core/controls/row-digest.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { checkControl, controlRoot, type ControlDocument } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';

/** Maximum number of rows to choose from; beyond that, changing the threshold is more practical. */
const rowsMax = 1_000;

export interface RowFiles {
  /** The folder that contains `.identity-queries`. */
  readonly root: string;
  readonly digests: RowDigests;
}

export interface RowsOfControl extends Omit<Extract<ListedRows, { kind: 'listed' }>, 'kind'> {
  readonly facts: ControlFacts;
}

/** @throws ExpectedError if the control has no key, or there is no folder for waivers. @returns the folder. */
export function requireKeyAndFolder({ id, key }: Pick<Control, 'id' | 'key'>): string {
  if (key.length === 0)
    throw new ExpectedError(
      vscode.l10n.t(
        "{0} has no @key, so its rows can't be told apart. Add a line such as -- @key account_id below @control.",
        id,
      ),
    );
  const root = controlRoot();
  if (root === undefined)
    throw new ExpectedError(vscode.l10n.t('Open a folder first: it holds the waivers and the baseline.'));
  return root;
}

/** @throws ExpectedError if the rows cannot be determined. */
export async function readControlRows(
  deps: ControlsDependencies,
  { document, control }: ControlDocument,
  { root, digests }: RowFiles,
): Promise<RowsOfControl> {
  const client = deps.session.requireClient();
  const files = await readControlFiles(root);
  const facts = factsFor(control, files, {
    isNewOnly: false,
    now: new Date(),
    digests,
    connection: deps.session.connectionName,
  });
  const checked = await checkControl(deps, document);
  const place = { name: vscode.workspace.asRelativePath(document.uri) };
  const listed = await whileReading(control.id, (signal) =>
    listRows(
      { control, place, text: document.getText(), checked, facts },
      { client, signal, namedMax: rowsMax },
    ),
  );
  if (listed.kind === 'failed')
    throw new ExpectedError(
      vscode.l10n.t('The rows of {0} could not be read: {1}', control.id, listed.message),
    );
  return { ...listed, facts };
}

/** Shows a notification with a Cancel button while reading. */
export async function whileReading<Value>(
  id: string,
  read: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  return await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Reading the rows of {0}...', id),
      cancellable: true,
    },
    (_, signal) => read(signal),
  );
}

export function keyText({ key }: NamedRow): string {
  return key.join(' · ');
}
