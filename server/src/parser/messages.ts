/** Messages between the parser's worker and its owner. */
import type { Translations } from '#base/translate.ts';
import type { Meaning, ParseOutcome } from '../language/checks/parser.ts';
import type { StatementTypes, TypeContext } from '../language/types/type-statement.ts';
import type { CompiledModule } from './web-assembly.ts';

export interface WorkerStart {
  readonly translations: Translations;
  /** The compiled grammar, if the owner has it. */
  readonly grammar: CompiledModule | undefined;
}

/** Owner to worker: process these strings in order. */
export interface ParseRequest {
  readonly kind: 'parse' | 'names' | 'trees' | 'types';
  readonly texts: readonly string[];
  /** The typing context for each string, for requests of kind `types`. */
  readonly contexts?: readonly TypeContext[];
}

export type NamesOutcome = Meaning | undefined;
/** libpg-query's JSON; undefined if the string does not parse. */
export type TreeOutcome = string | undefined;
export type TypesOutcome = StatementTypes | undefined;

/** Worker to owner: one message when ready, then one response per request, with the request's kind. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'parse'; readonly outcomes: readonly ParseOutcome[] }
  | { readonly kind: 'names'; readonly outcomes: readonly NamesOutcome[] }
  | { readonly kind: 'trees'; readonly outcomes: readonly TreeOutcome[] }
  | { readonly kind: 'types'; readonly outcomes: readonly TypesOutcome[] };
