/** Extends a hover with the type and source columns of the smallest expression at the cursor. */
import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { codeBlock, codeLine } from '#base/shown-text/for-markdown.ts';
import { locale, t } from '#base/texts.ts';
import { isSingular } from '#base/translate.ts';
import type { AnalysedStatement, Analysis } from '../language/checks/analysis.ts';
import { parametersOf } from '../language/checks/parameters/inferred-parameters.ts';
import type { Hover as NamedHover } from '../language/editing/hover.ts';
import { TokenKind, type TokenList } from '../language/text/lexer/tokens.ts';
import type { ResultColumn, TypedExpression } from '../language/types/type-statement.ts';
import type { ColumnsAtParams, ColumnsAtResult } from '../protocol.ts';
import { nameContextFor, optionsFor, readableAs, type ServerState } from '../state.ts';
import { shownHover } from './hover.ts';
import type { TextDeps } from './text-requests.ts';

interface HoverRequest {
  /** The hover for the name at the position, if any. */
  readonly named: NamedHover | undefined;
  readonly isCancelled: () => boolean;
}

/**
 * Returns a hover for the name at the position, with its type, or for the type of the expression there. Null if neither
 * is known.
 */
export async function hoverType(
  context: TextDeps,
  document: TextDocument,
  position: Position,
  { named, isCancelled }: HoverRequest,
): Promise<Hover | null> {
  const plain = named === undefined ? null : shownHover(document, named);
  if (plain !== null && named?.untyped === undefined) return plain;
  const found = await statementAt(context, document, position, isCancelled);
  if (found === undefined) return plain;
  if (named?.untyped === 'parameter')
    return shownHover(document, withParameterType(context.state, document, named, found));
  const smallest = await expressionAt(context, document, position, found);
  if (named !== undefined) {
    const type = smallest?.type;
    return type === undefined
      ? plain
      : named.untyped === 'column'
        ? shownHover(document, { ...named, title: `${named.title}: ${type}` })
        : shownHover(document, named, `${t('(expression)')} ${type}`);
  }
  const result = resultHover(found.analysis, found.statement, document, position);
  if (result !== undefined) return result;
  const shown =
    smallest?.columns !== undefined
      ? codeBlock(listed('', smallest.columns))
      : smallest?.type !== undefined
        ? codeLine(`${t('(expression)')} ${smallest.type}`)
        : undefined;
  return smallest === undefined || shown === undefined
    ? null
    : {
        contents: { kind: MarkupKind.Markdown, value: shown },
        range: { start: document.positionAt(smallest.start), end: document.positionAt(smallest.end) },
      };
}

/** Adds the inferred type of an undeclared parameter, if all its uses agree. */
function withParameterType(
  state: ServerState,
  document: TextDocument,
  named: NamedHover,
  { analysis, statement }: StatementAt,
): NamedHover {
  const name = document.getText().slice(named.start + 1, named.end);
  const parameters = parametersOf(statement, nameContextFor(state, document.uri, analysis.lexed));
  const { type, isList } = parameters.find((own) => own.name === name) ?? {};
  const shown = isList === true ? `${type}[]` : type;
  return type === undefined ? named : { ...named, title: `${t('(parameter)')} ${name}: ${shown}` };
}

/** Returns null if the document is too large to analyze, or there is no expression at the position. */
export async function columnsAt(
  context: TextDeps,
  document: TextDocument,
  { position }: ColumnsAtParams,
  isCancelled: () => boolean,
): Promise<ColumnsAtResult | null> {
  const found = await statementAt(context, document, position, isCancelled);
  const expression = found && (await expressionAt(context, document, position, found));
  return expression === undefined || expression.columns !== undefined
    ? null
    : { columns: expression.origins };
}

interface ExpressionAt extends Pick<TypedExpression, 'type' | 'origins' | 'columns'> {
  readonly start: number;
  readonly end: number;
}

interface StatementAt {
  readonly analysis: Analysis;
  readonly statement: AnalysedStatement;
}

/** Returns the statement at the position; undefined if there is none or the document is too large to analyze. */
async function statementAt(
  { analyser, state }: TextDeps,
  document: TextDocument,
  position: Position,
  isCancelled: () => boolean,
): Promise<StatementAt | undefined> {
  if (readableAs(state, document) === undefined) return undefined;
  const offset = document.offsetAt(position);
  const analysis = await analyser.analyse(document.getText(), optionsFor(state, document.uri), isCancelled);
  const statement = analysis?.statements.find(({ start, end }) => start <= offset && offset <= end);
  return analysis === undefined || statement === undefined ? undefined : { analysis, statement };
}

/** On the outermost SELECT, shows the result columns known before a run. */
function resultHover(
  { lexed: { code } }: Analysis,
  { start, types }: AnalysedStatement,
  document: TextDocument,
  position: Position,
): Hover | undefined {
  const offset = document.offsetAt(position);
  const touched = code.at(offset);
  const at = code.start(touched) <= offset ? touched : touched - 1;
  if (code.word(at) !== 'select' || types?.columns === undefined) return undefined;
  let depth = 0;
  for (let index = code.at(start); index < at; index++) {
    if (code.is(index, '(')) depth++;
    else if (code.is(index, ')')) depth--;
  }
  if (depth > 0) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: codeBlock(listed(`${t('(result)')} `, types.columns)) },
    range: { start: document.positionAt(code.start(at)), end: document.positionAt(code.end(at)) },
  };
}

/** Shows the number of columns, then each column on its own line. */
function listed(title: string, columns: readonly ResultColumn[]): string {
  const lines = columns
    .slice(0, shownColumnsMax)
    .map(
      ({ name = '?column?', type = 'unknown', nullable }) =>
        `${name} ${type}${nullable === false ? ' not null' : ''}`,
    );
  const rest = columns.length > lines.length ? [t('... {0} more', columns.length - lines.length)] : [];
  const count = t(isSingular(columns.length, locale()) ? '{0} column' : '{0} columns', columns.length);
  return [`${title}${count}`, ...lines, ...rest].join('\n');
}

/** Limits the length of a hover. */
const shownColumnsMax = 40;

async function expressionAt(
  { analyser }: TextDeps,
  document: TextDocument,
  position: Position,
  { analysis, statement }: { readonly analysis: Analysis; readonly statement: AnalysedStatement },
): Promise<ExpressionAt | undefined> {
  const offset = document.offsetAt(position);
  const types = await analyser.typesOf(analysis, statement);
  const { code } = analysis.lexed;
  const base = statement.start;
  let smallest: ExpressionAt | undefined;
  for (const { first, last, shiftLast, ...known } of types?.expressions ?? []) {
    const from = code.at(base + first);
    const start = code.start(from);
    const end = code.end(Math.max(code.at(base + last) + shiftLast, callEnd(code, from)));
    const isSmaller = smallest === undefined || end - start < smallest.end - smallest.start;
    if (start <= offset && offset <= end && isSmaller) smallest = { start, end, ...known };
  }
  return smallest;
}

/** Returns the closing parenthesis of a call that starts with the name; the name itself if it is not a call. */
function callEnd(code: TokenList, name: number): number {
  if (code.kind(name) !== TokenKind.word || !code.is(name + 1, '(')) return name;
  let depth = 0;
  for (let index = name + 1; index < code.length; index++) {
    if (code.is(index, '(')) depth++;
    else if (code.is(index, ')') && --depth === 0) return index;
  }
  return name;
}
