/** Commands on single saved queries and their versions. Each takes a row of the view, `{ queryId }`, or the active editor's query. */
import * as vscode from 'vscode';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';
import { commands, type CommandId } from '../../../contributions.ts';
import { serviceKeyOf } from '../../../../../core/src/connections/connection-profile.ts';
import { ExpectedError } from '../../../../../core/src/util/failure.ts';
import { presentFailure, registerCommand } from '../../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../../core/src/util/disposables.ts';
import { setStatusBarMessage } from '../../../ui/shown/notifications.ts';
import { showInputBox } from '../../../ui/shown/prompts.ts';
import { deleteQuery, offerCreateAgain } from './delete-query.ts';
import { changeModel, editDescription, renameQuery } from './edit-fields.ts';
import {
  compareWithCurrent,
  compareWithEditor,
  compareWithPrevious,
  openVersion,
  pickVersion,
  restoreVersion,
  versionTargetOf,
  type VersionTarget,
} from '../versions/version-commands.ts';
import { saveAsNew } from '../creating/save-as-new.ts';
import { withQuery } from '../records/explain-failure.ts';
import type { KnownQueries } from '../records/known-queries.ts';
import { openQueryVersion } from './open-link.ts';
import {
  isHere,
  noteCreated,
  openQuery,
  queryIdOf,
  requireConnected,
  requireOwnConnection,
  targetOf,
  type Connected,
  type QueryContext,
} from './query-context.ts';
import {
  formatQueryLink,
  isQueryId,
  parseQueryLink,
} from '../../../../../core/src/saved-queries/query-links.ts';
import { freeName } from '../../../../../core/src/saved-queries/query-name.ts';
import { quickOpen } from './quick-open.ts';

