/** The control that a command is about, as it is in the editor now, and what the files beside the queries say of it. */
import * as vscode from 'vscode';
import { readControl, type Control } from '../../../../core/src/controls/control.ts';
import { digestKeyLengthMin, rowDigests, type RowDigests } from '../../../../core/src/controls/row-digest.ts';
import type { CheckedControl } from '../../../../core/src/controls/run-control.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { either, given, instanceOf, object, text, unfit, type Parser } from '../../ui/arguments.ts';
import type { ControlsDependencies } from './dependencies.ts';

const digestKeyVariable = 'IDENTITY_QUERIES_DIGEST_KEY';

export interface ControlDocument {
  readonly document: vscode.TextDocument;
  readonly control: Control;
}

/** The Testing view names its controls by their address. */
const address: Parser<vscode.Uri> = (value) => {
  const id = text(value);
  return id !== unfit && /^[a-z][\w+.-]*:/i.test(id) ? vscode.Uri.parse(id) : unfit;
};
const item = object({ id: address });
/** An address, a control of the Testing view, a message of one, or nothing. */
export const controlTarget = given(either(instanceOf(vscode.Uri), either(item, object({ test: item }))));
export type ControlTarget = Exclude<ReturnType<typeof controlTarget>, symbol>;

/** @throws ExpectedError where that is no control. */
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

export async function checkControl(
  { statements, modelOf }: Pick<ControlsDependencies, 'statements' | 'modelOf'>,
  document: vscode.TextDocument,
): Promise<CheckedControl> {
  const result = await statements(document);
  return {
    statements: result?.statements ?? [],
    model: result?.modelDirective ?? modelOf(document),
  };
}

/** The folder that holds `.identity-queries`. */
export function controlRoot(): string | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
}

/** Undefined where the environment has no digest key. */
export function environmentDigests(): RowDigests | undefined {
  const secret = process.env[digestKeyVariable] ?? '';
  return secret.length >= digestKeyLengthMin ? rowDigests(secret) : undefined;
}

/** @throws ExpectedError */
export function requireDigests(): RowDigests {
  const digests = environmentDigests();
  if (digests !== undefined) return digests;
  throw new ExpectedError(
    vscode.l10n.t(
      'Rows are named with the digest key of your team. Set {0} in the environment of the editor ({1} characters or more) and start it again.',
      digestKeyVariable,
      digestKeyLengthMin,
    ),
  );
}

export function controlName({ id, title }: Pick<Control, 'id' | 'title'>): string {
  return title === id ? id : [id, title].filter((part) => part !== '').join(' ');
}
