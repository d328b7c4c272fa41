/** Writes a whole collection to a file, page by page. */
import type * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import type { Logger } from '#base/logger.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { recordsFeed } from '#core/records/records-source.ts';
import type { ResultsFeature } from '../results/index.ts';

/** @returns the file's URI, or undefined if the user cancels. */
export async function streamToFile(
  results: ResultsFeature,
  { client, log }: { readonly client: ServiceClient; readonly log: Logger },
  collection: CollectionId,
  {
    filter,
    choice,
  }: { readonly filter: RecordsFilter; readonly choice: Parameters<ResultsFeature['exportRows']>[1] },
): Promise<vscode.Uri | undefined> {
  return await results.exportRows(
    {
      name: collectionWords(collection).many,
      feed: (say) =>
        recordsFeed(client, collection, {
          filter,
          say: (note) => {
            log.info(`streaming ${collection}: ${note}`);
            say(note);
          },
        }),
    },
    choice,
  );
}
