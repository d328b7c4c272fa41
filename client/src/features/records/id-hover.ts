/** Global IDs in queries and records: the hover names the record, and Go to Definition opens it. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { HomeOfQuery } from '#client/ui/home-of-query.ts';
import { ShownMarkdown } from '#client/ui/shown/markdown.ts';
import { foreignHomeOf } from '#core/policy/query-home.ts';
import { collectionWords } from '#core/records/collections.ts';
import { languageId } from '#server/protocol.ts';
import type { KnownRecords } from './known-records.ts';
import { parseRecordUri, recordLanguage, recordScheme, recordUri, titleOf } from './record-documents.ts';

/** IDs are opaque. Only words that look like UUIDs are looked up, so that not every hover sends a request. */
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;

const places: vscode.DocumentSelector = [
  { language: languageId },
  { scheme: recordScheme, language: recordLanguage },
  { scheme: recordScheme, language: 'json' },
];

/** @param homeOf the connection of a query: on another one, its IDs are other records, or none. */
export function registerIdHover(
  records: KnownRecords,
  homeOf: (uri: vscode.Uri) => HomeOfQuery | undefined,
): DisposableLike {
  const disposables = new DisposableStore();
  const lookUp = async (
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ) => {
    if (foreignHomeOf(homeOf(document.uri)) !== undefined) return undefined;
    const range = document.getWordRangeAtPosition(position, uuid);
    const known = range === undefined ? undefined : await records.find(document.getText(range));
    if (range === undefined || known === undefined || known === 'none' || token.isCancellationRequested)
      return undefined;
    const { connectionKey = known.connectionKey } = parseRecordUri(document.uri) ?? {};
    if (connectionKey !== known.connectionKey) return undefined;
    return { ...known, range };
  };
  disposables.add(
    vscode.languages.registerHoverProvider(places, {
      async provideHover(document, position, token) {
        const known = await lookUp(document, position, token);
        if (known === undefined) return undefined;
        const text = new ShownMarkdown().bold(
          collectionWords(known.found.collection).one,
          titleOf(known.found),
        );
        return new vscode.Hover(text.build(), known.range);
      },
    }),
  );
  disposables.add(
    vscode.languages.registerDefinitionProvider(places, {
      async provideDefinition(document, position, token) {
        const known = await lookUp(document, position, token);
        if (known === undefined) return undefined;
        return new vscode.Location(
          recordUri(known.connectionKey, known.found, 'text'),
          new vscode.Position(0, 0),
        );
      },
    }),
  );
  return disposables;
}
