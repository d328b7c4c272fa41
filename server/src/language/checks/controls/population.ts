/**
 * Checks the query that counts a control's population. It stands in a comment, so it is checked as a text of its own,
 * with the same model and parameters, and its findings are moved to where it stands.
 */
import type { FindingCode } from '#base/finding-severities.ts';
import { t } from '#base/texts.ts';
import { readControlDirectives } from '#server/language/text/control-directives.ts';
import type { Directive } from '#server/language/text/directives.ts';
import { keptApart } from '#server/language/text/kept-apart.ts';
import type { LexedText } from '#server/language/text/lexer/tokens.ts';
import type { Output, Query } from '#server/language/tree/query-model.ts';
import type { Analysis, AnalysisOptions } from '../analysis.ts';
import { finding, type Finding, type Fix } from '../finding.ts';
import { outputsOf } from './check-control.ts';

/** The results of checking the population's query. */
export interface CheckedPopulation {
  readonly findings: readonly Finding[];
  /** The names of the parameters that it uses. */
  readonly parameters: readonly string[];
}

interface PopulationText {
  /** The lines that the query depends on, and the query. */
  readonly text: string;
  /** UTF-16 offset of the query in it. */
  readonly base: number;
  /** UTF-16 offsets of the query in the control's text. */
  readonly start: number;
  readonly end: number;
}

const shared: ReadonlySet<string> = new Set(['model', 'param']);

function populationText({ text }: LexedText, directives: readonly Directive[]): PopulationText | undefined {
  if (!directives.some(({ name }) => name === 'population')) return undefined;
  const population = readControlDirectives(directives, [])?.population;
  if (population === undefined || population.start === population.end) return undefined;
  const above = directives
    .filter(({ name }) => shared.has(name))
    .map(({ start, end }) => `${text.slice(start, end)}\n`)
    .join('');
  const { start, end } = population;
  return { text: above + text.slice(start, end), base: above.length, start, end };
}

/** Returns what is wrong with the query that counts a control's population; undefined if cancelled. */
export async function analysePopulation(
  { lexed, directives }: Pick<Analysis, 'lexed' | 'directives'>,
  options: AnalysisOptions,
  analyse: (text: string, options: AnalysisOptions) => Promise<Analysis | undefined>,
): Promise<CheckedPopulation | undefined> {
  const population = populationText(lexed, directives);
  if (population === undefined) return { findings: [], parameters: [] };
  const own = { ...options, isSavedQuery: false, severities: {}, isFirstLook: false };
  const analysis = await analyse(population.text, own);
  return analysis && checkPopulation(population, analysis);
}

/** A missing query is told below, and hidden characters are told of the control's comments. */
const toldOnce: ReadonlySet<FindingCode> = new Set<FindingCode>(['EMPTY_QUERY', 'HIDDEN_CHARACTER']);

function checkPopulation({ base, start, end }: PopulationText, analysis: Analysis): CheckedPopulation {
  const by = start - base;
  const own = analysis.findings
    // The lines above are checked with the control.
    .filter((found) => found.start >= base && !toldOnce.has(found.code))
    .map(({ fix, unprovenFix: _, alternatives: __, ...found }): Finding => {
      // In the control, the query is a part of one token.
      const moved = fix && movedFix({ ...fix, edits: keptApart(analysis.lexed, fix.edits) }, base, by);
      return {
        ...found,
        start: found.start + by,
        end: Math.min(found.end + by, end),
        ...(moved === undefined ? {} : { fix: moved }),
      };
    });
  const problem = shapeProblem(analysis);
  const wrong =
    problem === undefined
      ? []
      : [finding('INVALID_CONTROL', t('The population is unknown: {0}', problem), start, end)];
  const placeholders = analysis.statements.flatMap((statement) => statement.placeholders);
  return { findings: [...own, ...wrong], parameters: placeholders.map(({ name }) => name) };
}

/** Returns undefined if an edit is outside the query, or would end the comment. */
function movedFix({ title, edits }: Fix, base: number, by: number): Fix | undefined {
  if (edits.some(({ start, newText }) => start < base || /[\r\n]/.test(newText))) return undefined;
  return {
    title,
    edits: edits.map((edit) => ({ ...edit, start: edit.start + by, end: edit.end + by })),
  };
}

/** JSON may be a number. */
const numberType = /^(?:smallint|integer|bigint|numeric|real|double precision|oid|jsonb?)\b(?!.*\[\])/;

/** Returns what the run would say of any result of the query; undefined where it depends on the rows. */
function shapeProblem({ statements }: Analysis): string | undefined {
  const [statement, ...others] = statements;
  if (statement === undefined || others.length > 0)
    return t('A control is a single query, but this text contains {0}.', statements.length);
  const columns = statement.types?.columns ?? knownOutputs(statement.query);
  if (columns !== undefined && columns.length !== 1)
    return t('its query must return one row with one column, as SELECT count(*) does.');
  const type = statement.types?.columns?.[0]?.type;
  return type === undefined || numberType.test(type) ? undefined : t('its query must return a whole number.');
}

function knownOutputs(query: Query | undefined): readonly Output[] | undefined {
  const outputs = outputsOf(query);
  return outputs?.some(({ name }) => name === '*') === true ? undefined : outputs;
}
