/** Global ids in queries: what they name on hover, and the way to it by Go to Definition. */
import * as vscode from 'vscode';
import { languageId } from '../../../../server/src/protocol.ts';
import { connectionKeyOf } from '../../session/connection-profile.ts';
import type { Session } from '../../session/session.ts';
import { DisposableStore, type DisposableLike } from '../../util/disposables.ts';
import type { Logger } from '../../util/logger.ts';
import { collectionWords } from './collections.ts';
import type { FoundRecord } from './find-record.ts';
import { recordUri, titleOf } from './record-documents.ts';

/** Ids are opaque; in a query only what looks like a UUID is asked for, so that a hover does not ask about every word. */
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;
const rememberedMax = 500;

export function registerIdHover({ session, log }: { readonly session: Session; readonly log: Logger }): DisposableLike {
  const disposables = new DisposableStore();
  /** By connection and id; undefined: no record has it. */
  const remembered = new Map<string, Promise<FoundRecord | undefined>>();

  const lookUp = async (document: vscode.TextDocument, position: vscode.Position, token: vscode.CancellationToken) => {
    const range = document.getWordRangeAtPosition(position, uuid);
    const { state } = session;
    if (range === undefined || state.kind !== 'connected') return undefined;
    const globalId = document.getText(range);
    const connectionKey = connectionKeyOf(state.profile);
    const key = `${connectionKey} ${globalId}`;
    let finding = remembered.get(key);
    if (finding === undefined) {
      finding = import('./find-record.ts').then(({ findRecord }) => findRecord(state.client, globalId));
      remembered.set(key, finding);
      for (const oldest of remembered.keys()) {
        if (remembered.size <= rememberedMax) break;
        remembered.delete(oldest);
      }
    }
    try {
      const found = await finding;
      return found === undefined || token.isCancellationRequested ? undefined : { found, range, connectionKey };
    } catch (error) {
      remembered.delete(key);
      log.debug(`a record was not looked up: ${error instanceof Error ? error.name : 'error'}`);
      return undefined;
    }
  };

  disposables.add(session.onDidChangeState(() => remembered.clear()));
  disposables.add(
    vscode.languages.registerHoverProvider(languageId, {
      async provideHover(document, position, token) {
        const known = await lookUp(document, position, token);
        if (known === undefined) return undefined;
        const text = new vscode.MarkdownString();
        text.appendMarkdown(`**${collectionWords(known.found.collection).one}** `).appendText(titleOf(known.found));
        return new vscode.Hover(text, known.range);
      },
    }),
  );
  disposables.add(
    vscode.languages.registerDefinitionProvider(languageId, {
      async provideDefinition(document, position, token) {
        const known = await lookUp(document, position, token);
        if (known === undefined) return undefined;
        return new vscode.Location(recordUri(known.connectionKey, known.found, 'text'), new vscode.Position(0, 0));
      },
    }),
  );
  return disposables;
} // prettier-ignore
