/**
 * Texts that the service ran although a check had flagged them. The rule is lowered for exactly that text in this
 * workspace, and the log records it: checks must not cry wolf about working queries. Stored as hashes.
 */
import { createHash } from 'node:crypto';
import type { KeyValueStore } from '../parameters/memory.ts';

const storageKey = 'identityQueries.loweredRules';
const textsMax = 500;

/** These codes claim that the service would refuse the text. Advice about a query's meaning makes no such claim. */
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

  /** Whether the rule is lowered for any text: a cheap test before the expensive one. */
  mayBeLowered(code: string): boolean {
    return [...this.#texts.values()].some((codes) => codes.includes(code));
  }

  /** The service ran this text. @returns the codes newly lowered for it. */
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
  const entries = Object.entries(value as Readonly<Record<string, unknown>>); // any object has string keys
  return Object.fromEntries(
    entries.flatMap(([digest, codes]) =>
      Array.isArray(codes) ? [[digest, codes.filter((code) => typeof code === 'string')] as const] : [],
    ),
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
