/** Shows the records that refer to a record in the result panel. */
import * as vscode from 'vscode';
import { limits } from '#api/contract/limits.ts';
import { identityModel } from '#api/contract/tables.ts';
import type { RecordCollectionId } from '#api/contract/tables.ts';
import type { ConnectedClient } from '#client/session/connected-client.ts';
import { connectionOfRows } from '#client/ui/connection-labels.ts';
import { explainRecordsFailure } from '#client/ui/read-failure.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { ownQuery } from '#core/policy/send-query.ts';
import { collectionWords } from '#core/records/collections.ts';
import { referringQuery } from '#core/records/find-record.ts';
import { fieldsOf } from '#core/records/record-fields.ts';
import { resultFeed } from '#core/records/result-pages.ts';
import type { ResultsFeature } from '../results/index.ts';
import { recordsKey } from './records-key.ts';

export async function openReferring(
  results: ResultsFeature,
  { client, profile }: ConnectedClient,
  reference: {
    readonly globalId: string;
    readonly collection: RecordCollectionId;
    readonly field: string;
  },
): Promise<void> {
  const { collection, field, globalId } = reference;
  // Field names come from a link, so only the contract's fields may be queried.
  if (!fieldsOf(collection).some(({ name, isReference }) => name === field && isReference)) return;
  const words = collectionWords(collection);
  await results.open({
    key: recordsKey(connectionKeyOf(profile), collection, field),
    header: {
      origin: 'rows',
      title: words.many,
      ...connectionOfRows(profile),
      model: identityModel,
      parameters: [],
      facts: [{ label: vscode.l10n.t('Refers through {0} to', field), text: globalId }],
    },
    explain: (error) => explainRecordsFailure(error, words.many),
    pages: (_, say) =>
      resultFeed(
        client,
        ownQuery(),
        {
          query_string: referringQuery(reference),
          model: identityModel,
          parameters: { id: globalId },
          pageSize: limits.executePageSizeDefault,
        },
        { say },
      ),
  });
}
