/** Hover for the protocol. */
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { hoverAt } from '../language/hover.ts';
import { lexFor, nameContextFor, type ServerState } from '../state.ts';

export function hover(state: ServerState, document: TextDocument, position: Position): Hover | null {
  const lexed = lexFor(state, document.getText());
  const found = hoverAt(lexed, document.offsetAt(position), nameContextFor(state, document.uri, lexed));
  if (found === undefined) {
    return null;
  }
  const { start, end, title, description } = found;
  const value = `\`\`\`\n${title}\n\`\`\`${description === undefined ? '' : `\n\n${escapeMarkdown(description)}`}`;
  return {
    contents: { kind: MarkupKind.Markdown, value },
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  };
}

/** Descriptions come from the service or from a comment: they are text, not markup. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!<>|~-]/g, String.raw`\$&`);
}