export function registerQueryCommands(context: QueryContext, known: KnownQueries): DisposableLike {
  const { log, session, store, remembered } = context;
  const disposables = new DisposableStore();
  const register = (id: CommandId, handler: (argument: unknown) => unknown) =>
    disposables.add(registerCommand(log, id, handler));
  const pick = async (title: string) => (await quickOpen({ log, known, remembered }, title))?.query_id;

  /** Does something with the newest version of the query that a command is for. */
  const withNewest = (
    id: CommandId,
    title: string,
    tried: string,
    work: (connected: Connected, query: SavedQuery, argument: unknown) => Promise<void>,
  ) =>
    register(id, async (argument) => {
      const connected = requireConnected(session);
      const queryId = await targetOf(argument, context, () => pick(title));
      if (queryId === undefined) return;
      const { client, connection } = connected;
      await withQuery({ context, connection, queryId, tried }, async () => {
        const query = await client.savedQueries.get(queryId);
        if (isHere(context, connection)) store.put(query);
        context.versions.note(connection, query);
        await work(connected, query, argument);
      });
    });
  const cannotChange = vscode.l10n.t(
    'This service does not change saved queries. Duplicate the query under another name instead.',
  );

  register(commands.savedQueryOpen, async (argument) => {
    const { connection } = requireConnected(session);
    requireOwnConnection(argument, context);
    const queryId = queryIdOf(argument) ?? (await pick(vscode.l10n.t('Open Saved Query')));
    if (queryId === undefined) return;
    const query = store.get(queryId);
    if (query === undefined) await openQueryVersion(context, queryId, undefined);
    else await openQuery(context, connection, query);
  });
  register(commands.savedQueryOpenById, async (argument) => {
    requireConnected(session);
    const target = typeof argument === 'string' ? linkOrId(argument) : await askForId();
    if (target === undefined) return;
    if (target.service !== undefined && target.service !== serviceOf(context)) {
      throw new ExpectedError(
        vscode.l10n.t('This link is of another service. Connect to that service first.'),
        [{ title: vscode.l10n.t('Connect...'), command: commands.connectionConnect }],
      );
    }
    await openQueryVersion(context, target.queryId, target.version);
  });
  withNewest(
    commands.savedQueryRename,
    vscode.l10n.t('Rename Saved Query'),
    cannotChange,
    (connected, query, argument) => renameQuery(context, connected, query, textOf(argument, 'name')),
  );
  withNewest(
    commands.savedQueryChangeModel,
    vscode.l10n.t('Change Model of Saved Query'),
    cannotChange,
    (connected, query, argument) => changeModel(context, connected, query, textOf(argument, 'model')),
  );
  withNewest(
    commands.savedQueryEditDescription,
    vscode.l10n.t('Edit Description of Saved Query'),
    cannotChange,
    (connected, query, argument) =>
      editDescription(context, connected, query, textOf(argument, 'description')),
  );
  withNewest(
    commands.savedQueryDuplicate,
    vscode.l10n.t('Duplicate Saved Query'),
    vscode.l10n.t('This service does not create saved queries.'),
    async ({ client, connection }, query) => {
      const created = await saveAsNew({
        client,
        text: query.query_string,
        model: query.model,
        models: [],
        suggestedName: freeName(query.name, (name) => store.hasName(name)),
        suggestedDescription: query.description ?? '',
        isKnownName: (name) => store.hasName(name),
        failed: (error) => void presentFailure(log, commands.savedQueryDuplicate, error),
      });
      if (created === undefined) return;
      noteCreated(context, connection, created);
      await openQuery(context, connection, created);
    },
  );
  withNewest(
    commands.savedQueryDelete,
    vscode.l10n.t('Delete Saved Query'),
    vscode.l10n.t('This service does not delete saved queries.'),
    async (connected, query) => {
      const wasFavourite = remembered.isFavourite(query.query_id);
      const deleted = await deleteQuery(context, connected, query);
      if (deleted === undefined) return;
      void offerCreateAgain(context, connected, { query: deleted, wasFavourite }).catch((error: unknown) =>
        presentFailure(log, commands.savedQueryDelete, error),
      );
    },
  );

  const withTarget = (id: CommandId, title: string, work: (queryId: string, argument: unknown) => unknown) =>
    register(id, async (argument) => {
      requireConnected(session);
      const queryId = await targetOf(argument, context, () => pick(title));
      if (queryId !== undefined) await work(queryId, argument);
    });
  withTarget(commands.savedQueryCopyId, vscode.l10n.t('Copy Id of Saved Query'), async (queryId) => {
    await vscode.env.clipboard.writeText(queryId);
    setStatusBarMessage(vscode.l10n.t('The id is copied.'), 3_000);
  });
  withTarget(
    commands.savedQueryCopyLink,
    vscode.l10n.t('Copy Link to Saved Query'),
    async (queryId, argument) => {
      // Of a version's row or its read-only editor: to that version.
      const target = versionTargetOf(argument);
      const version = target?.queryId === queryId ? target.version : undefined;
      const link = { queryId, version, service: serviceOf(context) };
      await vscode.env.clipboard.writeText(formatQueryLink(vscode.env.uriScheme, link));
      setStatusBarMessage(vscode.l10n.t('The link is copied.'), 3_000);
    },
  );
  withTarget(commands.savedQueryAddToFavourites, vscode.l10n.t('Add to Favourites'), (queryId) =>
    remembered.setFavourite(queryId, true),
  );
  withTarget(commands.savedQueryRemoveFromFavourites, vscode.l10n.t('Remove from Favourites'), (queryId) =>
    remembered.setFavourite(queryId, false),
  );
  withTarget(
    commands.savedQueryShowVersions,
    vscode.l10n.t('Show Versions of Saved Query'),
    async (queryId) => {
      const { connection } = requireConnected(session);
      const target = await pickVersion(context, connection, queryId);
      if (target !== undefined) await openVersion(context, connection, target);
    },
  );

  /** Does something with a version: the row's, the active editor's, or one that is chosen. */
  const withVersion = (id: CommandId, work: (connected: Connected, target: VersionTarget) => Promise<void>) =>
    register(id, async (argument) => {
      const connected = requireConnected(session);
      let target = versionTargetOf(argument);
      if (target === undefined) {
        const queryId = await targetOf(argument, context, () =>
          pick(vscode.l10n.t('Versions of Saved Query')),
        );
        if (queryId !== undefined) target = await pickVersion(context, connected.connection, queryId);
      }
      if (target !== undefined) await work(connected, target);
    });
  withVersion(commands.savedQueryVersionOpen, ({ connection }, target) =>
    openVersion(context, connection, target),
  );
  withVersion(commands.savedQueryVersionCompareWithCurrent, (connected, target) =>
    compareWithCurrent(context, connected, target),
  );
  withVersion(commands.savedQueryVersionCompareWithPrevious, ({ connection }, target) =>
    compareWithPrevious(context, connection, target),
  );
  withVersion(commands.savedQueryVersionCompareWithEditor, ({ connection }, target) =>
    compareWithEditor(context, connection, target),
  );
  withVersion(commands.savedQueryVersionRestore, (connected, target) =>
    restoreVersion(context, connected, target),
  );
  return disposables;
}

/** A text that an argument brings along, so that it need not be asked for. */
function textOf(argument: unknown, field: string): string | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const value: unknown = Reflect.get(argument, field);
  return typeof value === 'string' ? value : undefined;
}

function serviceOf({ session: { state } }: QueryContext): string | undefined {
  return state.kind === 'connected' ? serviceKeyOf(state.profile) : undefined;
}

interface IdOrLink {
  readonly queryId: string;
  readonly version: number | undefined;
  readonly service: string | undefined;
}

/** An id, or a link as Copy Link makes it. */
function linkOrId(text: string): IdOrLink | undefined {
  const value = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return parseQueryLink(vscode.Uri.parse(value));
  return isQueryId(value) ? { queryId: value, version: undefined, service: undefined } : undefined;
}

async function askForId(): Promise<IdOrLink | undefined> {
  const given = await showInputBox({
    title: vscode.l10n.t('Open Saved Query by Id'),
    prompt: vscode.l10n.t('The id of a saved query, or a link to one'),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' || linkOrId(value) !== undefined
        ? undefined
        : vscode.l10n.t('This is neither an id nor a link to a saved query.'),
  });
  return given === undefined ? undefined : linkOrId(given);
}
