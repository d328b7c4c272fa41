/** What the parser's worker and its owner say to each other. */
import type { Meaning, ParseOutcome } from '../language/checks/parser.ts';
import type { StatementTypes, TypeContext } from '../language/types/type-statement.ts';

/** Owner to worker: parse these texts, in order. */
export interface ParseRequest {
  readonly kind: 'parse' | 'names' | 'trees' | 'types';
  readonly texts: readonly string[];
  /** For types: what each text is typed with. */
  readonly contexts?: readonly TypeContext[];
}

export type NamesOutcome = Meaning | undefined;
/** libpg-query's JSON; undefined where it does not parse. */
export type TreeOutcome = string | undefined;
export type TypesOutcome = StatementTypes | undefined;

/** Worker to owner: once when it can take requests, then one answer a request, of the request's kind. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'parse'; readonly outcomes: readonly ParseOutcome[] }
  | { readonly kind: 'names'; readonly outcomes: readonly NamesOutcome[] }
  | { readonly kind: 'trees'; readonly outcomes: readonly TreeOutcome[] }
  | { readonly kind: 'types'; readonly outcomes: readonly TypesOutcome[] };
