/** Opens a collection in the result panel. */
import * as vscode from 'vscode';
import type { CollectionId } from '#api/contract/tables.ts';
import { momentText } from '#base/words/moment-text.ts';
import { commands } from '#client/contributions.ts';
import type { ConnectedClient } from '#client/session/connected-client.ts';
import { connectionOfRows } from '#client/ui/connection-labels.ts';
import { explainRecordsFailure } from '#client/ui/read-failure.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { windowAfter, windowBefore, type ActivityWindow } from '#core/records/activity-window.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { isMissingList, recordsFeed } from '#core/records/records-source.ts';
import type { ResultsFeature, RowsSource } from '../results/index.ts';
import { recordsKey } from './records-key.ts';

/** @param options.onMissing called when the service has no list of the records. */
export async function openRecords(
  results: ResultsFeature,
  { client, profile }: ConnectedClient,
  collection: CollectionId,
  { filter, onMissing }: { readonly filter: RecordsFilter; readonly onMissing: () => void },
): Promise<void> {
  const words = collectionWords(collection);
  const again = (window: ActivityWindow) =>
    void openRecords(results, { client, profile }, collection, { filter: { ...filter, window }, onMissing });
  const steps = [
    ...windowSteps(filter.window, again),
    {
      title: vscode.l10n.t('Filter...'),
      run: () => void vscode.commands.executeCommand(commands.recordsOpenFiltered, { collection }),
    },
    {
      title: vscode.l10n.t('Stream to File...'),
      run: () => void vscode.commands.executeCommand(commands.recordsStreamToFile, { collection, filter }),
    },
  ];
  const source: RowsSource = {
    key: recordsKey(connectionKeyOf(profile), collection),
    header: {
      origin: 'rows',
      title: words.many,
      ...connectionOfRows(profile),
      parameters: [],
      facts: factsOf(filter),
      steps: steps.map(({ title }) => ({ title })),
    },
    steps: steps.map(({ run }) => run),
    goTo: () => void vscode.commands.executeCommand(commands.recordsFocus),
    explain: (error) => {
      if (isMissingList(error)) onMissing();
      return explainRecordsFailure(error, words.many);
    },
    pages: (_, say) => recordsFeed(client, collection, { filter, say }),
  };
  await results.open(source);
}

function windowSteps(
  window: ActivityWindow | undefined,
  open: (window: ActivityWindow) => void,
): readonly { readonly title: string; readonly run: () => void }[] {
  if (window === undefined) return [];
  const next = windowAfter(window, Date.now());
  return [
    { title: vscode.l10n.t('Previous Window'), run: () => open(windowBefore(window)) },
    ...(next === undefined ? [] : [{ title: vscode.l10n.t('Next Window'), run: () => open(next) }]),
  ];
}

function factsOf({ applicationInstanceId, window }: RecordsFilter) {
  return [
    ...(applicationInstanceId === undefined
      ? []
      : [{ label: vscode.l10n.t('Application instance'), text: applicationInstanceId }]),
    ...(window === undefined
      ? []
      : [
          {
            label: vscode.l10n.t('Time window'),
            text: vscode.l10n.t('{0} to {1}', momentText(window.from), momentText(window.to)),
          },
        ]),
  ];
}
