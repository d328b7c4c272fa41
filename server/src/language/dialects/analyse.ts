/** Checks SQL in other dialects: syntax, read-only proof, parameters, models and limits. */
import type { AnalysedStatement, Analysis, AnalysisOptions, OtherDialects } from '../checks/analysis.ts';
import { analysePopulation } from '../checks/controls/population.ts';
import { applySeverities } from '../checks/finding.ts';
import { checkHiddenCharacters } from '../checks/hidden-characters.ts';
import { checkParameters } from '../checks/parameters/parameters.ts';
import { uncheckedStatement } from '../checks/statements/checked-statement.ts';
import { checkWhole } from '../checks/statements/whole-text.ts';
import { applySuppressions } from '../checks/suppressions.ts';
import { withMarkedConflicts } from '../checks/syntax/marked-conflicts.ts';
import { textLimits } from '../checks/text-limits.ts';
import { dialectTraits, type Dialect } from '../text/dialects.ts';
import { readDirectives } from '../text/directives.ts';
import { applyEdits } from '../text/edits.ts';
import { keptApart } from '../text/kept-apart.ts';
import { lexDialect, type DialectText } from '../text/lexer/lex-dialect.ts';
import { placeholdersOf } from '../text/placeholders.ts';
import { splitStatements, type StatementSpan } from '../text/statements.ts';
import { findMistake, type ProvenMistake } from './mistakes.ts';
import type { DialectOutcome, DialectParser } from './outcome.ts';
import { proveDialectReadOnly } from './read-only.ts';

/** Larger or deeper statements can take exponential time to parse (measured 2026-11-21). */
const lengthMax = 20_480;
const depthMax = 6;
/** Maximum number of statements with cached results. */
const cacheSize = 200;

export class DialectAnalyser implements OtherDialects {
  readonly #parser: DialectParser;
  readonly #outcomes = new Map<string, DialectOutcome>();

  constructor(parser: DialectParser) {
    this.#parser = parser;
  }

  async analyse(
    text: string,
    dialect: Dialect,
    options: AnalysisOptions,
    isCancelled: () => boolean,
  ): Promise<Analysis | undefined> {
    const lexed = lexDialect(text, dialectTraits[dialect]);
    const spans = splitStatements(lexed);
    const statements: AnalysedStatement[] = [];
    for (const [index, span] of spans.entries()) {
      if (index >= textLimits.statements) {
        statements.push(uncheckedStatement(lexed.code, span));
        continue;
      }
      const own = text.slice(span.start, span.end);
      const outcome = isTooComplex(lexed, span)
        ? ({ kind: 'gave-up', reason: 'stack' } as const)
        : await this.#parse(dialect, own, isCancelled);
      const mistake = await this.#mistakeIn(lexed, span, dialect, outcome, isCancelled);
      if (outcome === undefined || isCancelled()) return undefined;
      const given = { dialect, outcome, mistake, ambiguousAt: lexed.ambiguousAt };
      const { verdict, calls, findings } = proveDialectReadOnly(lexed.code, span, given);
      const placeholders = placeholdersOf(lexed.code, span);
      const { start, end } = span;
      statements.push({
        start,
        end,
        verdict,
        ...(calls === undefined ? {} : { calls }),
        placeholders,
        findings,
      });
    }
    const directives = readDirectives(lexed);
    const population = await analysePopulation({ lexed, directives }, options, (own, settings) =>
      this.analyse(own, dialect, settings, isCancelled),
    );
    if (population === undefined) return undefined;
    const found = [
      ...checkWhole(lexed, spans, options),
      ...checkParameters(lexed, directives, population.parameters),
      ...population.findings,
      ...checkHiddenCharacters(lexed),
      ...withMarkedConflicts(lexed, statements).flatMap((statement) => statement.findings),
    ];
    const findings = applySeverities(applySuppressions(lexed, found), options.severities ?? {});
    return { lexed, statements, directives, findings: findings.toSorted((a, b) => a.start - b.start) };
  }

  /** Returns undefined unless a mistake in the text certainly caused the rejection. */
  async #mistakeIn(
    lexed: DialectText,
    span: StatementSpan,
    dialect: Dialect,
    outcome: DialectOutcome | undefined,
    isCancelled: () => boolean,
  ): Promise<ProvenMistake | undefined> {
    if (outcome?.kind !== 'syntax-error') return undefined;
    const { text, code } = lexed;
    const { start, end, lastToken } = span;
    const offset = start + (outcome.offset ?? 0);
    const mistake = findMistake(code, span, offset >= end ? lastToken + 1 : code.at(offset), dialect);
    const advised = mistake?.advice.fix;
    if (mistake === undefined || advised === undefined) return mistake;
    const fix = { ...advised, edits: keptApart(lexed, advised.edits) };
    const edits = fix.edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const mended = await this.#parse(dialect, applyEdits(text.slice(start, end), edits), isCancelled);
    if (mended?.kind === 'parsed') return { ...mistake, fix };
    return mistake.isCertain ? mistake : undefined;
  }

  async #parse(
    dialect: Dialect,
    text: string,
    isCancelled: () => boolean,
  ): Promise<DialectOutcome | undefined> {
    const key = `${dialect} ${text}`;
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = await this.#parser.parse(dialect, text, isCancelled);
    // Timeouts are not cached, since the machine may have been overloaded.
    if (outcome !== undefined && outcome.kind !== 'gave-up') {
      this.#outcomes.set(key, outcome);
      for (const oldest of this.#outcomes.keys()) {
        if (this.#outcomes.size <= cacheSize) break;
        this.#outcomes.delete(oldest);
      }
    }
    return outcome;
  }
}

function isTooComplex({ code }: DialectText, span: StatementSpan): boolean {
  let depth = 0;
  let deepest = 0;
  for (let index = span.firstToken; index <= span.lastToken; index++) {
    if (code.is(index, '(')) {
      depth++;
      deepest = Math.max(deepest, depth);
    } else if (code.is(index, ')')) {
      depth--;
    }
  }
  return span.end - span.start > lengthMax || deepest > depthMax;
}
