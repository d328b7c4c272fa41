/** One page for a new query: its name, which Enter accepts, and below it everything that is optional. */
import * as vscode from 'vscode';
import { limits } from '#api/contract/limits.ts';
import { DisposableStore } from '#base/disposables.ts';
import { promptSteps } from '#client/ui/prompt-steps.ts';
import { createQuickPick } from '#client/ui/shown/quick-picks.ts';
import { nameProblem } from '#core/saved-queries/query-name.ts';

export interface NameAndDescription {
  readonly name: string;
  readonly description: string;
}

/** What the user entered. The page may still be closing. */
export interface AskedName extends NameAndDescription {
  /** What was typed after Enter, before the page was gone. It belongs to the document behind the page. */
  readonly typedLate: Promise<string>;
}

export interface NamePage extends NameAndDescription {
  readonly title: string;
  /** The connection that keeps the query. */
  readonly connection: string;
  /** Folders of known queries. */
  readonly folders: readonly string[];
  readonly isTaken: (name: string) => boolean;
  /** A name that the service reported as taken. */
  readonly taken?: string | undefined;
  /** Whether the text can be kept as a file instead. */
  readonly offersFile: boolean;
  /** Called when the name is accepted; the page is still there. */
  readonly onAccept?: (() => void) | undefined;
}

interface Row extends vscode.QuickPickItem {
  readonly does: 'save' | 'describe' | 'file' | 'folder' | 'none';
  readonly folder?: string;
}

/** Maximum number of folders to list; more are found by typing. */
const foldersMax = 6;

export async function askName(page: NamePage): Promise<AskedName | 'file' | undefined> {
  let { name, description } = page;
  for (;;) {
    const answer = await show({ ...page, name, description });
    if (answer === undefined || answer === 'file') return answer;
    name = answer.name;
    if (!answer.describes)
      return { name: name.trim(), description: description.trim(), typedLate: answer.typedLate };
    await answer.typedLate;
    const given = await promptSteps(page.title, [descriptionStep()], { answers: [description] });
    description = given?.[0] ?? description;
  }
}

const descriptionStep = () => ({
  prompt: vscode.l10n.t('Description, optional'),
  placeholder: vscode.l10n.t('Its purpose and its audience'),
  validate: (value: string) =>
    value.length > limits.descriptionMax
      ? vscode.l10n.t('{0} characters at most; this has {1}.', limits.descriptionMax, value.length)
      : undefined,
});

type Accepted = { readonly name: string; readonly describes: boolean } | 'file' | undefined;
type Shown =
  | { readonly name: string; readonly describes: boolean; readonly typedLate: Promise<string> }
  | 'file'
  | undefined;

async function show(page: NamePage): Promise<Shown> {
  const disposables = new DisposableStore();
  const pick = disposables.add(createQuickPick<Row>());
  const isTaken = (name: string) => page.taken === name || page.isTaken(name);
  const takenWords = vscode.l10n.t('This name is taken. Press Enter to see your options.');
  const invalid = (name: string) => nameProblem(name, () => false);
  // Nothing is wrong with what is not typed yet.
  let isTyped = page.taken !== undefined;
  const draw = () => {
    const { value } = pick;
    const problem = isTyped
      ? (invalid(value) ?? (isTaken(value.trim()) ? takenWords : undefined))
      : undefined;
    pick.items = rowsOf(page, pick.value, problem);
  };
  const hidden = Promise.withResolvers<undefined>();
  disposables.add(pick.onDidHide(() => hidden.resolve(undefined)));
  const hide = async (name: string): Promise<string> => {
    pick.hide();
    await hidden.promise;
    const typedLate = pick.value.startsWith(name) ? pick.value.slice(name.length) : '';
    disposables.dispose();
    return typedLate;
  };
  try {
    const answer = await new Promise<Accepted>((resolve) => {
      pick.title = page.title;
      pick.placeholder = vscode.l10n.t('Name, as in "Access reviews/Orphans"');
      pick.ignoreFocusOut = true;
      const isFolder = page.name.endsWith('/');
      pick.value = isFolder ? '' : page.name;
      draw();
      disposables.add(
        pick.onDidChangeValue((value) => {
          isTyped ||= value !== page.name;
          draw();
        }),
      );
      disposables.add(pick.onDidHide(() => resolve(undefined)));
      disposables.add(
        pick.onDidAccept(() => {
          const [row] = pick.activeItems;
          if (row?.does === 'file') resolve('file');
          else if (row?.does === 'describe') resolve({ name: pick.value, describes: true });
          else if (row?.does === 'folder' && row.folder !== undefined) {
            pick.value = `${row.folder}/`;
            draw();
          } else {
            isTyped = true;
            // A taken name leads to the query that has it.
            if (invalid(pick.value) === undefined) {
              page.onAccept?.();
              resolve({ name: pick.value, describes: false });
            } else draw();
          }
        }),
      );
      pick.show();
      // The editor selects what a prompt opens with; a folder is there to type on.
      if (isFolder) pick.value = page.name;
    });
    if (answer !== undefined && answer !== 'file') return { ...answer, typedLate: hide(answer.name) };
    disposables.dispose();
    return answer;
  } catch (error) {
    disposables.dispose();
    throw error;
  }
}

function rowsOf(page: NamePage, value: string, problem: string | undefined): readonly Row[] {
  const save: Row = {
    does: 'save',
    label: vscode.l10n.t('Save to "{0}"', page.connection),
    detail: problem ?? vscode.l10n.t('As a saved query, with versions'),
    iconPath: new vscode.ThemeIcon(problem === undefined ? 'cloud-upload' : 'error'),
    alwaysShow: true,
  };
  const describe: Row = {
    does: 'describe',
    label: vscode.l10n.t('Description...'),
    detail: page.description === '' ? vscode.l10n.t('Its purpose and its audience') : page.description,
    iconPath: new vscode.ThemeIcon('note'),
    alwaysShow: true,
  };
  const file: Row = {
    does: 'file',
    label: vscode.l10n.t('Save as File...'),
    detail: vscode.l10n.t('On this machine, as .identity.sql'),
    iconPath: new vscode.ThemeIcon('file'),
    alwaysShow: true,
  };
  const folders = fittingFolders(page.folders, value).map((folder): Row => ({
    does: 'folder',
    folder,
    label: `${folder}/`,
    iconPath: new vscode.ThemeIcon('folder'),
    alwaysShow: true,
  }));
  const heading: Row = {
    does: 'none',
    label: vscode.l10n.t('Folders'),
    kind: vscode.QuickPickItemKind.Separator,
  };
  return [
    save,
    describe,
    ...(page.offersFile ? [file] : []),
    ...(folders.length > 0 ? [heading] : []),
    ...folders,
  ];
}

/** Returns the folders that begin with what is typed, other than the one it is in already. */
function fittingFolders(folders: readonly string[], value: string): readonly string[] {
  const typed = value.trimStart().toLowerCase();
  return folders
    .filter((folder) => folder.toLowerCase().startsWith(typed) || typed === '')
    .filter((folder) => !typed.startsWith(`${folder.toLowerCase()}/`))
    .slice(0, foldersMax);
}
