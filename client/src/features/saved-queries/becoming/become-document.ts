/**
 * Turns one open document into another, such as a draft into the saved query made of it, while the person goes on
 * typing: the keys since then, wherever they went, are unsaved edits of the new document, and the old one is let go
 * only when it holds nothing more.
 *
 * No editor's API exchanges the document under the keys at once. Keys that come before the exchange go to the old
 * document, and later ones to the new one, to a cursor that those before may still move. So the text that is meant is
 * kept beside both, and the new document is brought to it, until it is what the person sees.
 */
import * as vscode from 'vscode';
import { tabsOfText } from '../saving/new-tabs.ts';
import { editorOf, FollowedEdits } from './followed-edits.ts';
import { mapped, offsetOf, placeOf, type Cursor, type Typed } from './replayed-edits.ts';

/** A person can type a key at the moment of an edit, which is then tried again. */
const attemptsMax = 100;

export interface Becoming {
  /** Whether the text counts as it is; otherwise, the service's form of it does if nothing was typed since. */
  readonly isAsItIs?: boolean;
  /** Whether a preview stays one. */
  readonly keepsPreview?: boolean;
  /** Whether the focus stays where it is, such as in a tree. */
  readonly keepsFocus?: boolean;
  /** Shows the new document wherever else the old one is shown. */
  readonly showElsewhere?: () => Promise<void>;
  /** Lets the old document go, whose text the new one has. Returns false if a key came at the same moment. */
  readonly letGo?: (followed: FollowedEdits) => Promise<boolean>;
}

/**
 * @param followed the old document, followed since the new document's text was taken from it.
 * @returns whether the new document has everything; otherwise, both stay open.
 */
export async function becomeDocument(
  followed: FollowedEdits,
  to: vscode.Uri,
  becoming: Becoming = {},
): Promise<boolean> {
  const target = await vscode.workspace.openTextDocument(to);
  const own = new FollowedEdits(target);
  try {
    const isAsItIs = becoming.isAsItIs === true || followed.isEdited;
    let meant = isAsItIs ? followed.state : inText(own.text, followed.state);
    const catchUp = () => (meant = own.replayOn(followed.replayOn(meant)));
    // Keys still go to the old document, so the new one appears with as many of them as possible.
    for (let attempt = 0; attempt < attemptsMax && catchUp().text !== own.state.text; attempt += 1)
      if (!(await own.fill(meant.text))) return false;
    own.startAt(meant.cursors);
    const show = async () => {
      await showInPlaceOf(followed.document.uri, to, { ...becoming, typedAt: selectionsIn(meant) });
      await becoming.showElsewhere?.();
    };
    await own.placed(show());
    let isLetGo = false;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      catchUp();
      const editor = editorOf(target);
      if (own.state.text !== meant.text) await own.fill(meant.text);
      else if (editor !== undefined && !isSame(own.state.cursors, meant.cursors))
        await own.placed(placeCursors(editor, selectionsIn(meant)));
      else if (isLetGo) return true;
      else isLetGo = await (becoming.letGo ?? letGo)(followed);
    }
    return isLetGo;
  } finally {
    own.dispose();
  }
}

/** Returns another form of a text, which may be shorter, with the cursors at the same lines and characters. */
function inText(form: string, { text, cursors }: Typed): Typed {
  const place = (at: number) => offsetOf(form, placeOf(text, at));
  return { text: form, cursors: cursors.map((each) => mapped(each, place)) };
}

/**
 * Types into a document what went to a prompt that was closing, where its cursors were then: before the keys that have
 * come to the document since.
 * @param followed whose `state` was read when the prompt was accepted.
 */
export async function typeLate(followed: FollowedEdits, typed: string): Promise<void> {
  let meant = followed.typedBefore(typed);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    meant = followed.replayOn(meant);
    const { text, cursors } = followed.state;
    const editor = editorOf(followed.document);
    if (text !== meant.text) await followed.fill(meant.text);
    else if (editor !== undefined && !isSame(cursors, meant.cursors))
      await followed.placed(placeCursors(editor, selectionsIn(meant)));
    else return;
  }
}

/**
 * Closes a draft, or returns another document to the text that was taken from it.
 * @returns false if a key came at the same moment.
 */
export async function letGo(followed: FollowedEdits): Promise<boolean> {
  const { document } = followed;
  if (!document.isUntitled) return !followed.isEdited || (await followed.fill(followed.text));
  // An empty draft has no unsaved changes, so it closes without a question and without the focus.
  if (!(await followed.fill(''))) return false;
  const tabs = tabsOfText(document.uri);
  if (!tabs.some(({ isDirty }) => isDirty)) {
    await vscode.window.tabGroups.close([...tabs], true);
    return true;
  }
  // A draft with a path is never clean.
  const active = vscode.window.activeTextEditor;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  if (active !== undefined && active.document !== document)
    await vscode.window.showTextDocument(active.document, active.viewColumn);
  return true;
}

/**
 * Shows a document wherever another one is shown, with its cursors and scrolled as it was.
 * @param shown.typedAt the cursors in the editor that the person types in, if they are no longer those that it shows.
 */
export async function showInPlaceOf(
  from: vscode.Uri,
  to: vscode.Uri,
  shown: Pick<Becoming, 'keepsPreview' | 'keepsFocus'> & { readonly typedAt?: readonly vscode.Selection[] },
): Promise<void> {
  const address = from.toString();
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  for (const { group, isActive, isPreview } of tabsOfText(from)) {
    const place = { viewColumn: group.viewColumn, preview: isPreview && shown.keepsPreview === true };
    if (!isActive) {
      await vscode.commands.executeCommand('vscode.open', to, { ...place, background: true });
      continue;
    }
    const before = vscode.window.visibleTextEditors.find(
      ({ document, viewColumn }) => document.uri.toString() === address && viewColumn === group.viewColumn,
    );
    const isTypedIn = group.isActive && (active === undefined || active === address);
    const cursors = (isTypedIn ? shown.typedAt : undefined) ?? before?.selections ?? [];
    const top = before?.visibleRanges[0];
    const editor = await vscode.window.showTextDocument(to, {
      ...place,
      preserveFocus: !isTypedIn || shown.keepsFocus === true,
      ...(cursors[0] === undefined ? {} : { selection: cursors[0] }),
    });
    if (cursors.length > 1) await placeCursors(editor, cursors);
    if (top !== undefined && top.start.line > 0)
      editor.revealRange(new vscode.Range(top.start, top.start), vscode.TextEditorRevealType.AtTop);
  }
}

async function placeCursors(
  editor: vscode.TextEditor,
  selections: readonly vscode.Selection[],
): Promise<void> {
  editor.selections = selections;
  // The editor reports them before it answers.
  await vscode.workspace.applyEdit(new vscode.WorkspaceEdit());
}

function selectionsIn({ text, cursors }: Typed): readonly vscode.Selection[] {
  const position = (offset: number) => {
    const { line, character } = placeOf(text, offset);
    return new vscode.Position(line, character);
  };
  return cursors
    .map((each) => mapped(each, position))
    .map(({ anchor, active }) => new vscode.Selection(anchor, active));
}

function isSame(some: readonly Cursor[], others: readonly Cursor[]): boolean {
  return some.every(({ anchor, active }, index) => {
    const other = others[index];
    return other === undefined || (other.anchor === anchor && other.active === active);
  });
}
