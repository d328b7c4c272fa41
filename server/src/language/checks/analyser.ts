/**
 * The checks, from text to findings. Each statement is checked alone, so one error does not hide the next, and findings
 * are cached by statement text: after an edit only the changed statement is parsed again.
 */
import type { CalledPart, ReadOnlyVerdict } from '../../protocol.ts';
import type { Catalogue } from '../names/catalogue.ts';
import { applyEdits, type Edit } from '../text/edits.ts';
import type { Dialect } from '../text/dialects.ts';
import { modelDirective, readDirectives, type Directive } from '../text/directives.ts';
import { applySeverities, finding, type Finding, type SeveritySettings } from './finding.ts';
import { checkHiddenCharacters } from './hidden-characters.ts';
import { inspectionFindings, type InspectionContext } from './inspections/inspection-findings.ts';
import { lex } from '../text/lexer/lex.ts';
import { TokenKind, type LexedText, type TokenList } from '../text/lexer/tokens.ts';
import { LexedTexts } from '../text/lexed-texts.ts';
import { endOfLineAt } from '../text/lines.ts';
import { checkModels } from './model-names.ts';
import { checkOperators } from './operators.ts';
import { parameterConflicts } from './parameter-conflicts.ts';
import { checkControl } from './controls/check-control.ts';
import { checkParameters, readParameters, type DeclaredParameter } from './parameters.ts';
import type { Meaning, ParseOutcome, SqlParser } from './parser.ts';
import type { Query } from '../tree/query-model.ts';
import { checkPositionalParameters } from './positional-parameters.ts';
import { backslashReading } from '../text/backslash-reading.ts';
import { isOneQuery, proveReadOnly, unlessMisread, type Proof } from './read-only/read-only.ts';
import { nameFindings } from './name-findings.ts';
import { bindNames } from '../names/over-tree/bind.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import {
  replacePlaceholders,
  splitStatements,
  withoutComments,
  type StatementSpan,
} from '../text/statements.ts';
import { applySuppressions } from './suppressions.ts';
import type { StatementTypes, TypeContext } from '../types/type-statement.ts';
import { besides, typeContext, typeFindings } from './type-findings.ts';
import { describeSyntaxError } from './syntax/syntax-errors.ts';
import { TextCache } from '../text/text-cache.ts';
import { isTooLong, limitFinding, limitOf, textLimits } from './text-limits.ts';
import type { KnownNames } from '../names/name-context.ts';

export interface Placeholder {
  readonly name: string;
  /** UTF-16 offsets, including the colon. */
  readonly start: number;
  readonly end: number;
}

export interface AnalysedStatement {
  readonly start: number;
  readonly end: number;
  readonly verdict: ReadOnlyVerdict;
  /** The called functions, operators and other parts that decided the verdict. */
  readonly calls?: readonly CalledPart[];
  readonly placeholders: readonly Placeholder[];
  readonly findings: readonly Finding[];
  /** Its resolved names; undefined if unread, for example because it is not a query. */
  readonly query?: Query;
  /** Its names resolved against the models; undefined while none are known. */
  readonly bound?: BoundNames;
  /** The types of its columns and placeholders; undefined if unread. */
  readonly types?: StatementTypes;
  /** The typing context, for later questions. */
  readonly typeContext?: TypeContext;
  /** Whether a first look skipped its names and inspections. */
  readonly isPartial?: boolean;
  /** Whether it was skipped because the text exceeds a limit. */
  readonly isUnchecked?: true;
}

export interface Analysis {
  readonly lexed: LexedText;
  readonly statements: readonly AnalysedStatement[];
  readonly directives: readonly Directive[];
  /** Findings of the statements and of the whole text, by position. */
  readonly findings: readonly Finding[];
  /** Whether the first look skipped something. */
  readonly isPartial?: boolean;
}

export interface AnalysisOptions {
  /** A saved query is one statement of limited length; a file may hold several. */
  readonly isSavedQuery: boolean;
  /** The known models; undefined while none are known, and then no name is reported as unknown. */
  readonly catalogue?: Catalogue;
  /** The query's model if its text names none. */
  readonly model?: string;
  readonly severities?: SeveritySettings;
  /** Skip the second look at large statements: for an immediate answer, followed by the full one. */
  readonly isFirstLook?: boolean;
  /** Undefined for PostgreSQL. */
  readonly dialect?: Dialect | undefined;
}

