/** Keeps a document's chosen model across renames and Save As; drops it when a draft closes. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { allTabs } from '#client/ui/shown-uris.ts';
import { languageId } from '#server/protocol.ts';
import type { PickedModels } from './picked-models.ts';

export interface CarryDependencies {
  readonly picks: PickedModels;
  /** Returns the chosen model, used if the text names none; undefined for the default. */
  readonly modelBeside: (uri: vscode.Uri) => string | undefined;
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

/** A later draft may reuse the URI, so the choice must be dropped. */
const draftScheme = 'untitled';

export function carryPicks(deps: CarryDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const { picks } = deps;
  const then = (work: Promise<void>) => {
    work.then(deps.changed, deps.failed);
  };
  /** The document that was active when a new one opened: the source of a "Save As". */
  const origins = new WeakMap<
    vscode.TextDocument,
    { readonly document: vscode.TextDocument; readonly model: string | undefined }
  >();

  disposables.add(
    vscode.workspace.onDidOpenTextDocument((document) => {
      const active = vscode.window.activeTextEditor?.document;
      if (active?.languageId !== languageId || active === document) return;
      origins.set(document, { document: active, model: deps.modelBeside(active.uri) });
    }),
  );
  disposables.add(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const origin = origins.get(document);
      origins.delete(document);
      if (origin?.model === undefined || deps.modelBeside(document.uri) !== undefined) return;
      const isSameText = document.getText() !== '' && document.getText() === origin.document.getText();
      if (isSameText) then(picks.set(document.uri.toString(), origin.model));
    }),
  );
  disposables.add(
    vscode.workspace.onDidRenameFiles(({ files }) =>
      then(
        picks.rename(files.map(({ oldUri, newUri }) => ({ from: oldUri.toString(), to: newUri.toString() }))),
      ),
    ),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === draftScheme) then(picks.forget((each) => each === uri.toString()));
    }),
  );

  const open = new Set(
    [
      ...vscode.workspace.textDocuments.map((document) => document.uri),
      ...allTabs().flatMap((tab) => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : [])),
    ].map(String),
  );
  then(picks.forget((uri) => uri.startsWith(`${draftScheme}:`) && !open.has(uri)));
  return disposables;
}
