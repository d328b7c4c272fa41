/** Handles requests about documents that need not be open: their references and findings. */
import type { Analyser } from '../language/checks/analyser.ts';
import { modelNamedBy, type AnalysedStatement } from '../language/checks/analysis.ts';
import { namesOf } from '../language/checks/statement-names.ts';
import type { NameContext } from '../language/names/name-context.ts';
import { readOutline } from '../language/names/over-tokens/read-outline.ts';
import type { LexedText } from '../language/text/lexer/tokens.ts';
import { LineIndex } from '../language/text/lines.ts';
import type {
  CheckParams,
  CheckResult,
  ReferencesResult,
  StatementReferences,
  TableReference,
  TextParams,
} from '../protocol.ts';
import { optionsOf, nameContextOf, type ServerState } from '../state.ts';
import { toDiagnostic, toRange } from './convert.ts';

export interface TextDeps {
  readonly analyser: Analyser;
  readonly state: ServerState;
}

/** Returns null if cancelled. */
export async function findReferences(
  { analyser, state }: TextDeps,
  { sql, connection, model }: TextParams,
  isCancelled: () => boolean,
): Promise<ReferencesResult | null> {
  const options = optionsOf(state, { connection, model, isSavedQuery: true });
  const analysis = await analyser.analyse(sql, options, isCancelled);
  if (analysis === undefined) return null;
  const { lexed, statements } = analysis;
  const names = nameContextOf(options, lexed);
  const lines = new LineIndex(sql);
  const modelDirective = modelNamedBy(analysis);
  return {
    ...(modelDirective === undefined ? {} : { modelDirective }),
    statements: statements.map((statement) => toReferences(lexed, lines, statement, names)),
  };
}

/** Returns null if cancelled. */
export async function checkText(
  { analyser, state }: TextDeps,
  { sql, connection, model, isSavedQuery = true }: CheckParams,
  isCancelled: () => boolean,
): Promise<CheckResult | null> {
  const options = optionsOf(state, { connection, model, isSavedQuery });
  const analysis = await analyser.analyse(sql, options, isCancelled);
  if (analysis === undefined) return null;
  const lines = new LineIndex(sql);
  return { diagnostics: analysis.findings.map((finding) => toDiagnostic(lines, finding, state.explain)) };
}

function toReferences(
  lexed: LexedText,
  lines: LineIndex,
  statement: AnalysedStatement,
  names: NameContext,
): StatementReferences {
  const range = toRange(lines, statement.start, statement.end);
  const bound = namesOf(statement, names);
  const outputs = statement.types?.columns?.map(({ name, origins }) => ({
    ...(name === undefined ? {} : { name }),
    origins,
  }));
  return bound === undefined
    ? { range, isComplete: false, tables: tablesByWords(lexed, statement, names) }
    : { range, isComplete: true, tables: bound.tables, ...(outputs === undefined ? {} : { outputs }) };
}

/** Finds tables from tokens, which also works for invalid text. */
function tablesByWords(
  { code }: LexedText,
  { start, end }: AnalysedStatement,
  { model }: NameContext,
): readonly TableReference[] {
  const { selects } = readOutline(code, code.at(start), code.at(end - 1));
  const found = new Map<string, TableReference>();
  for (const { table } of selects.flatMap(({ relations }) => relations)) {
    if (table !== undefined) {
      const reference = { model: table.schema ?? model, table: table.name };
      found.set(JSON.stringify(reference), { ...reference, columns: [], usesAllColumns: false });
    }
  }
  return [...found.values()];
}
