/** Hover for the protocol. */
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { codeLine, markdownLine } from '../../../core/src/shown-text/for-markdown.ts';
import { hoverAt } from '../language/editing/hover.ts';
import { nameContextFor, readableAs, type ServerState } from '../state.ts';

export function hover(state: ServerState, document: TextDocument, position: Position): Hover | null {
  const lexed = readableAs(state, document);
  if (lexed === undefined) {
    return null;
  }
  const found = hoverAt(lexed, document.offsetAt(position), nameContextFor(state, document.uri, lexed));
  if (found === undefined) {
    return null;
  }
  const { start, end, title, description } = found;
  // Names, types and descriptions are external text, so never markup.
  const parts = [codeLine(title), ...(description === undefined ? [] : [markdownLine(description)])];
  return {
    contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  };
}
