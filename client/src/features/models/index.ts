/** Models and their schema: the view, its commands, and what the language server knows of them. */
import path from 'node:path';
import * as vscode from 'vscode';
import type {
  CatalogueModel,
  CheckParams,
  CheckResult,
  ReferencesResult,
  TextParams,
} from '../../../../server/src/protocol.ts';
import { commands, views } from '../../contributions.ts';
import type { Session } from '../../session/session.ts';
import { presentFailure, registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import { withProgress } from '../../ui/shown/progress.ts';
import { selectOf } from './commands/copy-as-select.ts';
import { insertNames, listOfNames, nameIn, qualifiedName } from './commands/names.ts';
import { showUses } from './commands/show-uses.ts';
import { openQueryOf, previewDocument, registerPreviewDocuments } from './commands/table-queries.ts';
import { askFilter } from './filter-models.ts';
import { DriftStore } from './drift-store.ts';
import { registerDrift } from './drift-view.ts';
import { nodeOf, nodesOf, tableOf } from './model-nodes.ts';
import { ModelsStore } from './models-store.ts';
import { ModelsView } from './models-view.ts';
import type { QuerySource } from './query-source.ts';
import { SchemaCache } from '../../../../core/src/models/schema-cache.ts';
import { UnknownNames } from './unknown-names.ts';
import { Uses } from './uses.ts';

export interface ModelsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly session: Session;
  /** The model of a document, as the person sees it. */
  readonly modelOf: (document: vscode.TextDocument) => string;
  /** Runs what a document holds, with the rows in the result panel. */
  readonly run: (document: vscode.TextDocument) => Promise<void>;
  readonly queries: QuerySource;
  /** The document of a saved query on the chosen connection. */
  readonly uriOf: (query: { readonly query_id: string; readonly name: string }) => vscode.Uri | undefined;
  /** The connection whose models count for a document. */
  readonly connectionOf: (uri: vscode.Uri) => string | undefined;
  readonly language: {
    references(text: TextParams): Promise<ReferencesResult>;
    check(text: CheckParams): Promise<CheckResult>;
    reviewDiagnostics(
      review: (
        uri: vscode.Uri,
        diagnostics: readonly vscode.Diagnostic[],
        show: (diagnostics: readonly vscode.Diagnostic[]) => void,
      ) => void,
    ): void;
  };
  /** Told whenever models or columns of a connection change; undefined when nothing is known. */
  readonly publish: (connection: string, models: readonly CatalogueModel[] | undefined) => void;
}

/** What `_identityQueries.models.current` answers. */
export interface ModelsState {
  readonly connection: string | undefined;
  readonly models: readonly CatalogueModel[] | undefined;
  readonly readAt: number | undefined;
  readonly filter: string;
}

export interface ModelsFeature extends DisposableLike {
  /** Undefined while nothing is known. */
  readonly models: () => readonly CatalogueModel[] | undefined;
  /** Reads the schemas of these models unless they are known: somebody writes a query for them. */
  readonly want: (models: Iterable<string>) => void;
  /** What is known, for the status of the language: undefined while nothing is. */
  readonly summary: () =>
    | {
        readonly models: number;
        readonly tables: number;
        /** When the oldest part of it was read, in milliseconds since 1970. */
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
  const view = disposables.add(new ModelsView(store, (node) => uses.index?.of(node).size));
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

  disposables.add(
    registerCommand(log, commands.modelsRefresh, async () => {
      await withProgress({ location: { viewId: views.models } }, () => store.refresh());
    }),
  );
  disposables.add(
    registerCommand(log, commands.modelsCurrent, (): ModelsState => ({
      connection: store.connection,
      models: store.models(),
      readAt: store.readAt(),
      filter: view.filter,
    })),
  );
  disposables.add(
    registerCommand(log, commands.modelsSearch, async () => {
      if (store.models() === undefined) session.requireClient();
      const { searchModels } = await import('./search-models.ts');
      await searchModels(store, {
        reveal: (node) => view.reveal(node),
        insert: (node) => insertNames([node], deps.modelOf),
        failed: (error) => void presentFailure(log, commands.modelsSearch, error),
      });
    }),
  );
  disposables.add(
    registerCommand(log, commands.modelsFilter, async () => {
      await vscode.commands.executeCommand(`${views.models}.focus`);
      await askFilter(view.filter, (text) => (view.filter = text));
    }),
  );
  disposables.add(registerCommand(log, commands.modelsClearFilter, () => void (view.filter = '')));
  disposables.add(
    registerCommand(log, commands.modelsInsertName, (node, selection) =>
      insertNames(nodesOf(node, selection), deps.modelOf),
    ),
  );
  disposables.add(
    registerCommand(log, commands.modelsCopyName, (node, selection) =>
      vscode.env.clipboard.writeText(
        listOfNames(nodesOf(node, selection), (each) => nameIn(each, undefined)),
      ),
    ),
  );
  disposables.add(
    registerCommand(log, commands.modelsCopyQualifiedName, (node, selection) =>
      vscode.env.clipboard.writeText(listOfNames(nodesOf(node, selection), qualifiedName)),
    ),
  );
  disposables.add(
    registerCommand(log, commands.modelsCopyAsSelect, (node, selection) =>
      vscode.env.clipboard.writeText(selectOf(nodesOf(node, selection))),
    ),
  );
  disposables.add(
    registerCommand(log, commands.modelsNewQueryFromTable, (node) => openQueryOf(tableOf(node))),
  );
  disposables.add(
    registerCommand(log, commands.modelsPreview, async (node) => {
      session.requireClient();
      await deps.run(await previewDocument(tableOf(nodeOf(node)), store));
    }),
  );

  disposables.add(
    registerCommand(log, commands.modelsShowUses, (node) => showUses(nodeOf(node), uses, deps.queries)),
  );
  const drift = disposables.add(
    new DriftStore({
      log,
      queries: deps.queries,
      check: (text) => deps.language.check(text),
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
      uriOf: ({ queryId, name }) => deps.uriOf({ query_id: queryId, name }),
    }),
  );
  disposables.add(
    store.onDidChange(() => {
      if (drift.result !== undefined && drift.result.connection !== store.connection) drift.clear();
    }),
  );

  return {
    models: () => store.models(),
    want: (models) => {
      for (const model of models) wanted.add(model);
      readWanted();
    },
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

/** What the server says of unknown names is shown once the service was asked again. */
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
