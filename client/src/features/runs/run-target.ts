/**
 * The document and position that a command applies to: from its arguments if given, otherwise from the active editor.
 */
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import {
  either,
  given,
  index,
  instanceOf,
  object,
  optional,
  unfit,
  type Parser,
} from '#client/ui/arguments.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { languageId } from '#server/protocol.ts';

export interface RunTarget {
  readonly document: vscode.TextDocument;
  readonly selection: vscode.Selection;
}

const addressText: Parser<vscode.Uri> = (value) =>
  typeof value === 'string' && /^[a-z][\w+.-]*:/i.test(value) ? vscode.Uri.parse(value, true) : unfit;
const address = either(instanceOf(vscode.Uri), addressText);
export const place = object({ line: index, character: index });
/** Parses a command's argument: a URI, `{ uri, range? }` from a code lens, or nothing. */
export const target = given(
  either(address, object({ uri: address, range: optional(object({ start: place })) })),
);
export type Target = Exclude<ReturnType<typeof target>, symbol>;
type Place = Exclude<ReturnType<typeof place>, symbol>;

/**
 * @param at a position, in addition to a URI.
 * @throws ExpectedError if there is no query.
 */
export async function targetOf(what: Target, at?: Place): Promise<RunTarget> {
  const { uri, range } = what instanceof vscode.Uri ? { uri: what } : (what ?? {});
  const active = vscode.window.activeTextEditor;
  const start = at ?? range?.start;
  const selection = start && new vscode.Selection(start.line, start.character, start.line, start.character);
  if (uri === undefined || uri.toString() === active?.document.uri.toString()) {
    const editor = await queryInView();
    if (editor === undefined) throw noQuery();
    return { document: editor.document, selection: selection ?? editor.selection };
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== languageId) throw noQuery();
  return { document, selection: selection ?? new vscode.Selection(0, 0, 0, 0) };
}

/**
 * Returns the active query. If the active page has no text, such as the walkthrough, shows and returns the only open
 * query. Undefined if there is none, or several.
 */
export async function queryInView(): Promise<vscode.TextEditor | undefined> {
  const active = vscode.window.activeTextEditor;
  if (active !== undefined) return active.document.languageId === languageId ? active : undefined;
  const queries = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : []))
    .flatMap((uri) =>
      vscode.workspace.textDocuments.filter(
        (document) => document.languageId === languageId && document.uri.toString() === uri,
      ),
    );
  const [only, ...more] = new Set(queries);
  if (only === undefined || more.length > 0) return undefined;
  return await vscode.window.showTextDocument(only, { preview: false });
}

function noQuery(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('Open a query first: there is nothing to run here.'), [
    { title: vscode.l10n.t('Open Saved Query...'), command: commands.savedQueryOpen },
    { title: vscode.l10n.t('New Query'), command: commands.queryNew },
  ]);
}
