/** Creates drafts, and saved queries from a document, part of a document, or a selection. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { DisposableStore } from '#base/disposables.ts';
import { commands, type CommandId } from '#client/contributions.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { readOnlyReason, requireWritable } from '#client/session/read-only.ts';
import { presentFailure, registerCommand } from '#client/ui/register-command.ts';
import { showNewQuery } from '#client/ui/show-document.ts';
import { setStatusBarMessage } from '#client/ui/shown/notifications.ts';
import { connectionKeyOf } from '#core/connections/connection-profile.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { foldersOf, splitName } from '#core/saved-queries/arrange-queries.ts';
import { AttemptStore } from '#core/saved-queries/attempt-store.ts';
import { nameKeyOf } from '#core/saved-queries/known-query.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { languageId } from '#server/protocol.ts';
import type { FollowedEdits } from '../becoming/followed-edits.ts';
import { queryArgument, type QueryArgument } from '../records/query-argument.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import type { OpenQueries } from '../saving/open-queries.ts';
import type { ComparedTexts } from './compared-texts.ts';
import { freeNames } from './name-conflict.ts';
import type { SaveAsNewRequest, SavedAsNew } from './save-as-new.ts';
import { textToSave } from './text-to-save.ts';

export interface CreateDependencies extends FeatureDependencies {
  readonly store: SavedQueriesStore;
  readonly queries: OpenQueries;
  readonly compared: ComparedTexts;
  /** Returns a document's model, as displayed. */
  readonly modelOf: (document: vscode.TextDocument) => string;
  /** Adopts a record that was created or overwritten on this connection. */
  readonly onSaved: (connection: string, record: SavedQuery, from: MadeFrom | undefined) => void;
  /** Closes a draft whose whole text became a query, if it cannot be saved in place. */
  readonly closeIfStranded: (document: vscode.TextDocument) => Promise<void>;
  /** Shows a query; in place of the document that it was made of, if there is one. */
  readonly open: (connection: string, record: SavedQuery, from?: FollowedEdits) => Promise<void>;
}

/** The document whose text was saved. */
export interface MadeFrom {
  readonly from: vscode.TextDocument;
  /** Whether the record is made of the whole text that the document still has. */
  readonly isWhole: boolean;
}

const lastFolderKey = 'identityQueries.lastFolder';

/** The source of a new query's text and fields. */
interface Source extends Pick<
  SaveAsNewRequest,
  'text' | 'model' | 'suggestedName' | 'suggestedDescription' | 'late'
> {
  readonly document?: vscode.TextDocument;
  /** Set if the whole document becomes the query. */
  readonly followed?: FollowedEdits | undefined;
  readonly offersFile?: boolean;
  readonly draftKey: string;
}

export class CreateCommands implements vscode.Disposable {
  readonly #deps: CreateDependencies;
  readonly #attempts: AttemptStore;
  /** The folders in which drafts were asked for, each with its slash. */
  readonly #folders = new WeakMap<vscode.TextDocument, string>();
  readonly #disposables = new DisposableStore();

  constructor(deps: CreateDependencies) {
    this.#deps = deps;
    this.#attempts = new AttemptStore(deps.context.workspaceState);
    this.#register(commands.savedQuerySaveAsNew, (argument) => this.#saveAsNew(argument));
    this.#register(commands.querySaveDraft, (argument) => this.#saveDraft(argument));
    this.#register(commands.savedQuerySaveSelectionAsNew, (argument) => this.#saveSelectionAsNew(argument));
    this.#register(commands.queryNew, (argument) => this.#openNew(argument));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #register(id: CommandId, handler: (argument: QueryArgument) => Promise<void>): void {
    this.#disposables.add(registerCommand(this.#deps.log, id, [queryArgument], handler));
  }

  async #saveAsNew(argument: QueryArgument): Promise<void> {
    const document = await documentOf(argument);
    this.#deps.session.requireClient();
    await requireWritable(this.#deps.session);
    await this.#saveDocument(argument, document, { offersFile: false });
  }

