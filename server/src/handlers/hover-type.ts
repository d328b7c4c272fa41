/** Hover for what has no name: the type of the smallest expression under the cursor. */
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { codeLine } from '../../../core/src/shown-text/for-markdown.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import { optionsFor, readableAs, type ServerState } from '../state.ts';

export interface HoverTypeContext {
  readonly analyser: Analyser;
  readonly state: ServerState;
}

/** Null where the type is not known. */
export async function hoverType(
  { analyser, state }: HoverTypeContext,
  document: TextDocument,
  position: Position,
  isCancelled: () => boolean,
): Promise<Hover | null> {
  if (readableAs(state, document) === undefined) return null;
  const offset = document.offsetAt(position);
  const analysis = await analyser.analyse(document.getText(), optionsFor(state, document.uri), isCancelled);
  const statement = analysis?.statements.find(({ start, end }) => start <= offset && offset <= end);
  if (analysis === undefined || statement === undefined) return null;
  const types = await analyser.typesOf(analysis, statement);
  const { code } = analysis.lexed;
  const base = statement.start;
  const around = (types?.expressions ?? []).flatMap(({ first, last, shiftLast, type }) => {
    const start = code.start(code.at(base + first));
    const end = code.end(code.at(base + last) + shiftLast);
    return start <= offset && offset <= end ? [{ start, end, type }] : [];
  });
  const smallest = around.reduce<(typeof around)[number] | undefined>(
    (best, own) => (best === undefined || own.end - own.start < best.end - best.start ? own : best),
    undefined,
  );
  return smallest === undefined
    ? null
    : {
        contents: { kind: MarkupKind.Markdown, value: codeLine(`(expression) ${smallest.type}`) },
        range: { start: document.positionAt(smallest.start), end: document.positionAt(smallest.end) },
      };
}
