/** Models and their schemas: the view, its commands, and the catalog sent to the language server. */
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands } from '#client/contributions.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { SchemaCache } from '#core/models/schema-cache.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { registerPreviewDocuments } from './commands/table-queries.ts';
import type { ModelsDependencies } from './dependencies.ts';
import { DriftStore } from './drift-store.ts';
import { registerDrift } from './drift-view.ts';
import { ModelCommands } from './model-commands.ts';
import { ModelsStore } from './models-store.ts';
import { ModelsView } from './models-view.ts';
import { UnknownNames } from './unknown-names.ts';
import { Uses } from './uses.ts';

export type { ModelsState } from './model-commands.ts';

export interface ModelsFeature extends DisposableLike {
  /** Registers table previews. `run` runs a document and shows its rows. */
  readonly offerPreviews: (run: (document: vscode.TextDocument) => Promise<unknown>) => void;
  /** Returns the known models; undefined until any are known. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  /** Reads the schemas of these models unless known, because the user is writing a query for them. */
  readonly want: (models: Iterable<string>) => void;
  /** Like `want`, but resolves once the schemas are known or could not be read. Never rejects. */
  readonly ensure: (models: Iterable<string>) => Promise<void>;
  /** Reads the models again, since a query named what the service lacks. */
  readonly noteMissedName: () => void;
  /** Returns a summary of the known models for the language status; undefined if nothing is known. */
  readonly summary: () =>
    | {
        readonly models: number;
        readonly tables: number;
        /** Time at which the oldest part was read, in milliseconds since 1970. */
        readonly readAt: number;
      }
    | undefined;
  readonly onDidChange: vscode.Event<unknown>;
}

export function registerModels(deps: ModelsDependencies): ModelsFeature {
  const { context, log, session } = deps;
  const disposables = new DisposableStore();
  const cache = new SchemaCache(path.join(context.globalStorageUri.fsPath, 'models'));
  const store = disposables.add(new ModelsStore({ session, log, cache }));
  const uses = disposables.add(
    new Uses({
      log,
      queries: deps.queries,
      references: (text) => deps.language.references(text),
      connection: () => store.connection,
      stamp: () => store.stamp(),
    }),
  );
  const view = disposables.add(new ModelsView(store, session, (node) => uses.index?.of(node).size));
  const want = () => (uses.isWanted = view.isVisible && store.isConnected);
  disposables.add(view.onDidChangeVisibility(want));
  disposables.add(uses.onDidChange(() => view.redraw()));
  disposables.add(reviewNames(deps, store));
  const wanted = new Set<string>();
  const readWanted = () => {
    for (const { name } of store.models() ?? []) if (wanted.has(name)) void store.ensure(name); // never rejects
  };
  disposables.add(
    store.onDidChange(() => {
      if (store.connection !== undefined) deps.publish(store.connection, store.models());
      readWanted();
      uses.invalidate();
      want();
    }),
  );
  disposables.add(registerPreviewDocuments(store));

  const own = new ModelCommands(deps, { store, view, uses });
  const on = commandsIn(disposables, log);
  own.register(on);
  disposables.add(registerDriftOf(deps, store));

  return {
    offerPreviews: (run) => own.registerPreview(on, run),
    models: () => store.models(),
    want: (models) => {
      for (const model of models) wanted.add(model);
      readWanted();
    },
    ensure: async (models) => {
      const names = new Set(models);
      const known = (store.models() ?? []).filter(({ name }) => names.has(name));
      await Promise.all(known.map(({ name }) => store.ensure(name)));
    },
    noteMissedName: () => void store.refreshAfterMissedName(), // never rejects
    summary: () => {
      const models = store.models();
      const readAt = store.readAt();
      if (models === undefined || readAt === undefined) return undefined;
      const tables = models.reduce((count, model) => count + (model.tables?.length ?? 0), 0);
      return { models: models.length, tables, readAt };
    },
    onDidChange: store.onDidChange,
    dispose: () => disposables.dispose(),
  };
}

/** Registers the check of all saved queries against the current models. */
function registerDriftOf(
  { log, session, queries, language, uriOf }: ModelsDependencies,
  store: ModelsStore,
): DisposableLike {
  const disposables = new DisposableStore();
  const drift = disposables.add(
    new DriftStore({
      log,
      queries,
      check: (text) => language.check(text),
      readAll: async () => {
        await Promise.all([
          store.refresh().then(() => store.ensureAll()),
          vscode.commands.executeCommand(commands.savedQueriesRefresh),
        ]);
      },
      requireConnection: () => {
        session.requireClient();
        return store.connection ?? '';
      },
    }),
  );
  disposables.add(
    registerDrift({
      log,
      store: drift,
      uriOf: ({ queryId, name }) => uriOf({ query_id: queryId, name }),
    }),
  );
  disposables.add(
    store.onDidChange(() => {
      if (drift.result !== undefined && drift.result.connection !== store.connection) drift.clear();
    }),
  );
  return disposables;
}

/** Shows the server's findings about unknown names only once the service has confirmed them. */
function reviewNames(deps: ModelsDependencies, store: ModelsStore): vscode.Disposable {
  const names = new UnknownNames<vscode.Diagnostic>({
    placeOf: (uri) => {
      const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
      const connection = document && deps.connectionOf(document.uri);
      if (document === undefined || connection === undefined) return undefined;
      const text = document.getText();
      const named = (store.models() ?? []).flatMap(({ name, tables }) =>
        tables !== undefined && text.includes(name) ? [name] : [],
      );
      const models = [...new Set([deps.modelOf(document), ...named])].sort();
      return {
        connection,
        models,
        canAsk: store.isConnected && store.connection === connection,
        isFresh: store.isFresh(connection, models),
      };
    },
    confirm: (models) => store.confirm(models),
    now: () => performance.now(),
  });
  deps.language.reviewDiagnostics((uri, diagnostics, show) =>
    names.review(uri.toString(), diagnostics, show),
  );
  return vscode.workspace.onDidCloseTextDocument(({ uri }) => names.forget(uri.toString()));
}