/** Checks for other dialects, which need their own parser. */
export interface OtherDialects {
  /** As `Analyser.analyse`. */
  analyse(
    text: string,
    dialect: Dialect,
    options: AnalysisOptions,
    isCancelled: () => boolean,
  ): Promise<Analysis | undefined>;
}

/** The model of a query that names none (specification, SavedQuery). */
export const defaultModel = 'platform_identity';
/** Characters of a query's text (specification, "Limits"). */
export const queryLengthMax = 100_000;
/** Characters of statements with cached results. */
const cacheSizeMax = 4_000_000;
/** Characters of statements with cached meaning, which needs many times the memory of their text. */
const meaningCacheSizeMax = 400_000;
/** Maximum characters of a statement whose second look is nearly free. */
const firstLookSizeMax = 400;

export class Analyser {
  readonly #parser: SqlParser;
  readonly #otherDialects: OtherDialects | undefined;
  readonly #texts: LexedTexts;
  #lastParse: Promise<unknown> = Promise.resolve();
  readonly #outcomes = new TextCache<ParseOutcome>(cacheSizeMax);
  /** Wrapped, since a text without names is cached too. */
  readonly #names = new TextCache<{ readonly meaning: Meaning | undefined }>(meaningCacheSizeMax);
  readonly #types = new TextCache<{ readonly types: StatementTypes | undefined }>(meaningCacheSizeMax);

  /** `texts` are shared with other readers of the same texts. */
  constructor(parser: SqlParser, otherDialects?: OtherDialects, texts = new LexedTexts()) {
    this.#parser = parser;
    this.#otherDialects = otherDialects;
    this.#texts = texts;
  }

