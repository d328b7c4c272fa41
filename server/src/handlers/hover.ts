/** Hover using protocol types. */
import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { codeBlock, codeLine, markdownLine } from '#base/shown-text/for-markdown.ts';
import { hoverAt, type Hover as NamedHover } from '../language/editing/hover.ts';
import { loadTypeCatalogue } from '../parser/type-catalogue.ts';
import { nameContextFor, readableAs, type ServerState } from '../state.ts';

/** Returns null if there is no name at the position. */
export function hover(state: ServerState, document: TextDocument, position: Position): Hover | null {
  const found = namedAt(state, document, position);
  return found === undefined ? null : shownHover(document, found);
}

export function namedAt(
  state: ServerState,
  document: TextDocument,
  position: Position,
): NamedHover | undefined {
  const lexed = readableAs(state, document);
  return (
    lexed &&
    hoverAt(lexed, document.offsetAt(position), {
      ...nameContextFor(state, document.uri, lexed),
      functions: loadTypeCatalogue,
    })
  );
}

/** @param type an optional last line of the title */
export function shownHover(
  document: TextDocument,
  { start, end, title, overloads = [], description, columns, relations = [] }: NamedHover,
  type?: string,
): Hover {
  const below = [...overloads, ...(type === undefined ? [] : [type])];
  const code = below.length === 0 ? codeLine(title) : codeBlock([title, ...below].join('\n'));
  // Names, types and descriptions come from outside, so they are never rendered as Markdown.
  const lines = [description, columns, ...relations].filter((line) => line !== undefined);
  const parts = [code, ...lines.map((line) => markdownLine(line))];
  return {
    contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  };
}
