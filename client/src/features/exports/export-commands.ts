/** The export commands. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DownloadCreate } from '#api/contract/downloads.ts';
import { fileNameOf } from '#base/files/file-name.ts';
import { commands, views } from '#client/contributions.ts';
import { connectedClient, type ConnectedClient } from '#client/session/connected-client.ts';
import type { Session } from '#client/session/session.ts';
import { anything, either, given, instanceOf, object, optional, text } from '#client/ui/arguments.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { withFollowUp, type RegisterCommand } from '#client/ui/register-command.ts';
import { setStatusBarMessage, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import type { KnownExport } from '#core/exports/export-store.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ResultsFeature } from '../results/index.ts';
import type { Exports } from './exports.ts';

/** Returns undefined if the service does not say, or cannot be asked: then it decides by its answer. */
async function servedExports({ client }: ConnectedClient): Promise<readonly string[] | undefined> {
  const server = await client.models.server().catch(() => undefined);
  return server?.exports;
}

/** Parses an export: an ID, or a row of the Activity view, optionally with a target file. */
const ofExport = given(either(text, object({ id: text, uri: optional(instanceOf(vscode.Uri)) })));
type OfExport = Exclude<ReturnType<typeof ofExport>, symbol>;

/** Time for which the status bar says that an export was requested. */
const requestedMs = 10_000;

export class ExportCommands {
  readonly #session: Session;
  readonly #results: ResultsFeature;
  readonly #exports: Exports;
  /** Aborts saving when the window closes. */
  readonly #closing: AbortSignal;

  constructor(deps: {
    readonly session: Session;
    readonly results: ResultsFeature;
    readonly exports: Exports;
    readonly closing: AbortSignal;
  }) {
    this.#session = deps.session;
    this.#results = deps.results;
    this.#exports = deps.exports;
    this.#closing = deps.closing;
  }

