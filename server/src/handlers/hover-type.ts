/** For a hover: type and source columns of the smallest expression under the cursor. */
import { t } from '../../../core/src/util/texts.ts';
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { codeBlock, codeLine } from '../../../core/src/shown-text/for-markdown.ts';
import type { AnalysedStatement, Analysis } from '../language/checks/analysis.ts';
import type { Analyser } from '../language/checks/analyser.ts';
import type { TypedExpression } from '../language/types/type-statement.ts';
import type { ColumnsAtParams, ColumnsAtResult } from '../protocol.ts';
import { optionsFor, readableAs, type ServerState } from '../state.ts';

export interface HoverTypeContext {
  readonly analyser: Analyser;
  readonly state: ServerState;
}

/** Null if the type is unknown. */
export async function hoverType(
  { analyser, state }: HoverTypeContext,
  document: TextDocument,
  position: Position,
  isCancelled: () => boolean,
): Promise<Hover | null> {
  const context = { analyser, state };
  const found = await statementAt(context, document, position, isCancelled);
  if (found === undefined) return null;
  const result = resultHover(found.analysis, found.statement, document, position);
  if (result !== undefined) return result;
  const smallest = await expressionAt(context, document, position, found);
  return smallest?.type === undefined
    ? null
    : {
        contents: { kind: MarkupKind.Markdown, value: codeLine(`(expression) ${smallest.type}`) },
        range: { start: document.positionAt(smallest.start), end: document.positionAt(smallest.end) },
      };
}

/** Null if the document cannot be read, or no expression is at the position. */
export async function columnsAt(
  context: HoverTypeContext,
  document: TextDocument,
  { position }: ColumnsAtParams,
  isCancelled: () => boolean,
): Promise<ColumnsAtResult | null> {
  const found = await statementAt(context, document, position, isCancelled);
  const expression = found && (await expressionAt(context, document, position, found));
  return expression === undefined ? null : { columns: expression.origins };
}

interface ExpressionAt extends Pick<TypedExpression, 'type' | 'origins'> {
  readonly start: number;
  readonly end: number;
}

/** The statement at a position; undefined if the document cannot be read. */
async function statementAt(
  { analyser, state }: HoverTypeContext,
  document: TextDocument,
  position: Position,
  isCancelled: () => boolean,
): Promise<{ readonly analysis: Analysis; readonly statement: AnalysedStatement } | undefined> {
  if (readableAs(state, document) === undefined) return undefined;
  const offset = document.offsetAt(position);
  const analysis = await analyser.analyse(document.getText(), optionsFor(state, document.uri), isCancelled);
  const statement = analysis?.statements.find(({ start, end }) => start <= offset && offset <= end);
  return analysis === undefined || statement === undefined ? undefined : { analysis, statement };
}

/** On the outermost SELECT and its `*`: the result columns, as far as they are known before a run. */
function resultHover(
  { lexed: { code } }: Analysis,
  { start, types }: AnalysedStatement,
  document: TextDocument,
  position: Position,
): Hover | undefined {
  const offset = document.offsetAt(position);
  const touched = code.at(offset);
  const at = code.start(touched) <= offset ? touched : touched - 1;
  const select = code.is(at, '*') && code.word(at - 1) === 'select' ? at - 1 : at;
  if (code.word(select) !== 'select' || types?.columns === undefined) return undefined;
  let depth = 0;
  for (let index = code.at(start); index < select; index++) {
    if (code.is(index, '(')) depth++;
    else if (code.is(index, ')')) depth--;
  }
  if (depth > 0) return undefined;
  const { columns } = types;
  const lines = columns
    .slice(0, shownColumnsMax)
    .map(
      ({ name = '?column?', type = 'unknown', nullable }) =>
        `${name} ${type}${nullable === false ? ' not null' : ''}`,
    );
  const rest = columns.length > lines.length ? [t('... {0} more', columns.length - lines.length)] : [];
  const title = `${t('(result)')} ${columns.length === 1 ? t('1 column') : t('{0} columns', columns.length)}`;
  return {
    contents: { kind: MarkupKind.Markdown, value: codeBlock([title, ...lines, ...rest].join('\n')) },
    range: { start: document.positionAt(code.start(at)), end: document.positionAt(code.end(at)) },
  };
}

/** Keeps a hover short enough to read at a glance. */
const shownColumnsMax = 40;

async function expressionAt(
  { analyser }: HoverTypeContext,
  document: TextDocument,
  position: Position,
  { analysis, statement }: { readonly analysis: Analysis; readonly statement: AnalysedStatement },
): Promise<ExpressionAt | undefined> {
  const offset = document.offsetAt(position);
  const types = await analyser.typesOf(analysis, statement);
  const { code } = analysis.lexed;
  const base = statement.start;
  let smallest: ExpressionAt | undefined;
  for (const { first, last, shiftLast, type, origins } of types?.expressions ?? []) {
    const start = code.start(code.at(base + first));
    const end = code.end(code.at(base + last) + shiftLast);
    const isSmaller = smallest === undefined || end - start < smallest.end - smallest.start;
    if (start <= offset && offset <= end && isSmaller) smallest = { start, end, type, origins };
  }
  return smallest;
}
