/**
 * Commands for single saved queries and versions. They accept a row of the view or `{ queryId }`; otherwise they use
 * the active editor's query (see `targetOf`).
 */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, type CommandId } from '#client/contributions.ts';
import { requireWritable } from '#client/session/read-only.ts';
import { text } from '#client/ui/arguments.ts';
import { chooseCommand, type CommandChoice } from '#client/ui/choose-command.ts';
import { linkOrId } from '#client/ui/link-or-id.ts';
import { argumentsOf, presentFailure, registerCommand } from '#client/ui/register-command.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { serviceKeyOf } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { foldersOf } from '#core/saved-queries/arrange-queries.ts';
import { formatQueryLink } from '#core/saved-queries/query-links.ts';
import { freeName } from '#core/saved-queries/query-name.ts';
import { requireConnected, type Connected } from '../records/connected.ts';
import { withQuery } from '../records/explain-failure.ts';
import type { KnownQueries } from '../records/known-queries.ts';
import {
  queryArgument,
  requireOwnConnection,
  targetOf,
  withFocusedRow,
  type QueryArgument,
  type QueryRows,
} from '../records/query-argument.ts';
import { versionTargetOf, type VersionTarget } from '../versions/version-target.ts';
import type { CreateAgainDependencies } from './delete-query.ts';
import type { OpenLinkDependencies } from './open-link.ts';
import { showQuery } from './show-query.ts';

export interface QueryCommandsDependencies extends OpenLinkDependencies, CreateAgainDependencies {
  readonly log: Logger;
  readonly known: KnownQueries;
  readonly rows: QueryRows;
}

export class QueryCommands implements vscode.Disposable {
  readonly #deps: QueryCommandsDependencies;
  readonly #disposables = new DisposableStore();

