/**
 * Runs all checks on a document. Each statement is checked separately, so one error does not hide the next. Results are
 * cached by statement text: after an edit, only the changed statement is reparsed.
 */
import type { FindingCode } from '#base/finding-severities.ts';
import type { KnownNames } from '../names/name-context.ts';
import { bindNames } from '../names/over-tree/bind.ts';
import { backslashReading } from '../text/backslash-reading.ts';
import { readDirectives } from '../text/directives.ts';
import { applyEdits, withoutOthers, type Edit } from '../text/edits.ts';
import { LexedTexts } from '../text/lexed-texts.ts';
import { lex } from '../text/lexer/lex.ts';
import type { LexedText } from '../text/lexer/tokens.ts';
import { replacePlaceholders, splitStatements, type StatementSpan } from '../text/statements.ts';
import type { StatementTypes } from '../types/type-statement.ts';
import type { AnalysedStatement, Analysis, AnalysisOptions, OtherDialects } from './analysis.ts';
import { analysePopulation } from './controls/population.ts';
import type { Finding } from './finding.ts';
import { nameFindings } from './name-findings.ts';
import { readParameters } from './parameters/parameters.ts';
import type { ParseOutcome, SqlParser } from './parser.ts';
import { withColumnCalls } from './read-only/column-calls.ts';
import { isOneQuery, unlessMisread, type Proof } from './read-only/read-only.ts';
import { withRowTypes } from './read-only/row-types.ts';
import { meaningFindings, toAnalysis, unreadText } from './statements/assemble.ts';
import { checkedStatement, judge, uncheckedStatement } from './statements/checked-statement.ts';
import { knownNames } from './statements/known-names.ts';
import { StatementReader } from './statements/statement-reader.ts';
import { intactParts } from './syntax/intact-parts.ts';
import { withMarkedConflicts } from './syntax/marked-conflicts.ts';
import { isTooLong, textLimits } from './text-limits.ts';
import { typeContext } from './type-findings.ts';

const errorCount = ({ findings }: Analysis): number =>
  findings.filter(({ severity, code }) => severity === 'error' || refused.has(code)).length;

/** Warnings about what PostgreSQL refuses: they are no errors, since the models may be out of date. */
const refused: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'UNKNOWN_TABLE',
  'UNGROUPED_COLUMN',
  'AGGREGATE_IN_WHERE',
  'SET_OPERATION_COLUMNS',
  'STRING_NUMBER_COMPARISON',
  'ORDINAL_OUT_OF_RANGE',
]);

/** The most statements with a syntax error whose other parts are checked. */
const brokenMax = 10;

interface BrokenText {
  readonly lexed: LexedText;
  readonly spans: readonly StatementSpan[];
  readonly texts: readonly string[];
  readonly outcomes: readonly (ParseOutcome | undefined)[];
  readonly names: KnownNames | undefined;
}

/** What the errors of a text depend on. */
const errorKey = (
  text: string,
  { isSavedQuery, catalogue, model, dialect }: AnalysisOptions,
): readonly unknown[] => [text, isSavedQuery, catalogue, model, dialect];

const isSameKey = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.every((part, index) => part === other[index]);

/** Returns whether nothing was left out, which another attempt might read. */
const isWhole = ({ isPartial, statements }: Analysis): boolean =>
  isPartial !== true &&
  statements.every(
    ({ verdict, types }) => verdict !== 'unverified' && !(isOneQuery(verdict) && types === undefined),
  );

/** Called between the statements of a text and the steps of its analysis. */
export type Pause = () => Promise<void>;

/** Maximum length, in characters, of a text whose analysis is kept. */
const keptSizeMax = 200_000;

/** Maximum length, in characters, of a statement whose second pass takes almost no time. */
const firstLookSizeMax = 400;

export class Analyser {
  readonly #reader: StatementReader;
  readonly #otherDialects: OtherDialects | undefined;
  readonly #texts: LexedTexts;
  readonly #pause: Pause;
  /** The last whole analysis, since hover, actions and findings ask for the same text. */
  #last: { readonly key: readonly unknown[]; readonly analysis: Analysis } | undefined;
  #lastErrors: { readonly key: readonly unknown[]; readonly count: number } | undefined;

  /**
   * @param texts a token cache that may be shared with other consumers of the same text
   * @param pause lets others have their turn
   */
  constructor(
    parser: SqlParser,
    otherDialects?: OtherDialects,
    texts = new LexedTexts(),
    pause: Pause = () => Promise.resolve(),
  ) {
    this.#reader = new StatementReader(parser);
    this.#otherDialects = otherDialects;
    this.#texts = texts;
    this.#pause = pause;
  }

