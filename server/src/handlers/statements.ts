/** Returns a document's statements for the Run command, each with its verdict, parameters and errors. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analyser } from '../language/checks/analyser.ts';
import { modelNamedBy, type AnalysedStatement } from '../language/checks/analysis.ts';
import { parametersOf } from '../language/checks/parameters/inferred-parameters.ts';
import type { NameContext } from '../language/names/name-context.ts';
import { endOfLineAt, LineIndex } from '../language/text/lines.ts';
import type { ResultColumn } from '../language/types/type-statement.ts';
import type { ExpectedColumn, StatementInfo, StatementsParams, StatementsResult } from '../protocol.ts';
import { nameContextFor, optionsFor, type ServerState } from '../state.ts';
import { toDiagnostic, toRange } from './convert.ts';
import type { Explain } from './explanations.ts';

/** Returns null if the document changed; the caller retries with the new text. */
export async function findStatements(
  { analyser, state }: { readonly analyser: Analyser; readonly state: ServerState },
  document: TextDocument,
  { range }: StatementsParams,
  isCancelled: () => boolean,
): Promise<StatementsResult | null> {
  const text = document.getText();
  const lines = new LineIndex(text);
  const options = optionsFor(state, document.uri);
  const analysis = await analyser.analyse(text, options, isCancelled);
  if (analysis === undefined) return null;
  const { version } = document;
  const model = modelNamedBy(analysis);
  const names = nameContextFor(state, document.uri, analysis.lexed);
  // A part of the text is for the model that the text names above it.
  const partOptions = model === undefined ? options : { ...options, model };
  const toResult = (statements: readonly AnalysedStatement[], base: number): StatementsResult => ({
    version,
    ...(model === undefined ? {} : { modelDirective: model }),
    statements: statements.map((statement) =>
      toInfo({ text, lines, names, explain: state.explain, base }, statement),
    ),
  });
  if (range === undefined) return toResult(analysis.statements, 0);
  const start = lines.offsetAt(range.start);
  const end = lines.offsetAt(range.end);
  if (start === end) {
    const found = statementsAt(text, analysis.statements, start);
    const [unchecked] = found.filter((statement) => statement.isUnchecked === true);
    // The statement is past the limit for checked statements, so it is analyzed separately.
    const own =
      unchecked &&
      (await analyser.analyse(text.slice(unchecked.start, unchecked.end), partOptions, isCancelled));
    return own === undefined ? toResult(found, 0) : toResult(own.statements, unchecked?.start ?? 0);
  }
  const selected = await analyser.analyse(text.slice(start, end), partOptions, isCancelled);
  return selected === undefined ? null : toResult(selected.statements, start);
}

/** Returns the statement at the cursor; if there is none, the one that ends before the cursor on the same line. */
function statementsAt(
  text: string,
  statements: readonly AnalysedStatement[],
  offset: number,
): readonly AnalysedStatement[] {
  const touching = statements.filter(({ start, end }) => start <= offset && offset <= end);
  if (touching.length > 0) return touching.slice(0, 1);
  const previous = statements.findLast(({ end }) => end < offset && offset <= endOfLineAt(text, end));
  return previous === undefined ? [] : [previous];
}

interface Place {
  readonly text: string;
  readonly lines: LineIndex;
  readonly names: NameContext;
  readonly explain: Explain;
  /** Offset of the analyzed text in the document. */
  readonly base: number;
}

/** A result header has no room for more columns. */
const columnsMax = 100;

const toColumn = ({ name, type }: ResultColumn): ExpectedColumn => ({
  ...(name === undefined ? {} : { name }),
  ...(type === undefined ? {} : { type }),
});

function toInfo({ text, lines, names, explain, base }: Place, statement: AnalysedStatement): StatementInfo {
  const { start, end, verdict, calls, placeholders, findings, types } = statement;
  return {
    range: toRange(lines, start, end, base),
    text: text.slice(base + start, base + end),
    verdict,
    ...(calls === undefined ? {} : { calls }),
    placeholders: placeholders.map((use) => ({
      name: use.name,
      range: toRange(lines, use.start, use.end, base),
    })),
    parameters: parametersOf(statement, names),
    ...(types?.columns === undefined ? {} : { columns: types.columns.slice(0, columnsMax).map(toColumn) }),
    errors: findings
      .filter(({ severity }) => severity === 'error')
      .map((finding) => toDiagnostic(lines, finding, explain, base)),
  };
}
