/** Whether a query keeps the rows of its runs, and whether it may: sensitive columns only if the text says so. */
import { ApiError, ContractError } from '#api/client/errors.ts';
import { t } from '#base/texts.ts';
import { readDirectives } from '#server/language/text/directives.ts';
import { parseKeep, type KeepRule } from '#server/language/text/keep-directive.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import type { CatalogueModel } from '#server/protocol.ts';
import { QueryChecks } from '../agents/query-checks.ts';
import { readCatalogue } from '../models/read-schema.ts';
import { originsOfResult } from '../policy/masking/masker.ts';
import { nothingKnown, type OriginColumns } from '../policy/masking/relations.ts';
import { sensitivityBy } from '../policy/masking/sensitive-columns.ts';

/** A `@keep` that cannot be followed; the message says why. */
export class KeepRuleError extends Error {}

/** @returns undefined if the text keeps nothing. @throws KeepRuleError */
export function keepRuleOf(text: string): KeepRule | undefined {
  // Most texts have none, and need no lexer.
  if (!/@keep\b/.test(text)) return undefined;
  const [first, second] = readDirectives(lex(text)).filter(({ name }) => name === 'keep');
  if (first === undefined) return undefined;
  const { value, problem } = parseKeep(first);
  if (value === undefined) throw new KeepRuleError(problem);
  if (second !== undefined)
    throw new KeepRuleError(t('A query has one @{0}. Remove this line or the one before.', 'keep'));
  return value;
}

/** Returns where the columns of a query's result come from. What is unknown counts as sensitive. */
export async function originsOf(
  checks: Pick<QueryChecks, 'check'>,
  { text, model }: { readonly text: string; readonly model: string },
  {
    models,
    patterns,
  }: {
    readonly models: readonly CatalogueModel[];
    /** The person's own patterns of sensitive columns. */
    readonly patterns: readonly string[];
  },
): Promise<OriginColumns> {
  const { permission } = await checks.check({
    ...{ text, model, writer: 'person', hasOwnValues: true },
    catalogue: { models },
    sensitivityOf: sensitivityBy(patterns),
  });
  return permission.kind === 'go' ? permission.columns : nothingKnown;
}

/**
 * Reads where the columns of a query's result come from. What is unknown counts as sensitive, so without the models all
 * of them do.
 * @param patterns the person's own patterns of sensitive columns.
 */
export async function readOrigins(
  client: Parameters<typeof readCatalogue>[0],
  query: { readonly text: string; readonly model: string },
  { patterns, signal }: { readonly patterns: readonly string[]; readonly signal: AbortSignal },
): Promise<OriginColumns> {
  const checks = new QueryChecks();
  try {
    return await originsOf(checks, query, { models: await readCatalogue(client, { signal }), patterns });
  } catch (error) {
    if (error instanceof ApiError || error instanceof ContractError) return nothingKnown;
    throw error;
  } finally {
    await checks.dispose();
  }
}

/** Returns the columns of a result that are sensitive, or may be. */
export function sensitiveNames(expected: OriginColumns, names: readonly string[]): readonly string[] {
  const origins = originsOfResult(expected, names);
  return names.filter((_, index) => origins[index] !== undefined);
}

/** Says why rows with these columns are not kept; undefined if they may be. */
export function sensitiveWords({ runs }: KeepRule, sensitive: readonly string[]): string | undefined {
  if (sensitive.length === 0) return undefined;
  return t(
    'it has sensitive columns ({0}). If they may be kept on this machine, write: {1}',
    sensitive.slice(0, 5).join(', '),
    `-- @keep ${runs} runs with sensitive columns`,
  );
}