  /** Returns undefined if cancelled. Never rejects. */
  async analyse(
    text: string,
    options: AnalysisOptions,
    isCancelled: () => boolean = () => false,
  ): Promise<Analysis | undefined> {
    const key = [...errorKey(text, options), options.severities, options.isFirstLook];
    if (this.#last !== undefined && isSameKey(this.#last.key, key)) return this.#last.analysis;
    const analysis = await this.#analyse(text, options, isCancelled);
    const isKept = text.length <= keptSizeMax && analysis !== undefined && isWhole(analysis);
    this.#last = isKept ? { key, analysis } : undefined;
    return analysis;
  }

  async #analyse(
    text: string,
    options: AnalysisOptions,
    isCancelled: () => boolean = () => false,
  ): Promise<Analysis | undefined> {
    if (isTooLong(text)) return unreadText(text, options);
    if (options.dialect !== undefined && this.#otherDialects !== undefined)
      return this.#otherDialects.analyse(text, options.dialect, options, isCancelled);
    const lexed = this.#texts.read(text);
    await this.#pause();
    const spans = splitStatements(lexed);
    const read = await this.#reader.parse(lexed, spans.slice(0, textLimits.statements), isCancelled);
    if (read === undefined || isCancelled()) return undefined;
    const { texts, outcomes } = read;
    const checked = spans.slice(0, textLimits.statements);
    const proofs = await this.#prove(lexed, checked, outcomes, isCancelled);
    if (proofs === undefined || isCancelled()) return undefined;
    const statements = withMarkedConflicts(
      lexed,
      spans.map((span, index) =>
        index < textLimits.statements
          ? checkedStatement(lexed.code, span, proofs[index])
          : uncheckedStatement(lexed.code, span),
      ),
    );
    const directives = readDirectives(lexed);
    const names = knownNames(options, directives);
    const parameters = readParameters(directives);
    const isInTime = (own: string): boolean =>
      options.isFirstLook !== true || own.length <= firstLookSizeMax || this.#reader.hasMeaning(own);
    const placed = statements.map((statement, index) => {
      const own = texts[index] ?? '';
      const isQuery = isOneQuery(statement.verdict);
      const isWanted = isQuery && isInTime(own);
      return { statement, text: own, isWanted, isLeftOut: isQuery && !isWanted };
    });
    const meanings = await this.#reader.meanings(
      placed.map((each) => (each.isWanted ? each.text : undefined)),
      isCancelled,
    );
    if (meanings === undefined) return undefined;
    const intact = await this.#besideErrors({ lexed, spans: checked, texts, outcomes, names }, isCancelled);
    if (intact === undefined) return undefined;
    const bound = await this.#each(placed, (each, index) => {
      const meaning = meanings[index];
      return { ...each, meaning, bound: meaning && names && bindNames(meaning.query, names) };
    });
    const judged = await this.#each(bound, (each, index) => {
      const { statement } = each;
      const whole = { ...statement, findings: [...statement.findings, ...(intact.get(index) ?? [])] };
      return {
        ...each,
        statement: withColumnCalls(withRowTypes(whole, each.text, names), each.text, each.bound),
        context: each.meaning && typeContext(statement, each.bound, names, parameters),
      };
    });
    const types = await this.#reader.types(
      judged.map(({ text: own, context }) => context && { text: own, context }),
      isCancelled,
    );
    if (types === undefined) return undefined;
    const context = { code: lexed.code, isSavedQuery: options.isSavedQuery, names, parameters };
    const understood = await this.#each(judged, (each, index) => {
      const typed = { ...each, types: types[index] };
      return { ...typed, found: meaningFindings(typed, context) };
    });
    const population = await analysePopulation({ lexed, directives }, options, (own, settings) =>
      this.#analyse(own, settings, isCancelled),
    );
    if (population === undefined || isCancelled()) return undefined;
    return toAnalysis({ lexed, spans, directives, statements: understood, population }, options);
  }

  /** Returns what is wrong with the names in the parts of each statement that a syntax error leaves intact. */
  async #besideErrors(
    { lexed, spans, texts, outcomes, names }: BrokenText,
    isCancelled: () => boolean,
  ): Promise<ReadonlyMap<number, readonly Finding[]> | undefined> {
    const found = new Map<number, readonly Finding[]>();
    for (const [index, span] of spans.entries()) {
      const outcome = outcomes[index];
      if (names === undefined || outcome?.kind !== 'syntax-error' || found.size >= brokenMax) continue;
      for (const part of intactParts(lexed.code, span, texts[index] ?? '', outcome.offset)) {
        await this.#pause();
        const [meaning] = (await this.#reader.meanings([part.text], isCancelled)) ?? [];
        if (isCancelled()) return undefined;
        if (meaning === undefined) continue;
        const own = nameFindings(bindNames(meaning.query, names), lexed.code, span.start);
        found.set(
          index,
          own.filter(({ start }) => part.holds(start)),
        );
        break;
      }
    }
    return found;
  }

  async #each<Item, Result>(
    items: readonly Item[],
    use: (item: Item, index: number) => Result,
  ): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const [index, item] of items.entries()) {
      await this.#pause();
      results.push(use(item, index));
    }
    return results;
  }

  /** Returns the types of all expressions in an analyzed statement, or undefined if they are unknown. */
  async typesOf(analysis: Analysis, statement: AnalysedStatement): Promise<StatementTypes | undefined> {
    const span = splitStatements(analysis.lexed).find(({ start }) => start === statement.start);
    if (span === undefined || statement.typeContext === undefined) return undefined;
    const text = replacePlaceholders(analysis.lexed, span);
    const context = { ...statement.typeContext, wantsExpressions: true };
    return (await this.#reader.types([{ text, context }], () => false))?.[0];
  }

  /**
   * Returns whether the edits fix a syntax error, so the statement parses or fails only at a later position. Always
   * false for other dialects, since their parsers do not support such fixes.
   */
  async isMendedBy(text: string, edits: readonly Edit[], isCancelled?: () => boolean): Promise<boolean> {
    const [first] = edits.toSorted((a, b) => a.start - b.start);
    if (first === undefined) return false;
    const lexed = lex(applyEdits(text, edits));
    const spans = splitStatements(lexed);
    const span = spans.find(({ end }) => end >= first.start) ?? spans.at(-1);
    const read =
      span === undefined ? undefined : await this.#reader.parse(lexed, [span], isCancelled ?? (() => false));
    const outcome = read?.outcomes[0];
    const last = edits.reduce((end, { start, newText }) => Math.max(end, start + newText.length), 0);
    return outcome?.kind === 'syntax-error'
      ? outcome.offset !== undefined && span !== undefined && span.start + outcome.offset > last
      : outcome?.kind === 'parsed';
  }

  /** Returns whether the edits cause no further errors, whatever severity the user gave those. */
  async isValidAfter(
    text: string,
    edits: readonly Edit[],
    options: AnalysisOptions,
    isCancelled?: () => boolean,
  ): Promise<boolean> {
    const fewer = await this.#errorsLess(text, edits, options, isCancelled);
    return fewer !== undefined && fewer >= 0;
  }

  /** Returns whether the edits leave fewer errors, whatever severity the user gave those. */
  async isBetterAfter(
    text: string,
    edits: readonly Edit[],
    options: AnalysisOptions,
    isCancelled?: () => boolean,
  ): Promise<boolean> {
    const fewer = await this.#errorsLess(text, edits, options, isCancelled);
    return fewer !== undefined && fewer > 0;
  }

  /** Returns by how many the edits reduce the errors of the statements that they change; undefined if cancelled. */
  async #errorsLess(
    text: string,
    edits: readonly Edit[],
    options: AnalysisOptions,
    isCancelled?: () => boolean,
  ): Promise<number | undefined> {
    const own = { ...options, severities: {} };
    const changed =
      options.dialect === undefined && !isTooLong(text)
        ? withoutOthers(text, splitStatements(this.#texts.read(text)), edits)
        : { text, edits };
    const before = await this.#errorsOf(changed.text, own, isCancelled);
    const after = await this.#analyse(applyEdits(changed.text, changed.edits), own, isCancelled);
    return before === undefined || after === undefined ? undefined : before - errorCount(after);
  }

  /** Remembers the last count, since each fix of a line asks for it. */
  async #errorsOf(
    text: string,
    options: AnalysisOptions,
    isCancelled?: () => boolean,
  ): Promise<number | undefined> {
    const key = errorKey(text, options);
    const known = this.#lastErrors;
    if (known !== undefined && isSameKey(known.key, key)) return known.count;
    const analysis = await this.#analyse(text, options, isCancelled);
    if (analysis === undefined) return undefined;
    const count = errorCount(analysis);
    this.#lastErrors = { key, count };
    return count;
  }

  /** Returns one proof per statement, or undefined if cancelled. */
  async #prove(
    lexed: LexedText,
    spans: readonly StatementSpan[],
    outcomes: readonly (ParseOutcome | undefined)[],
    isCancelled: () => boolean,
  ): Promise<readonly Proof[] | undefined> {
    const proofs: Proof[] = [];
    for (const [index, span] of spans.entries()) {
      await this.#pause();
      const proof = judge(lexed.code, span, outcomes[index]);
      const other = isOneQuery(proof.verdict) ? backslashReading(lexed, span) : undefined;
      if (other === undefined) {
        proofs.push(proof);
        continue;
      }
      const read = await this.#reader.parse(other.lexed, other.spans, isCancelled, other.textOf);
      if (read === undefined) return undefined;
      const others = other.spans.map((own, nth) => judge(other.lexed.code, own, read.outcomes[nth]));
      proofs.push(unlessMisread(lexed.code, other.token, proof, others));
    }
    return proofs;
  }
}
