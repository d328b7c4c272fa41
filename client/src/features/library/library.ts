/** The loaded library, which implements each command. */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { showDocument } from '#client/ui/show-document.ts';
import { showInformationMessage } from '#client/ui/shown/notifications.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { fitOf, fitSentences, type FitReport } from '#core/packs/fit.ts';
import { folderFiles } from '#core/packs/pack-files.ts';
import { packsFolder } from '#core/packs/pack-lock.ts';
import { sayPackProblem } from '#core/packs/pack-messages.ts';
import { PackStore, PackStoreError } from '#core/packs/pack-store.ts';
import { readPack, type Pack } from '#core/packs/read-pack.ts';
import { libraryQueries, type LibraryQuery } from '#core/packs/search-pack.ts';
import { shippedPackFolder, shippedPacks } from '#core/packs/shipped-packs.ts';
import type { LibraryDependencies } from './dependencies.ts';
import { pickFromLibrary } from './library-picks.ts';
import { fileOfUri, libraryUri } from './library-uri.ts';

export class Library {
  readonly #deps: LibraryDependencies;
  /** Of all packs. Their files have different names. */
  readonly #queries: readonly LibraryQuery[];
  readonly #shelves: readonly [Shelf, ...Shelf[]];

  private constructor(deps: LibraryDependencies, packs: readonly [Pack, ...Pack[]]) {
    const shelf = (pack: Pack): Shelf => ({ pack, queries: libraryQueries(pack) });
    const [first, ...others] = packs;
    this.#deps = deps;
    this.#shelves = [shelf(first), ...others.map(shelf)];
    this.#queries = this.#shelves.flatMap(({ queries }) => queries);
  }

  /** @throws ExpectedError if the extension's installation is incomplete. */
  static async load(deps: LibraryDependencies): Promise<Library> {
    const [first, ...others] = shippedPacks;
    const program = deps.context.extensionUri.fsPath;
    return new Library(deps, [
      await packNamed(first, program),
      ...(await Promise.all(others.map((name) => packNamed(name, program)))),
    ]);
  }

