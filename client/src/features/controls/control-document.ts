/** Resolves a command's control: its current text in the editor, its waivers and its baseline. */
import * as vscode from 'vscode';
import { either, given, instanceOf, object, text, unfit, type Parser } from '#client/ui/arguments.ts';
import { readControl, type Control } from '#core/controls/control.ts';
import type { CheckedControl } from '#core/controls/run-control.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { foreignHomeOf } from '#core/policy/query-home.ts';
import type { ControlsDependencies } from './dependencies.ts';

export interface ControlDocument {
  readonly document: vscode.TextDocument;
  readonly control: Control;
}

/** Parses a URI string; the Testing view identifies controls by URI. */
const address: Parser<vscode.Uri> = (value) => {
  const id = text(value);
  return id !== unfit && /^[a-z][\w+.-]*:/i.test(id) ? vscode.Uri.parse(id) : unfit;
};
const item = object({ id: address });
/** Accepts a URI, a Testing view control, a message for such a control, or nothing. */
export const controlTarget = given(either(instanceOf(vscode.Uri), either(item, object({ test: item }))));
export type ControlTarget = Exclude<ReturnType<typeof controlTarget>, symbol>;

/** @throws ExpectedError if the target is not a control. */
export async function controlAt(target: ControlTarget): Promise<ControlDocument> {
  const uri = uriOf(target) ?? vscode.window.activeTextEditor?.document.uri;
  const document = uri && (await vscode.workspace.openTextDocument(uri));
  const control = document && readControl(document.getText());
  if (document === undefined || control === undefined)
    throw new ExpectedError(
      vscode.l10n.t('Open a control first: a query with a line such as -- @control AC-01 Title at its top.'),
    );
  return { document, control };
}

function uriOf(target: ControlTarget): vscode.Uri | undefined {
  if (target === undefined || target instanceof vscode.Uri) return target;
  return 'id' in target ? target.id : target.test.id;
}

/**
 * Checks a control's current text. The editor closes documents that no tab shows, and the language server knows only
 * open ones, so a closed document is opened again.
 * @throws ExpectedError if there is no verdict, or if the control belongs to another connection.
 */
export async function checkControl(
  deps: Pick<ControlsDependencies, 'statements' | 'modelOf' | 'homeOf' | 'session'>,
  document: vscode.TextDocument,
): Promise<CheckedControl> {
  requireHome(deps, document);
  const { statements, modelOf } = deps;
  for (let current = document; ;) {
    const { version } = current;
    const result = await statements(current);
    const range = populationOf(current);
    const population = range === undefined ? undefined : await statements(current, range);
    if (result !== undefined && (range === undefined || population !== undefined))
      return {
        statements: result.statements,
        model: result.modelDirective ?? modelOf(current),
        ...(population === undefined ? {} : { population: population.statements }),
      };
    if (!current.isClosed && current.version === version)
      throw new ExpectedError(
        vscode.l10n.t('The checks did not respond, so this statement could not be verified.'),
      );
    current = await vscode.workspace.openTextDocument(current.uri);
  }
}

function populationOf(document: vscode.TextDocument): vscode.Range | undefined {
  const range = readControl(document.getText())?.population?.range;
  return (
    range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character)
  );
}

/** @throws ExpectedError if a control is one of another connection, whose outcome is not that of the current one. */
function requireHome(
  { session: { state }, homeOf }: Pick<ControlsDependencies, 'homeOf' | 'session'>,
  { uri }: vscode.TextDocument,
): void {
  const home = homeOf(uri);
  const foreign = foreignHomeOf(home);
  if (foreign === undefined || state.kind !== 'connected') return;
  const { command, argument } = home?.connect ?? {};
  throw new ExpectedError(
    vscode.l10n.t(
      'This control belongs to {0}. You are connected to {1}, where it says nothing.',
      foreign,
      state.profile.name,
    ),
    command === undefined || argument === undefined
      ? []
      : [{ title: vscode.l10n.t('Connect to {0}', argument), command, arguments: [argument] }],
  );
}

/** Returns the folder that contains `.identity-queries`. */
export function controlRoot(): string | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
}

export function controlName({ id, title }: Pick<Control, 'id' | 'title'>): string {
  return title === id ? id : [id, title].filter((part) => part !== '').join(' ');
}