  register(on: RegisterCommand): void {
    // The parser loads with the first export.
    on(commands.exportsCreate, [anything], (request) => this.#create(request));
    on(commands.exportsOpenById, [text], (id) => this.#openById(id));
    on(commands.exportsSave, [ofExport], (which) => this.#save(which));
    on(commands.exportsContinue, [ofExport], (which) => this.#continue(which));
    on(commands.exportsDiscardPart, [ofExport], (which) => this.#discardPart(which));
    on(commands.openInResults, [either(instanceOf(vscode.Uri), ofExport)], (which) =>
      which instanceof vscode.Uri
        ? vscode.commands.executeCommand(commands.resultsOpenFile, which)
        : this.#openInResults(which),
    );
    on(commands.exportsCreateAgain, [ofExport], (which) => this.#createAgain(which));
    on(commands.exportsForget, [ofExport], (which) => this.#exports.forget(chosen(this.#exports, which)));
    on(commands.exportsCurrent, [], () => this.#exports.known);
  }

  /** @returns the export's ID, or undefined if the user cancels. */
  async #create(given: unknown): Promise<string | undefined> {
    const connection = await connectedClient(this.#session);
    const { askExport, parseExport } = await import('./ask-export.ts');
    const request = parseExport(given) ?? (await askExport(await servedExports(connection)));
    if (request === undefined) return undefined;
    const title = contextTitle(request.context);
    const known = await withFollowUp({ args: [request] }, () =>
      namingFailure(
        (reason) => vscode.l10n.t('The export "{0}" could not be created: {1}', title, reason),
        () => this.#createWithProgress(connection, request),
      ),
    );
    // The focus stays where the person works.
    void setStatusBarMessage(
      vscode.l10n.t('The export "{0}" was requested. You will be told when it is ready.', title),
      requestedMs,
    );
    return known.id;
  }

  async #createWithProgress(connection: ConnectedClient, request: DownloadCreate): Promise<KnownExport> {
    return await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Requesting the export "{0}"', contextTitle(request.context)),
        cancellable: true,
      },
      async (progress, signal) => {
        return await this.#exports.create(connection, request, {
          signal,
          say: (message) => progress.report({ message }),
        });
      },
    );
  }

  async #openById(id: string): Promise<string> {
    const connection = await connectedClient(this.#session);
    await namingFailure(
      (reason) => vscode.l10n.t('The export "{0}" could not be opened: {1}', id, reason),
      () => this.#exports.open(connection, id),
    );
    await vscode.commands.executeCommand(`${views.activity}.focus`);
    return id;
  }

  async #save(which: OfExport): Promise<vscode.Uri | undefined> {
    const connection = await connectedClient(this.#session);
    const known = chosen(this.#exports, which);
    const uri = (typeof which === 'object' ? which.uri : undefined) ?? (await chooseFile(known));
    if (uri === undefined) return undefined;
    return await withFollowUp({ args: [{ id: known.id, uri }] }, () => this.#saveTo(connection, known, uri));
  }

  async #continue(which: OfExport): Promise<vscode.Uri | undefined> {
    const connection = await connectedClient(this.#session);
    const { choosePart, mayReplace } = await import('./choose-part.ts');
    const found = await choosePart(this.#exports, this.#chosenIfAny(which));
    if (found === undefined) return undefined;
    const { target } = found.state.part;
    if (existsSync(target) && !(await mayReplace(target))) return undefined;
    return await this.#saveTo(connection, found.known, vscode.Uri.file(target));
  }

  async #discardPart(which: OfExport): Promise<void> {
    await connectedClient(this.#session);
    const { choosePart } = await import('./choose-part.ts');
    const found = await choosePart(this.#exports, this.#chosenIfAny(which));
    if (found !== undefined) await this.#exports.discard(found);
  }

  async #openInResults(which: OfExport): Promise<void> {
    const connection = await connectedClient(this.#session);
    const known = chosen(this.#exports, which);
    const { openExport } = await import('./save-export.ts');
    await openExport(this.#results, connection, known, () => void this.#exports.lookAgain(connection, known));
  }

  async #createAgain(which: OfExport): Promise<unknown> {
    const { context, fileFormat, urlTtlMinutes } = chosen(this.#exports, which);
    return await vscode.commands.executeCommand(commands.exportsCreate, {
      context,
      fileFormat,
      urlTtlMinutes,
    });
  }

  async #saveTo(
    connection: ConnectedClient,
    known: KnownExport,
    uri: vscode.Uri,
  ): Promise<vscode.Uri | undefined> {
    const { saveWithProgress } = await import('./save-export.ts');
    const { store } = this.#exports;
    const onOver = () => void this.#exports.lookAgain(connection, known);
    const isSaved = await saveWithProgress(connection.client, known, {
      uri,
      closing: this.#closing,
      store,
      onOver,
    });
    if (!isSaved) return undefined;
    await this.#exports.saved(known, uri.fsPath);
    void showInformationMessage(
      vscode.l10n.t('{0} is in {1}.', contextTitle(known.context), path.basename(uri.fsPath)),
      vscode.l10n.t('Open in Results'),
    ).then((answer) => {
      // The file that was downloaded, which is there even after the link has expired.
      if (answer !== undefined) void vscode.commands.executeCommand(commands.resultsOpenFile, uri);
    });
    return uri;
  }

  #chosenIfAny(which: OfExport): KnownExport | undefined {
    return which === undefined ? undefined : chosen(this.#exports, which);
  }
}

/** @throws ExpectedError if the export does not belong to the current connection. */
function chosen(exports: Exports, which: OfExport): KnownExport {
  const id = typeof which === 'object' ? which.id : which;
  const known = exports.known.find((one) => one.id === id);
  if (known === undefined) {
    throw new ExpectedError(vscode.l10n.t('Choose an export in the Activity view.'), [
      { title: vscode.l10n.t('Create Export...'), command: commands.exportsCreate },
    ]);
  }
  return known;
}

async function chooseFile({ context, fileFormat }: KnownExport): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = fileNameOf(`${context}.${fileFormat}`);
  return await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Export'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}