  async #saveDocument(
    argument: QueryArgument,
    document: vscode.TextDocument,
    { offersFile }: { readonly offersFile: boolean },
  ): Promise<void> {
    const { store, queries, modelOf } = this.#deps;
    const { FollowedEdits } = await import('../becoming/followed-edits.ts');
    const text = textToSave(argument, document);
    requireText(text);
    const source = queries.baseOf(document.uri);
    const isWhole = text === document.getText();
    const model = source?.model ?? modelOf(document);
    const free = source && freeNames({ name: source.name, model }, (name) => store.hasName(name))[0];
    const followed = new FollowedEdits(document);
    // Loads while the person types the name.
    void import('../becoming/become-document.ts');
    try {
      const saved = await this.#create(commands.savedQuerySaveAsNew, {
        text,
        model: modelOf(document),
        suggestedName: argument.name ?? free ?? this.#folders.get(document) ?? this.#lastFolder(),
        suggestedDescription: source?.description ?? '',
        document,
        followed: isWhole ? followed : undefined,
        late: lateKeys(followed),
        offersFile,
        draftKey: isWhole ? document.uri.toString() : `${document.uri.toString()}\n${digestOf(text)}`,
      });
      if (saved === 'file') await keepAsFile(document);
      else if (saved !== undefined && saved.isMadeOf && text === document.getText())
        await this.#deps.closeIfStranded(document);
    } finally {
      followed.dispose();
    }
  }

  /** Handles Ctrl+S in a draft: saves it as a query of the service or as a file. */
  async #saveDraft(argument: QueryArgument): Promise<void> {
    const document = await documentOf(argument);
    const { state, mayConnect } = this.#deps.session;
    const refused = readOnlyReason(this.#deps.session);
    if (state.kind === 'connected' && refused === undefined) {
      await this.#saveDocument(argument, document, { offersFile: true });
      return;
    }
    const { askWhere } = await import('./ask-where.ts');
    const chosen = await askWhere(
      mayConnect && state.kind !== 'disconnected' ? state.profile.name : undefined,
      refused,
    );
    if (chosen === undefined) return;
    if (chosen === 'service') await requireWritable(this.#deps.session);
    if (chosen === 'file') await keepAsFile(document);
    else if (chosen === 'service')
      await vscode.commands.executeCommand(commands.savedQuerySaveAsNew, {
        uri: document.uri.toString(),
        name: argument.name,
      });
    else await vscode.commands.executeCommand(commands.connectionConnect);
  }

  /** The folder that the last new query went to, with its slash; empty if none did. */
  #lastFolder(): string {
    const folder = this.#deps.context.workspaceState.get<unknown>(lastFolderKey);
    return typeof folder === 'string' && folder !== '' ? `${folder}/` : '';
  }

  async #saveSelectionAsNew(argument: QueryArgument): Promise<void> {
    const { session, modelOf } = this.#deps;
    const editor = vscode.window.activeTextEditor;
    const selected = editor?.selections.filter((selection) => !selection.isEmpty) ?? [];
    if (editor === undefined || selected.length === 0)
      throw new ExpectedError(vscode.l10n.t("Select the query's text first."));
    session.requireClient();
    await requireWritable(session);
    const { document } = editor;
    const text = selected.map((selection) => document.getText(selection)).join('\n');
    requireText(text);
    const { FollowedEdits } = await import('../becoming/followed-edits.ts');
    const followed = new FollowedEdits(document);
    try {
      await this.#create(commands.savedQuerySaveSelectionAsNew, {
        text,
        model: modelOf(document),
        suggestedName: argument.name ?? '',
        suggestedDescription: '',
        document,
        late: lateKeys(followed),
        draftKey: `${document.uri.toString()}\n${digestOf(text)}`,
      });
    } finally {
      followed.dispose();
    }
  }

  async #openNew(argument: QueryArgument): Promise<void> {
    const group = groupOf(argument, this.#deps.store);
    const document = await showNewQuery(languageId, '');
    if (group !== undefined) this.#folders.set(document, `${group}/`);
  }

  async #create(id: CommandId, from: Source): Promise<SavedAsNew | 'file' | undefined> {
    const { session, store, compared, log } = this.#deps;
    const { document, followed, draftKey, ...request } = from;
    const client = session.requireClient();
    const { state } = session;
    if (state.kind !== 'connected') return undefined;
    const connection = state.profile.name;
    const key = `${connectionKeyOf(state.profile)}\n${draftKey}`;
    const { saveAsNew } = await import('./save-as-new.ts');
    const saved = await saveAsNew({
      ...request,
      client,
      connection,
      folders: foldersOf(store.list()),
      models: state.models,
      isKnownName: (name) => store.hasName(name),
      idOf: (name) => store.list().find((query) => nameKeyOf(query.name) === nameKeyOf(name))?.query_id,
      compared,
      attempts: {
        get: () => this.#attempts.get(key),
        set: (tried) => this.#attempts.set(key, tried),
      },
      failed: (error) => void presentFailure(log, id, error),
    });
    if (saved === undefined || saved === 'file') return saved;
    const { record } = saved;
    void this.#deps.context.workspaceState.update(lastFolderKey, splitName(record.name).folders.join('/'));
    // The user may have opened another query instead.
    const madeOf = saved.isMadeOf ? followed : undefined;
    const isWhole = madeOf !== undefined && isSameText(madeOf.document.getText(), madeOf.text);
    this.#deps.onSaved(connection, record, document && { from: document, isWhole });
    await this.#deps.open(connection, record, madeOf);
    const message = vscode.l10n.t('"{0}" is saved as version {1}.', record.name, record.version);
    setStatusBarMessage(`$(check) ${message}`, 5_000);
    return saved;
  }
}

function requireText(text: string): void {
  if (text.trim() === '')
    throw new ExpectedError(vscode.l10n.t('The document is empty: there is nothing to save.'));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the name prefix of a folder row, spelled as in its queries. */
function groupOf({ key = '' }: QueryArgument, store: SavedQueriesStore): string | undefined {
  const prefix = /^prefix:(.+)$/s.exec(key)?.[1];
  if (prefix === undefined) return undefined;
  const inGroup = store.list().find(({ name }) => nameKeyOf(name).startsWith(`${nameKeyOf(prefix)}/`));
  return inGroup?.name.split('/').slice(0, prefix.split('/').length).join('/') ?? prefix;
}

async function keepAsFile(document: vscode.TextDocument): Promise<void> {
  const { saveAsFile } = await import('./save-as-file.ts');
  await saveAsFile(document);
}

/** Returns a command's document: the one named by its URI, or the active one by default. */
async function documentOf({ uri }: QueryArgument): Promise<vscode.TextDocument> {
  if (uri !== undefined) return await vscode.workspace.openTextDocument(uri);
  const active = vscode.window.activeTextEditor?.document;
  if (active?.languageId !== languageId) {
    throw new ExpectedError(vscode.l10n.t('Open the query that you want to save first.'), [
      { title: vscode.l10n.t('New Query'), command: commands.queryNew },
    ]);
  }
  return active;
}

/** Keys that go to the prompt for a name while it closes are typed into the document. */
function lateKeys(followed: FollowedEdits): Source['late'] {
  return {
    onAccept: () => void followed.state,
    type: async (text) => {
      const { typeLate } = await import('../becoming/become-document.ts');
      await typeLate(followed, text);
    },
  };
}