  /** Undefined if cancelled. Never rejects. */
  async analyse(
    text: string,
    options: AnalysisOptions,
    isCancelled: () => boolean = () => false,
  ): Promise<Analysis | undefined> {
    if (isTooLong(text)) {
      return unread(text, options);
    }
    if (options.dialect !== undefined && this.#otherDialects !== undefined) {
      return this.#otherDialects.analyse(text, options.dialect, options, isCancelled);
    }
    const lexed = this.#texts.read(text);
    const spans = splitStatements(lexed);
    const read = await this.#parseStatements(lexed, spans.slice(0, textLimits.statements), isCancelled);
    if (read === undefined || isCancelled()) {
      return undefined;
    }
    const { texts, outcomes } = read;
    const checked = spans.slice(0, textLimits.statements);
    const proofs = await this.#prove(lexed, checked, outcomes, isCancelled);
    if (proofs === undefined || isCancelled()) {
      return undefined;
    }
    const statements = spans.map((span, index) =>
      index < textLimits.statements
        ? analyseStatement(lexed.code, span, proofs[index])
        : uncheckedStatement(lexed.code, span),
    );
    const directives = readDirectives(lexed);
    const isQuery = (index: number): boolean => {
      const verdict = statements[index]?.verdict;
      return verdict !== undefined && isOneQuery(verdict);
    };
    const isWanted = (index: number): boolean =>
      isQuery(index) &&
      (options.isFirstLook !== true ||
        (texts[index] ?? '').length <= firstLookSizeMax ||
        this.#names.has(texts[index] ?? ''));
    const meanings = await this.#readMeanings(
      texts.map((own, index) => (isWanted(index) ? own : undefined)),
      isCancelled,
    );
    if (meanings === undefined) {
      return undefined;
    }
    const isLeftOut = (index: number): boolean => isQuery(index) && !isWanted(index);
    const names = nameContext(options, directives);
    const bound = meanings.map((meaning) => meaning && names && bindNames(meaning.query, names));
    const parameters = readParameters(directives);
    const types = await this.#readTypes(
      texts.map((own, index) => {
        const statement = statements[index];
        return meanings[index] === undefined || statement === undefined
          ? undefined
          : { text: own, context: typeContext(statement, bound[index], names, parameters) };
      }),
      isCancelled,
    );
    if (types === undefined) {
      return undefined;
    }
    return toAnalysis(
      { lexed, spans, statements, directives, meanings, names, bound, parameters, types },
      isLeftOut,
      options,
    );
  }

  /** The types of all expressions of an analysed statement; undefined if unknown. */
  async typesOf(analysis: Analysis, statement: AnalysedStatement): Promise<StatementTypes | undefined> {
    const span = splitStatements(analysis.lexed).find(({ start }) => start === statement.start);
    if (span === undefined || statement.typeContext === undefined) {
      return undefined;
    }
    const text = replacePlaceholders(analysis.lexed, span);
    const context = { ...statement.typeContext, wantsExpressions: true };
    return (await this.#readTypes([{ text, context }], () => false))?.[0];
  }

  /**
   * Whether the edits fix a syntax error: their statement parses then, or fails only later.
   * False in other dialects, whose parsers find no fixable cause.
   */
  async isMendedBy(text: string, edits: readonly Edit[], isCancelled?: () => boolean): Promise<boolean> {
    const [first] = edits.toSorted((a, b) => a.start - b.start);
    if (first === undefined) {
      return false;
    }
    const lexed = lex(applyEdits(text, edits));
    const spans = splitStatements(lexed);
    const span = spans.find(({ end }) => end >= first.start) ?? spans.at(-1);
    const read =
      span === undefined
        ? undefined
        : await this.#parseStatements(lexed, [span], isCancelled ?? (() => false));
    const outcome = read?.outcomes[0];
    const last = edits.reduce((end, { start, newText }) => Math.max(end, start + newText.length), 0);
    return outcome?.kind === 'syntax-error'
      ? outcome.offset !== undefined && span !== undefined && span.start + outcome.offset > last
      : outcome?.kind === 'parsed';
  }

  /** The parsed statements with their outcomes. */
  async #parseStatements(
    lexed: LexedText,
    spans: readonly StatementSpan[],
    isCancelled: () => boolean,
    textOf: (span: StatementSpan) => string = (span) => replacePlaceholders(lexed, span),
  ): Promise<
    | { readonly texts: readonly string[]; readonly outcomes: readonly (ParseOutcome | undefined)[] }
    | undefined
  > {
    const texts = spans.map(textOf);
    const outcomes = await this.#parse(texts, isCancelled);
    // A comment may be the only obstacle.
    const retries = spans.flatMap((span, index) => {
      const isError = outcomes?.[index]?.kind === 'syntax-error';
      const text = isError ? withoutComments(lexed, span, texts[index] ?? '') : undefined;
      return text === undefined ? [] : { index, text };
    });
    if (outcomes === undefined || retries.length === 0) {
      return outcomes && { texts, outcomes };
    }
    const others = await this.#parse(
      retries.map(({ text }) => text),
      isCancelled,
    );
    const byIndex = new Map(retries.map(({ index, text }, nth) => [index, { text, outcome: others?.[nth] }]));
    return (
      others && {
        texts: texts.map((text, index) => byIndex.get(index)?.text ?? text),
        outcomes: outcomes.map((outcome, index) => byIndex.get(index)?.outcome ?? outcome),
      }
    );
  }

  /** One proof per statement. Undefined if cancelled. */
  async #prove(
    lexed: LexedText,
    spans: readonly StatementSpan[],
    outcomes: readonly (ParseOutcome | undefined)[],
    isCancelled: () => boolean,
  ): Promise<readonly Proof[] | undefined> {
    const proofs: Proof[] = [];
    for (const [index, span] of spans.entries()) {
      const proof = judge(lexed.code, span, outcomes[index]);
      const other = isOneQuery(proof.verdict) ? backslashReading(lexed, span) : undefined;
      if (other === undefined) {
        proofs.push(proof);
        continue;
      }
      const read = await this.#parseStatements(other.lexed, other.spans, isCancelled, other.textOf);
      if (read === undefined) {
        return undefined;
      }
      const others = other.spans.map((own, nth) => judge(other.lexed.code, own, read.outcomes[nth]));
      proofs.push(unlessMisread(lexed.code, other.token, proof, others));
    }
    return proofs;
  }

  /** One meaning per text, undefined for texts without one. Undefined if cancelled. */
  async #readMeanings(
    texts: readonly (string | undefined)[],
    isCancelled: () => boolean,
  ): Promise<readonly (Meaning | undefined)[] | undefined> {
    const missing = texts.flatMap((text) => (text === undefined || this.#names.has(text) ? [] : [text]));
    // Typing cancels it repeatedly: finished parts are cached, so that it completes eventually.
    const keep = (text: string, meaning: Meaning | undefined) => this.#names.set(text, { meaning });
    const read = missing.length === 0 ? [] : await this.#parser.readNames(missing, isCancelled, keep);
    if (read === undefined || isCancelled()) {
      return undefined;
    }
    const fresh = new Map(missing.map((text, index) => [text, { meaning: read[index] }]));
    for (const [text, entry] of fresh) {
      this.#names.set(text, entry);
    }
    return texts.map((text) =>
      text === undefined ? undefined : (fresh.get(text) ?? this.#names.get(text))?.meaning,
    );
  }

  /** One per request, undefined without types. Undefined if cancelled. */
  async #readTypes(
    requests: readonly ({ readonly text: string; readonly context: TypeContext } | undefined)[],
    isCancelled: () => boolean,
  ): Promise<readonly (StatementTypes | undefined)[] | undefined> {
    if (this.#parser.readTypes === undefined) {
      return requests.map(() => undefined);
    }
    const keys = requests.map((request) => request && `${request.text}\0${JSON.stringify(request.context)}`);
    const missing = requests.flatMap((request, index) => {
      const key = keys[index];
      return request === undefined || key === undefined || this.#types.has(key) ? [] : [{ ...request, key }];
    });
    const read = missing.length === 0 ? [] : await this.#parser.readTypes(missing, isCancelled);
    if (read === undefined || isCancelled()) {
      return undefined;
    }
    const fresh = new Map(missing.map(({ key }, index) => [key, { types: read[index] }]));
    for (const [key, entry] of fresh) {
      this.#types.set(key, entry);
    }
    return keys.map((key) =>
      key === undefined ? undefined : (fresh.get(key) ?? this.#types.get(key))?.types,
    );
  }

  /**
   * One outcome per text. Parses only unknown texts, one caller at a time, so that a check and a
   * hint for the same text parse it once.
   */
  #parse(
    texts: readonly string[],
    isCancelled: () => boolean,
  ): Promise<readonly (ParseOutcome | undefined)[] | undefined> {
    const parsed = this.#lastParse.then(() => this.#parseMissing(texts, isCancelled));
    this.#lastParse = parsed;
    return parsed;
  }

  async #parseMissing(
    texts: readonly string[],
    isCancelled: () => boolean,
  ): Promise<readonly (ParseOutcome | undefined)[] | undefined> {
    const known = texts.map((text) => this.#outcomes.get(text));
    const missing = texts.filter((_, index) => known[index] === undefined);
    if (missing.length === 0) {
      return known;
    }
    const parsed = await this.#parser.parse(missing, isCancelled);
    if (parsed === undefined) {
      return undefined;
    }
    let next = 0;
    return texts.map((text, index) => {
      const outcome = known[index] ?? parsed[next++];
      // A timeout is retried: the machine may have been overloaded.
      if (outcome !== undefined && !(outcome.kind === 'gave-up' && outcome.reason === 'time')) {
        this.#outcomes.set(text, outcome);
      }
      return outcome;
    });
  }
}

/** A text with its parsed statements. */
interface ReadStatements {
  readonly lexed: LexedText;
  readonly spans: readonly StatementSpan[];
  readonly statements: readonly AnalysedStatement[];
  readonly directives: readonly Directive[];
  readonly meanings: readonly (Meaning | undefined)[];
  readonly names: KnownNames | undefined;
  readonly bound: readonly (BoundNames | undefined)[];
  readonly parameters: readonly DeclaredParameter[];
  readonly types: readonly (StatementTypes | undefined)[];
}

function toAnalysis(
  { lexed, spans, statements, directives, meanings, names, bound, parameters, types }: ReadStatements,
  isLeftOut: (index: number) => boolean,
  options: AnalysisOptions,
): Analysis {
  const found = [
    ...statements.flatMap((statement, index) =>
      meaningFindings({ meaning: meanings[index], bound: bound[index], types: types[index] }, statement, {
        code: lexed.code,
        isSavedQuery: options.isSavedQuery,
        names,
        parameters,
      }),
    ),
    ...checkWhole(lexed, spans, options),
    ...checkParameters(lexed, directives),
    ...checkControl(directives, { statements: spans.length, outputs: meanings[0]?.query.outputs }),
    ...checkModels(lexed.code, statements, directives, options),
    ...checkOperators(lexed.code, statements),
    ...checkHiddenCharacters(lexed),
    ...checkPositionalParameters(lexed.code, statements),
    ...statements.flatMap((statement) => statement.findings),
  ];
  const isPartial = statements.some((_, index) => isLeftOut(index));
  // The silenced finding may be among the skipped ones.
  const suppressed = applySuppressions(lexed, withoutRepeats(found)).filter(
    ({ code }) => !(isPartial && code === 'UNUSED_SUPPRESSION'),
  );
  const findings = applySeverities(suppressed, options.severities ?? {});
  return {
    lexed,
    statements: statements.map((statement, index) => ({
      ...withNames(statement, meanings[index], bound[index]),
      ...withTypes(statement, types[index], bound[index], names, parameters),
      ...(isLeftOut(index) ? { isPartial: true } : {}),
    })),
    directives,
    findings: findings.toSorted((a, b) => a.start - b.start),
    isPartial,
  };
}

/** A foreign operator or function is reported with its PostgreSQL equivalent, which includes that it is unknown. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const foreign = new Set(
    findings.flatMap(({ code, start }) =>
      code === 'UNKNOWN_OPERATOR' || code === 'FOREIGN_FUNCTION' || code === 'FOREIGN_TYPE' ? [start] : [],
    ),
  );
  return foreign.size === 0
    ? findings
    : findings.filter(({ code, start }) => code !== 'UNKNOWN_FUNCTION' || !foreign.has(start));
}

interface MeaningContext extends Omit<InspectionContext, 'base'> {
  readonly parameters: readonly DeclaredParameter[];
}

/** Findings about a statement's names, and inspections. */
function meaningFindings(
  { meaning, bound, types }: Understood,
  statement: AnalysedStatement,
  { parameters, ...context }: MeaningContext,
): readonly Finding[] {
  if (meaning === undefined) {
    return [];
  }
  const base = statement.start;
  const inspected = inspectionFindings(meaning.inspection, { ...context, base });
  const { code, names } = context;
  const found =
    names === undefined || bound === undefined
      ? inspected
      : [
          ...nameFindings(bound, code, base),
          ...inspected,
          ...parameterConflicts(statement, bound.parameters, names.catalogue, parameters),
        ];
  return types === undefined ? found : [...found, ...besides(typeFindings(types, code, base), found)];
}

/** Known facts of a statement's names and types. */
interface Understood {
  readonly meaning: Meaning | undefined;
  readonly bound: BoundNames | undefined;
  readonly types: StatementTypes | undefined;
}

function withTypes(
  statement: AnalysedStatement,
  types: StatementTypes | undefined,
  bound: BoundNames | undefined,
  names: KnownNames | undefined,
  parameters: readonly DeclaredParameter[],
): Pick<AnalysedStatement, 'types' | 'typeContext'> {
  return types === undefined ? {} : { types, typeContext: typeContext(statement, bound, names, parameters) };
}

const withNames = (
  statement: AnalysedStatement,
  meaning: Meaning | undefined,
  bound: BoundNames | undefined,
): AnalysedStatement =>
  meaning === undefined
    ? statement
    : { ...statement, query: meaning.query, ...(bound === undefined ? {} : { bound }) };

function analyseStatement(code: TokenList, span: StatementSpan, proof: Proof | undefined): AnalysedStatement {
  const { verdict, calls, findings } = proof ?? gaveUp(code, span);
  return {
    start: span.start,
    end: span.end,
    verdict,
    ...(calls === undefined ? {} : { calls }),
    placeholders: placeholdersOf(code, span),
    findings,
  };
}

function judge(code: TokenList, span: StatementSpan, outcome: ParseOutcome | undefined): Proof {
  switch (outcome?.kind) {
    case 'parsed':
      return proveReadOnly(code, span, outcome);
    case 'syntax-error':
      return { verdict: 'syntax-error', findings: [describeSyntaxError(code, span, outcome)] };
    case 'gave-up':
    case undefined:
      return gaveUp(code, span);
  }
}

function gaveUp(code: TokenList, span: StatementSpan): Proof {
  const message =
    'Could not be verified: the statement is too large or too deeply nested to check. Run asks before it sends it.';
  const unverified = finding('COULD_NOT_BE_VERIFIED', message, span.start, code.end(span.firstToken));
  return { verdict: 'unverified', findings: [unverified] };
}

export function placeholdersOf(
  code: TokenList,
  { firstToken, lastToken }: StatementSpan,
): readonly Placeholder[] {
  const placeholders: Placeholder[] = [];
  for (let index = firstToken; index <= lastToken; index++) {
    if (code.kind(index) === TokenKind.placeholder) {
      placeholders.push({
        name: code.textOf(index).slice(1),
        start: code.start(index),
        end: code.end(index),
      });
    }
  }
  return placeholders;
}

export function checkWhole(
  lexed: LexedText,
  spans: readonly StatementSpan[],
  { isSavedQuery }: AnalysisOptions,
): readonly Finding[] {
  const { text, code } = lexed;
  const findings: Finding[] = [];
  const limit = limitOf(lexed);
  if (limit !== undefined) {
    findings.push(limitFinding(text, limit));
  }
  if (spans.length === 0) {
    const empty = finding(
      'EMPTY_QUERY',
      'There is no statement here. Write a SELECT.',
      0,
      endOfLineAt(text, 0),
    );
    findings.push(isSavedQuery ? empty : { ...empty, severity: 'hint' });
  }
  const second = spans[1];
  if (isSavedQuery && second !== undefined) {
    const message = `A saved query is a single statement, but this text has ${spans.length}. Save each as its own query.`;
    findings.push(finding('MULTIPLE_STATEMENTS', message, second.start, code.end(second.firstToken)));
  }
  return [...findings, ...lengthFindings(text)];
}

function lengthFindings(text: string): readonly Finding[] {
  const limit = offsetPastLimit(text);
  if (limit === undefined) {
    return [];
  }
  const message = `The text is longer than ${queryLengthMax.toLocaleString('en')} characters, the limit of the service. Shorten it.`;
  return [finding('QUERY_TOO_LONG', message, limit, Math.max(limit + 1, endOfLineAt(text, limit)))];
}

/** A text too long to tokenise: one statement without known facts. */
function unread(text: string, options: AnalysisOptions): Analysis {
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

/** One past the limit of statements. */
export function uncheckedStatement(code: TokenList, span: StatementSpan): AnalysedStatement {
  const { start, end } = span;
  return {
    start,
    end,
    verdict: 'unverified',
    placeholders: placeholdersOf(code, span),
    findings: [],
    isUnchecked: true,
  };
}

/** Where the text exceeds the limit, which counts characters rather than UTF-16 units; undefined if it does not. */
function offsetPastLimit(text: string): number | undefined {
  if (text.length <= queryLengthMax) {
    return undefined;
  }
  let offset = 0;
  for (let characters = 0; characters < queryLengthMax; characters++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset < text.length ? offset : undefined;
}

/** Undefined if no model's tables are known: names cannot be resolved. */
function nameContext(
  { catalogue, model }: AnalysisOptions,
  directives: readonly Directive[],
): KnownNames | undefined {
  const known = catalogue && confirmed(catalogue);
  return known?.models.some(({ tables }) => tables !== undefined) === true
    ? { catalogue: known, model: modelDirective(directives)?.argument ?? model ?? defaultModel }
    : undefined;
}

/** Without tables that the service has not confirmed: they never prove an error. */
function confirmed(catalogue: Catalogue): Catalogue {
  if (!catalogue.models.some(({ isAssumed }) => isAssumed === true)) return catalogue;
  return {
    models: catalogue.models.map(({ name, description, tables, isAssumed }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      ...(tables === undefined || isAssumed === true ? {} : { tables }),
    })),
  };
}

/** The model in the text's directive. */
export function modelNamedBy(analysis: Analysis): string | undefined {
  return modelDirective(analysis.directives)?.argument;
}