  constructor(deps: QueryCommandsDependencies) {
    this.#deps = deps;
    this.#registerOpening();
    this.#registerChanging();
    this.#registerWithoutReading();
    this.#registerVersions();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #registerOpening(): void {
    this.#register(commands.savedQueryOpen, (argument) => this.#open(argument));
    this.#disposables.add(
      registerCommand(this.#deps.log, commands.savedQueryOpenById, [text], (idOrLink) =>
        this.#openById(idOrLink),
      ),
    );
  }

  /** Registers the commands that change a query, starting from its newest version. */
  #registerChanging(): void {
    const { news } = this.#deps;
    const fields = () => import('./edit-fields.ts');
    const cannotChange = vscode.l10n.t(
      'This service does not change saved queries. Duplicate the query under another name instead.',
    );
    this.#registerForNewest(commands.savedQueryRename, {
      title: vscode.l10n.t('Rename Saved Query'),
      tried: cannotChange,
      work: async (connected, query, argument) => {
        const { renameQuery } = await fields();
        // The next key, perhaps Delete, is meant for the row, not for the editor of the query, which is opened anew.
        const keepsFocus = argument.queryId !== undefined || argument.row !== undefined;
        await renameQuery(this.#deps, connected, query, { wanted: argument.name, keepsFocus });
      },
    });
    this.#registerChoice(commands.savedQueryEditDetails, vscode.l10n.t('Edit Saved Query'), [
      { label: vscode.l10n.t('Description'), command: commands.savedQueryEditDescription },
      { label: vscode.l10n.t('Model'), command: commands.savedQueryChangeModel },
    ]);
    this.#registerForNewest(commands.savedQueryChangeModel, {
      title: vscode.l10n.t('Change Model of Saved Query'),
      tried: cannotChange,
      work: async (connected, query, argument) => {
        const { changeModel } = await fields();
        await changeModel(this.#deps, connected, query, argument.model);
      },
    });
    this.#registerForNewest(commands.savedQueryEditDescription, {
      title: vscode.l10n.t('Edit Description of Saved Query'),
      tried: cannotChange,
      work: async (connected, query, argument) => {
        const { editDescription } = await fields();
        await editDescription(news, connected, query, argument.description);
      },
    });
    this.#registerForNewest(commands.savedQueryDuplicate, {
      title: vscode.l10n.t('Duplicate Saved Query'),
      tried: vscode.l10n.t('This service does not create saved queries.'),
      work: (connected, query) => this.#duplicate(connected, query),
    });
    this.#registerForNewest(commands.savedQueryDelete, {
      title: vscode.l10n.t('Delete Saved Query'),
      tried: vscode.l10n.t('This service does not delete saved queries.'),
      work: (connected, query) => this.#delete(connected, query),
    });
  }

  #registerWithoutReading(): void {
    this.#registerChoice(commands.savedQueryCopy, vscode.l10n.t('Copy'), [
      { label: vscode.l10n.t('Link'), command: commands.savedQueryCopyLink },
      { label: 'ID', command: commands.savedQueryCopyId },
    ]);
    this.#registerForId(commands.savedQueryCopyId, vscode.l10n.t('Copy ID of Saved Query'), copyId);
    this.#registerForId(
      commands.savedQueryCopyLink,
      vscode.l10n.t('Copy Link to Saved Query'),
      (queryId, argument) => this.#copyLink(queryId, argument),
    );
    this.#registerForId(commands.savedQueryFavourite, vscode.l10n.t('Favorites'), (queryId) =>
      this.#toggleFavourite(queryId),
    );
    this.#registerForId(
      commands.savedQueryShowVersions,
      vscode.l10n.t('Show Versions of Saved Query'),
      (queryId) => this.#showVersions(queryId),
    );
  }

  #registerVersions(): void {
    const { versions } = this.#deps;
    const load = () => import('../versions/version-commands.ts');
    this.#registerForVersion(commands.savedQueryVersionOpen, async ({ connection }, target) =>
      (await load()).openVersion(versions, connection, target),
    );
    this.#registerForVersion(commands.savedQueryVersionCompare, async (connected, target, argument) =>
      (await load()).compareVersion(this.#deps, connected, { ...target, with: argument.with }),
    );
    this.#registerForVersion(commands.savedQueryVersionRestore, async (connected, target) => {
      const { restoreVersion } = await import('../versions/restore-version.ts');
      await restoreVersion(this.#deps, connected, target);
    });
  }

  #register(id: CommandId, handler: (argument: QueryArgument) => unknown): void {
    this.#disposables.add(
      registerCommand(this.#deps.log, id, (...args) =>
        handler(...argumentsOf(id, [queryArgument], withFocusedRow(args))),
      ),
    );
  }

  #registerChoice(id: CommandId, title: string, choices: readonly CommandChoice[]): void {
    this.#disposables.add(
      registerCommand(this.#deps.log, id, (...args) => chooseCommand(title, choices, args)),
    );
  }

  /** Registers a command that acts on the newest version of a query. */
  #registerForNewest(
    id: CommandId,
    command: {
      readonly title: string;
      /** Message shown if the service does not support the action. */
      readonly tried: string;
      readonly work: (connected: Connected, query: SavedQuery, argument: QueryArgument) => Promise<void>;
    },
  ): void {
    const { session, news } = this.#deps;
    this.#register(id, async (argument) => {
      const connected = requireConnected(session);
      await requireWritable(session);
      const queryId = await this.#targetOf(argument, command.title);
      if (queryId === undefined) return;
      const { client, connection } = connected;
      await withQuery({ news, connection, queryId, tried: command.tried }, async () => {
        const query = await client.savedQueries.get(queryId);
        news.noteRead(connection, query);
        await command.work(connected, query, argument);
      });
    });
  }

  #registerForId(
    id: CommandId,
    title: string,
    work: (queryId: string, argument: QueryArgument) => Promise<void> | void,
  ): void {
    this.#register(id, async (argument) => {
      requireConnected(this.#deps.session);
      const queryId = await this.#targetOf(argument, title);
      if (queryId !== undefined) await work(queryId, argument);
    });
  }

  /**
   * Registers a command that acts on a version: that of the row, that of the active editor, or one that the user
   * chooses.
   */
  #registerForVersion(
    id: CommandId,
    work: (connected: Connected, target: VersionTarget, argument: QueryArgument) => Promise<void>,
  ): void {
    this.#register(id, async (argument) => {
      const connected = requireConnected(this.#deps.session);
      const row = argument.row === 'focused' ? await this.#deps.rows.focused() : undefined;
      const given = row ?? argument;
      const target = versionTargetOf(given) ?? (await this.#pickVersionOf(given, connected.connection));
      if (target !== undefined) await work(connected, target, argument);
    });
  }

  async #pickVersionOf(argument: QueryArgument, connection: string): Promise<VersionTarget | undefined> {
    const queryId = await this.#targetOf(argument, vscode.l10n.t('Versions of Saved Query'));
    if (queryId === undefined) return undefined;
    const { pickVersion } = await import('../versions/version-commands.ts');
    return await pickVersion(this.#deps, connection, queryId);
  }

  async #targetOf(argument: QueryArgument, title: string): Promise<string | undefined> {
    return await targetOf(argument, this.#deps, () => this.#pick(title));
  }

  async #pick(title: string): Promise<string | undefined> {
    const { quickOpen } = await import('./quick-open.ts');
    return (await quickOpen(this.#deps, title))?.query_id;
  }

  async #open(argument: QueryArgument): Promise<void> {
    const { session, connections, store } = this.#deps;
    const { connection } = requireConnected(session);
    requireOwnConnection(argument, connections);
    const queryId = argument.queryId ?? (await this.#pick(vscode.l10n.t('Open Saved Query')));
    if (queryId === undefined) return;
    const query = store.get(queryId);
    if (query === undefined) await this.#openVersion(queryId, undefined);
    else await showQuery(this.#deps, connection, query);
  }

  async #openById(idOrLink: string): Promise<void> {
    requireConnected(this.#deps.session);
    const target = linkOrId(idOrLink);
    if (target === undefined) return;
    if (target.service !== undefined && target.service !== this.#service()) {
      throw new ExpectedError(
        vscode.l10n.t('This link belongs to another service. Connect to that service first.'),
        [{ title: vscode.l10n.t('Connect...'), command: commands.connectionConnect }],
      );
    }
    await this.#openVersion(target.queryId, target.version);
  }

  async #openVersion(queryId: string, version: number | undefined): Promise<void> {
    const { openQueryVersion } = await import('./open-link.ts');
    await openQueryVersion(this.#deps, queryId, version);
  }

  async #duplicate({ client, connection }: Connected, query: SavedQuery): Promise<void> {
    const { log, store, news } = this.#deps;
    const { saveAsNew } = await import('../creating/save-as-new.ts');
    const created = await saveAsNew({
      client,
      text: query.query_string,
      model: query.model,
      models: [],
      connection,
      folders: foldersOf(store.list()),
      suggestedName: freeName(query.name, (name) => store.hasName(name)),
      suggestedDescription: query.description ?? '',
      isKnownName: (name) => store.hasName(name),
      failed: (error) => void presentFailure(log, commands.savedQueryDuplicate, error),
    });
    if (created === undefined || created === 'file') return;
    news.noteCreated(connection, created.record);
    await showQuery(this.#deps, connection, created.record);
  }

  async #delete(connected: Connected, query: SavedQuery): Promise<void> {
    const { log, remembered } = this.#deps;
    const { deleteQuery, offerCreateAgain } = await import('./delete-query.ts');
    const wasFavourite = remembered.isFavourite(query.query_id);
    const deleted = await deleteQuery(this.#deps, connected, query);
    if (deleted === undefined) return;
    void offerCreateAgain(this.#deps, connected, { query: deleted, wasFavourite }).catch((error: unknown) =>
      presentFailure(log, commands.savedQueryDelete, error),
    );
  }

  #toggleFavourite(queryId: string): void {
    const { remembered } = this.#deps;
    const isFavourite = !remembered.isFavourite(queryId);
    remembered.setFavourite(queryId, isFavourite);
    setStatusBarMessage(
      isFavourite ? vscode.l10n.t('Added to favorites.') : vscode.l10n.t('Removed from favorites.'),
      3_000,
    );
  }

  /** Copies a link to the query; for a version's row or read-only editor, to that version. */
  async #copyLink(queryId: string, argument: QueryArgument): Promise<void> {
    const target = versionTargetOf(argument);
    const version = target?.queryId === queryId ? target.version : undefined;
    const link = { queryId, version, service: this.#service() };
    await vscode.env.clipboard.writeText(formatQueryLink(vscode.env.uriScheme, link));
    setStatusBarMessage(vscode.l10n.t('Link copied.'), 3_000);
  }

  async #showVersions(queryId: string): Promise<void> {
    const { connection } = requireConnected(this.#deps.session);
    const { openVersion, pickVersion } = await import('../versions/version-commands.ts');
    const target = await pickVersion(this.#deps, connection, queryId);
    if (target !== undefined) await openVersion(this.#deps.versions, connection, target);
  }

  #service(): string | undefined {
    const { state } = this.#deps.session;
    return state.kind === 'connected' ? serviceKeyOf(state.profile) : undefined;
  }
}

async function copyId(queryId: string): Promise<void> {
  await vscode.env.clipboard.writeText(queryId);
  setStatusBarMessage(vscode.l10n.t('ID copied.'), 3_000);
}
