/** Combines the results of all statements into one analysis. */
import type { BoundNames } from '#server/language/names/over-tree/bound-names.ts';
import { misplacedDirectives, type Directive } from '#server/language/text/directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import type { LexedText } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import type { StatementTypes, TypeContext } from '#server/language/types/type-statement.ts';
import type { AnalysedStatement, Analysis, AnalysisOptions } from '../analysis.ts';
import { checkControl, outputsOf } from '../controls/check-control.ts';
import type { CheckedPopulation } from '../controls/population.ts';
import { applySeverities, type Finding } from '../finding.ts';
import { checkHiddenCharacters } from '../hidden-characters.ts';
import { mergedIdFindings } from '../inspections/id-findings.ts';
import { inspectionFindings, type InspectionContext } from '../inspections/inspection-findings.ts';
import { checkModels } from '../model-names.ts';
import { nameFindings } from '../name-findings.ts';
import { checkOperators } from '../operators.ts';
import { parameterConflicts } from '../parameters/parameter-conflicts.ts';
import { checkParameters, type DeclaredParameter } from '../parameters/parameters.ts';
import { checkPositionalParameters } from '../parameters/positional-parameters.ts';
import type { Meaning } from '../parser.ts';
import { applySuppressions } from '../suppressions.ts';
import { limitFinding } from '../text-limits.ts';
import { besides, typeFindings } from '../type-findings.ts';
import { checkWhole, lengthFindings } from './whole-text.ts';

/** What is known of one statement. */
interface Understood {
  readonly statement: AnalysedStatement;
  readonly meaning: Meaning | undefined;
  readonly bound: BoundNames | undefined;
  readonly types: StatementTypes | undefined;
}

interface ReadStatement extends Understood {
  readonly context: TypeContext | undefined;
  /** Whether the first pass left it out. */
  readonly isLeftOut: boolean;
  /** The findings from its meaning. */
  readonly found: readonly Finding[];
}

/** A document and the results of checking its statements. */
export interface ReadStatements {
  readonly lexed: LexedText;
  readonly spans: readonly StatementSpan[];
  readonly directives: readonly Directive[];
  readonly statements: readonly ReadStatement[];
  readonly population: CheckedPopulation;
}

export function toAnalysis(
  { lexed, spans, directives, statements: read, population }: ReadStatements,
  options: AnalysisOptions,
): Analysis {
  const statements = read.map(({ statement }) => statement);
  const found = [
    ...read.flatMap((each) => each.found),
    ...checkWhole(lexed, spans, options),
    ...checkParameters(lexed, directives, population.parameters),
    ...checkControl(directives, {
      statements: spans.length,
      outputs: outputsOf(read[0]?.meaning?.query),
      misplaced: misplacedDirectives(lexed),
    }),
    ...population.findings,
    ...checkModels(lexed.code, statements, directives, options),
    ...checkOperators(lexed.code, statements),
    ...checkHiddenCharacters(lexed),
    ...checkPositionalParameters(lexed.code, statements),
    ...statements.flatMap((statement) => statement.findings),
  ];
  const isPartial = read.some(({ isLeftOut }) => isLeftOut);
  // If findings were skipped, a suppression may only appear to be unused.
  const suppressed = applySuppressions(lexed, withoutRepeats(lexed, found)).filter(
    ({ code }) => !(isPartial && code === 'UNUSED_SUPPRESSION'),
  );
  const findings = applySeverities(suppressed, options.severities ?? {});
  return {
    lexed,
    statements: read.map(({ statement, meaning, bound, types, context, isLeftOut }) => ({
      ...statement,
      ...(meaning === undefined ? {} : { query: meaning.query }),
      ...(bound === undefined ? {} : { bound }),
      ...(types === undefined || context === undefined ? {} : { types, typeContext: context }),
      ...(isLeftOut ? { isPartial: true } : {}),
    })),
    directives,
    findings: findings.toSorted((a, b) => a.start - b.start),
    isPartial,
  };
}

/** Functions of other databases whose first argument is a unit of time or a type: `DATEADD(day, 1, a)`. */
const takesUnit = /^(?:date|timestamp|try_convert)/i;

const moreSpecific: ReadonlySet<Finding['code']> = new Set([
  'UNKNOWN_OPERATOR',
  'FOREIGN_FUNCTION',
  'FOREIGN_TYPE',
  'AGGREGATE_MISUSE',
]);

/**
 * Drops UNKNOWN_FUNCTION where a more specific finding suggests what to write, and UNKNOWN_COLUMN for a unit of time or a
 * type.
 */
function withoutRepeats({ code: tokens }: LexedText, findings: readonly Finding[]): readonly Finding[] {
  const foreign = new Set<number>();
  const units = new Set<number>();
  for (const { code, start } of findings) {
    if (!moreSpecific.has(code)) continue;
    foreign.add(start);
    const index = tokens.at(start);
    if (code === 'FOREIGN_TYPE' && tokens.word(index + 2) === 'max') units.add(tokens.start(index + 2));
    if (code === 'FOREIGN_FUNCTION' && takesUnit.test(tokens.textOf(index)) && tokens.is(index + 1, '('))
      units.add(tokens.start(index + 2));
  }
  return foreign.size === 0
    ? findings
    : findings.filter(
        ({ code, start }) =>
          !(code === 'UNKNOWN_FUNCTION' && (foreign.has(start) || units.has(start))) &&
          !(code === 'UNKNOWN_COLUMN' && units.has(start)),
      );
}

interface MeaningContext extends Omit<InspectionContext, 'base'> {
  readonly parameters: readonly DeclaredParameter[];
}

/** Returns the findings from names, inspections and types. */
export function meaningFindings(
  { statement, meaning, bound, types }: Understood,
  { parameters, ...context }: MeaningContext,
): readonly Finding[] {
  if (meaning === undefined) return [];
  const base = statement.start;
  const inspected = inspectionFindings(meaning.inspection, { ...context, base });
  const { code, names } = context;
  const found =
    names === undefined || bound === undefined
      ? inspected
      : [
          ...nameFindings(bound, code, base),
          ...inspected,
          ...mergedIdFindings(bound.merged, code, base, names),
          ...parameterConflicts(statement, bound.parameters, names.catalogue, parameters),
        ];
  return types === undefined
    ? found
    : withoutEffects([...found, ...besides(typeFindings(types, code, base), found)]);
}

/** Drops missing groups beside a misplaced aggregate, which alone may make the query need them, and of unknown names. */
function withoutEffects(findings: readonly Finding[]): readonly Finding[] {
  const unknown = new Set(findings.flatMap(({ code, start }) => (code === 'UNKNOWN_COLUMN' ? start : [])));
  const isMisplaced = findings.some(
    ({ code }) => code === 'AGGREGATE_IN_WHERE' || code === 'AGGREGATE_MISUSE',
  );
  return findings.filter(
    ({ code, start }) => code !== 'UNGROUPED_COLUMN' || !(isMisplaced || unknown.has(start)),
  );
}

/** Returns the analysis of text that is too long to tokenize: a single unchecked statement. */
export function unreadText(text: string, options: AnalysisOptions): Analysis {
  const findings = [limitFinding(text, 'characters'), ...lengthFindings(text)];
  return {
    lexed: lex(''),
    statements: [
      {
        start: 0,
        end: text.length,
        verdict: 'unverified',
        placeholders: [],
        findings: [],
        isUnchecked: true,
      },
    ],
    directives: [],
    findings: applySeverities(findings, options.severities ?? {}),
  };
}
