/** Writes a whole collection to a file page by page, with at most one page in memory. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { readAhead } from '#base/async/read-ahead.ts';
import type { Logger } from '#base/logger.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { collectionWords } from '#core/records/collections.ts';
import type { RecordsFilter } from '#core/records/records-filter.ts';
import { rowPages } from '#core/records/row-pages.ts';
import type { ResultsFeature } from '../results/index.ts';

/** @returns the file's URI, or undefined if the user cancels. */
export async function streamToFile(
  results: ResultsFeature,
  deps: { readonly client: ServiceClient; readonly log: Logger },
  collection: CollectionId,
  options: { readonly filter: RecordsFilter; readonly choice: Parameters<ResultsFeature['exportRows']>[1] },
): Promise<vscode.Uri | undefined> {
  const controller = new AbortController();
  let tell: (note: string) => void = () => undefined;
  const read = (signal: AbortSignal) =>
    rowPages(deps.client, collection, {
      filter: options.filter,
      signal,
      say: (note) => {
        deps.log.info(`streaming ${collection}: ${note}`);
        tell(note);
      },
    });
  // The first page determines the columns, including fields that are not in the specification.
  const first = read(controller.signal)[Symbol.asyncIterator]();
  const page = await withProgress(
    {
      location: vscode.ProgressLocation.Window,
      title: vscode.l10n.t('Reading {0}', collectionWords(collection).many),
    },
    (progress) => {
      tell = (message) => progress.report({ message });
      return first.next();
    },
  );
  if (page.done === true) return undefined;
  return await results.exportRows(
    {
      name: collectionWords(collection).many,
      columns: page.value.columns,
      async *pages(signal, say) {
        tell = say;
        const stop = () => controller.abort();
        signal?.addEventListener('abort', stop, { once: true });
        try {
          yield page.value;
          if (!page.value.isLast) yield* readAhead(first);
        } finally {
          signal?.removeEventListener('abort', stop);
        }
      },
    },
    options.choice,
  );
}