  /** Returns the pack of which most fits the connection. */
  #fittingShelf(): FittedShelf {
    const models = this.#deps.models();
    const fitted = ({ pack, queries }: Shelf): FittedShelf => {
      const files = queries.map(({ query }) => query.file);
      return {
        pack,
        queries,
        fit: models === undefined ? undefined : fitOf(files, pack.manifest.requires, models),
      };
    };
    const share = ({ fit }: FittedShelf): number =>
      fit === undefined ? 0 : fit.fitting.length / fit.queries;
    const [first, ...others] = this.#shelves;
    return others
      .map(fitted)
      .reduce((best, each) => (share(each) > share(best) ? each : best), fitted(first));
  }

  textAt(uri: vscode.Uri): string {
    const file = fileOfUri(uri);
    const found = this.#queries.find(({ query }) => query.file === file);
    if (found === undefined) throw new Error(vscode.l10n.t('The library no longer has this query.'));
    return found.query.text;
  }

  async browse(): Promise<void> {
    this.#wantModels();
    const choice = await pickFromLibrary({
      shelf: () => this.#fittingShelf(),
      onDidChangeFit: this.#deps.onDidChangeModels,
    });
    switch (choice?.kind) {
      case 'open':
        await showDocument(await vscode.workspace.openTextDocument(this.#uriOf(choice.query)), undefined);
        return;
      case 'save':
        await this.saveToService(this.#uriOf(choice.query));
        return;
      case 'add':
        await this.addToFolder();
        return;
      case undefined:
        return;
      default:
        choice satisfies never;
    }
  }

  /** Starts Save as New, where the user enters the name and can still cancel. */
  async saveToService(uri: vscode.Uri): Promise<void> {
    const file = fileOfUri(uri);
    const found = this.#queries.find(({ query }) => query.file === file);
    if (found === undefined) throw new ExpectedError(vscode.l10n.t('The library no longer has this query.'));
    const document = await vscode.workspace.openTextDocument(this.#uriOf(found));
    await vscode.commands.executeCommand(commands.savedQuerySaveAsNew, {
      uri: document.uri.toString(),
      name: found.query.name,
    });
  }

  async addToFolder(): Promise<void> {
    const folder = await chooseFolder();
    if (folder === undefined) return;
    await this.#readModels();
    const shelf = this.#fittingShelf();
    const { pack } = shelf;
    const { name, title } = pack.manifest;
    const store = new PackStore(folder.uri.fsPath);
    try {
      const plan = await store.plan(pack, { kind: 'shipped', address: name });
      if (plan.before !== undefined && plan.changes.every(({ text }) => text === undefined)) {
        await this.#showAdded(vscode.l10n.t('{0} is already in {1}.', title, folder.name));
        return;
      }
      if (!(await this.#isConfirmed(folder, shelf))) return;
      await store.install(plan);
    } catch (error) {
      if (error instanceof PackStoreError)
        throw new ExpectedError(sayStoreProblem(error), [], { cause: error });
      throw error;
    }
    await this.#showAdded(
      vscode.l10n.t('{0} is in {1}. Run its controls in the Testing view.', title, `${packsFolder}/${name}`),
    );
  }

  async #isConfirmed(folder: vscode.WorkspaceFolder, shelf: FittedShelf): Promise<boolean> {
    const { title, name } = shelf.pack.manifest;
    const fit =
      shelf.fit === undefined
        ? [vscode.l10n.t('Connect to a service to see which queries fit.')]
        : fitSentences(shelf.fit);
    const add = vscode.l10n.t('Add to Folder');
    const answer = await showInformationMessage(
      vscode.l10n.t('Add {0} to {1}?', title, folder.name),
      {
        modal: true,
        detail: [
          ...fit,
          '',
          vscode.l10n.t('The files go to {0}. Nothing runs automatically.', `${packsFolder}/${name}`),
        ].join('\n'),
      },
      add,
    );
    return answer === add;
  }

  async #showAdded(message: string): Promise<void> {
    // Rescan here: not every file system reports new files, and the walkthrough also leads to the Testing view.
    await this.#deps.findControls();
    const show = vscode.l10n.t('Show Testing View');
    const answer = await showInformationMessage(message, show);
    if (answer !== show) return;
    await vscode.commands.executeCommand('workbench.view.testing.focus');
  }

  #wantModels(): void {
    this.#deps.wantModels(this.#modelsRead());
  }

  /** Reads the models, to show which controls fit before anything is added. The user can continue without waiting. */
  async #readModels(): Promise<void> {
    await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Reading models...'),
        cancellable: true,
      },
      (_, signal) =>
        Promise.race([
          this.#deps.ensureModels(this.#modelsRead()),
          new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
        ]),
    );
  }

  #modelsRead(): ReadonlySet<string> {
    const columns = this.#queries.flatMap((query) => query.columns);
    return new Set(columns.map((column) => column.split('.')[0] ?? ''));
  }

  #uriOf({ query, control }: LibraryQuery): vscode.Uri {
    return libraryUri(query.file, control === undefined ? query.name : `${control.id} ${control.title}`);
  }
}

interface Shelf {
  readonly pack: Pack;
  readonly queries: readonly LibraryQuery[];
}

interface FittedShelf extends Shelf {
  /** Undefined until the models are known. */
  readonly fit: FitReport | undefined;
}

/** @throws ExpectedError if the extension's installation is incomplete. */
async function packNamed(name: string, program: string): Promise<Pack> {
  const folder = shippedPackFolder(name, program);
  if (folder === undefined)
    throw new ExpectedError(vscode.l10n.t('The query library is missing. Reinstall the extension.'));
  const read = await readPack(folderFiles(folder));
  if ('pack' in read) return read.pack;
  throw new ExpectedError(
    vscode.l10n.t('The query library cannot be read. {0}', sayPackProblem(read.problem)),
  );
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first, ...others] = folders;
  if (first === undefined)
    throw new ExpectedError(vscode.l10n.t('Open a folder first: the library goes into it.'));
  if (others.length === 0) return first;
  const chosen = await showQuickPick(
    folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { title: vscode.l10n.t('Add Query Library'), placeHolder: vscode.l10n.t('Which folder?') },
  );
  return chosen?.folder;
}

function sayStoreProblem({ problem, file }: PackStoreError): string {
  switch (problem) {
    case 'lock':
    case 'base':
      return vscode.l10n.t('"{0}" is missing or was changed. Restore it from Git.', file);
    case 'link':
      return vscode.l10n.t('"{0}" is a symbolic link, so nothing is written there.', file);
    case 'taken':
      return vscode.l10n.t('"{0}" already exists and does not belong to a pack. Rename it.', file);
    case 'moved':
      return vscode.l10n.t(
        'The tag names another commit than the one that was installed ({0}). Nothing was changed. Choose a new tag.',
        file,
      );
    case 'notInstalled':
      return vscode.l10n.t('The folder has no pack "{0}".', file);
    default:
      return problem satisfies never;
  }
}
