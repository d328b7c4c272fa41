/**
 * Queries that the service ran even though a check had flagged them. The severity of the rule is lowered for exactly that
 * text in this workspace, because working queries must not raise false alarms. The log records each case. Only hashes
 * are stored.
 */
import { createHash } from 'node:crypto';
import type { KeyValueStore } from '#base/key-value-store.ts';

const storageKey = 'identityQueries.loweredRules';
const textsMax = 500;

/** Codes of findings that predict a rejection by the service. Advice about a query's meaning is not among them. */
const claims: ReadonlySet<string> = new Set([
  'QUERY_PARSE_ERROR',
  'MUTATION_NOT_ALLOWED',
  'UNKNOWN_MODEL',
  'UNKNOWN_TABLE',
  'UNKNOWN_COLUMN',
  'AMBIGUOUS_COLUMN',
  'ORDINAL_OUT_OF_RANGE',
  'UNGROUPED_COLUMN',
  'AGGREGATE_IN_WHERE',
  'SET_OPERATION_COLUMNS',
  'MULTIPLE_STATEMENTS',
  'QUERY_TOO_LONG',
]);

/** Codes of type errors, which the service finds too, unless a function or type with that name is user-defined. */
const typeErrors: ReadonlySet<string> = new Set([
  'TYPE_MISMATCH',
  'INVALID_LITERAL',
  'AGGREGATE_MISUSE',
  'SUBQUERY_COLUMNS',
  'INVALID_CLAUSE',
]);

/** Returns whether an error with this code describes the mistake that the service rejects at the same place. */
export const predictsRejection = (code: string): boolean => claims.has(code) || typeErrors.has(code);

export class Disagreements {
  readonly #store: KeyValueStore;
  #byText: Map<string, readonly string[]> | undefined;
  readonly #changed: () => void;

  constructor(store: KeyValueStore, changed: () => void) {
    this.#store = store;
    this.#changed = changed;
  }

  isLowered(statement: string, code: string): boolean {
    return this.#texts.get(digestOf(statement))?.includes(code) ?? false;
  }

  /** Returns whether the rule is lowered for any query; a cheap check before `isLowered`. */
  mayBeLowered(code: string): boolean {
    return [...this.#texts.values()].some((codes) => codes.includes(code));
  }

  /** Records that the service ran this query. @returns the codes that were newly lowered for it. */
  async accept(statement: string, flagged: readonly string[]): Promise<readonly string[]> {
    const digest = digestOf(statement);
    const known = this.#texts.get(digest) ?? [];
    const added = [...new Set(flagged)].filter((code) => claims.has(code) && !known.includes(code));
    if (added.length === 0) return added;
    const texts = this.#texts;
    texts.delete(digest);
    texts.set(digest, [...known, ...added]);
    for (const oldest of [...texts.keys()].slice(0, Math.max(0, texts.size - textsMax))) texts.delete(oldest);
    this.#changed();
    await this.#store.update(storageKey, Object.fromEntries(texts));
    return added;
  }

  get #texts(): Map<string, readonly string[]> {
    this.#byText ??= new Map(Object.entries(stored(this.#store.get(storageKey))));
    return this.#byText;
  }
}

function stored(value: unknown): Readonly<Record<string, readonly string[]>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const entries = Object.entries(value as Readonly<Record<string, unknown>>); // narrowed to an object above
  return Object.fromEntries(
    entries.flatMap(([digest, codes]) =>
      Array.isArray(codes) ? [[digest, codes.filter((code) => typeof code === 'string')] as const] : [],
    ),
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
