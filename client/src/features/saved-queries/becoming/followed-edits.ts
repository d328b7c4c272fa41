/** Follows the edits and the cursors of a document from the moment its text was taken. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { plainText } from '#core/saved-queries/same-text.ts';
import { fillDocument } from '../records/open-document.ts';
import { mapped, offsetOf, replay, type Action, type Cursor, type Typed } from './replayed-edits.ts';

const movedBy = {
  [vscode.TextEditorSelectionChangeKind.Keyboard]: 'key',
  [vscode.TextEditorSelectionChangeKind.Mouse]: 'mouse',
  [vscode.TextEditorSelectionChangeKind.Command]: 'command',
} as const;

export class FollowedEdits implements DisposableLike {
  readonly document: vscode.TextDocument;
  /** The text at the start, with LF line endings. */
  readonly text: string;
  readonly #disposables = new DisposableStore();
  #state: Typed;
  /** What came since the state, in order. */
  #actions: Action[] = [];
  #isEdited = false;
  #isAfterOurs = false;

  constructor(document: vscode.TextDocument) {
    this.document = document;
    this.text = plainText(document.getText());
    const offset = (at: vscode.Position) => offsetOf(this.text, at);
    const cursors = editorOf(document)?.selections ?? [];
    this.#state = { text: this.text, cursors: cursors.map((each) => mapped(each, offset)) };
    this.#disposables.add(vscode.workspace.onDidChangeTextDocument((event) => this.#note(event)));
    this.#disposables.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
        if (textEditor.document !== document || textEditor !== editorOf(document)) return;
        const by = kind === undefined ? 'edit' : movedBy[kind];
        this.#actions.push({ kind: 'move', by, cursors: selections });
      }),
    );
  }

  /** Whether there was an edit, other than our own. */
  get isEdited(): boolean {
    return this.#isEdited || this.#actions.some(({ kind, isOurs }) => kind === 'edit' && isOurs !== true);
  }

  /** The text and the cursors. */
  get state(): Typed {
    this.replayOn(this.#state);
    return this.#state;
  }

  /**
   * Returns the text that is meant if this was typed where the cursors were when `state` was last read, before all that
   * was done since.
   */
  typedBefore(typed: string): Typed {
    this.#isEdited = true;
    const { text, cursors } = this.#state;
    let before = '';
    let end = 0;
    const meant: Cursor[] = [];
    for (const cursor of cursors.toSorted((a, b) => startOf(a) - startOf(b))) {
      before += text.slice(end, startOf(cursor)) + typed;
      end = Math.max(cursor.anchor, cursor.active);
      meant.push({ anchor: before.length, active: before.length });
    }
    return { text: before + text.slice(end), cursors: meant };
  }

  /** Returns the text that is meant, with what was done here since the last call. */
  replayOn(meant: Typed): Typed {
    this.#isEdited = this.isEdited;
    let both = { theirs: this.#state, mine: meant };
    for (const action of this.#actions) {
      if (action.kind === 'edit') this.#isAfterOurs = action.isOurs === true;
      // The editor reports the cursors that an edit moved behind it.
      else if (action.by === 'edit' && this.#isAfterOurs) action.isOurs = true;
      both = replay(action, both);
    }
    this.#actions = [];
    this.#state = both.theirs;
    return both.mine;
  }

  /** Changes the document's text to this one, which is not what the person does. Call `replayOn` before it. */
  async fill(text: string): Promise<boolean> {
    if (text === plainText(this.document.getText())) return true;
    if (!(await fillDocument(this.document, text))) return false;
    const own = this.#actions.find((action) => action.kind === 'edit' && action.text === text);
    if (own !== undefined) own.isOurs = true;
    return true;
  }

  /** The cursors that the document gets when it is shown. */
  startAt(cursors: readonly Cursor[]): void {
    this.#state = { ...this.#state, cursors };
  }

  /** Waits for what places cursors, which is not what the person does. Call `replayOn` before it. */
  async placed(placing: Thenable<unknown>): Promise<void> {
    await placing;
    for (const action of this.#actions)
      if (action.kind === 'move' && action.by === 'command') action.isOurs = true;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #note({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.document || contentChanges.length === 0) return;
    // Their positions are all those of the text before the event, so the last one comes first.
    const edits = [...contentChanges]
      .sort((a, b) => b.rangeOffset - a.rangeOffset)
      .map(({ range: { start, end }, text }) => ({ start, end, text: plainText(text) }));
    this.#actions.push({ kind: 'edit', edits, text: plainText(document.getText()) });
  }
}

export function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  if (activeTextEditor?.document === document) return activeTextEditor;
  return visibleTextEditors.find((editor) => editor.document === document);
}

const startOf = ({ anchor, active }: Cursor): number => Math.min(anchor, active);
