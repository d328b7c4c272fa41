/** The extension's query library: browse, open, add to a folder, save to the service. Nothing runs automatically. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands } from '#client/contributions.ts';
import { anything } from '#client/ui/arguments.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { registerTextDocumentContentProvider } from '#client/ui/shown/content-providers.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { LibraryDependencies } from './dependencies.ts';
import { librarySchemeName } from './library-uri.ts';

export function registerLibrary(deps: LibraryDependencies & { readonly log: Logger }): DisposableLike {
  const disposables = new DisposableStore();
  // Loaded on first use: packs need not be read at startup.
  const load = async () => {
    const { Library } = await import('./library.ts');
    return await Library.load(deps);
  };
  let library: ReturnType<typeof load> | undefined;
  const loaded = () => (library ??= load());
  disposables.add(
    registerTextDocumentContentProvider(librarySchemeName, {
      provideTextDocumentContent: async (uri) => (await loaded()).textAt(uri),
    }),
  );
  const on = commandsIn(disposables, deps.log);
  on(commands.libraryBrowse, async () => (await loaded()).browse());
  on(commands.libraryAddToFolder, async () => (await loaded()).addToFolder());
  on(commands.librarySaveToService, [anything], async (argument) => {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme !== librarySchemeName)
      throw new ExpectedError(vscode.l10n.t('Open a query from the library first.'), [
        { title: vscode.l10n.t('Browse Query Library...'), command: commands.libraryBrowse },
      ]);
    await (await loaded()).saveToService(uri);
  });
  return disposables;
}
