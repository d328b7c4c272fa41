/** The catalogue, default model and quoting that name resolution depends on. */
import type { NameQuotes } from '../text/identifiers.ts';
import type { Catalogue } from './catalogue.ts';

export interface NameContext {
  /** Undefined if nothing is known. */
  readonly catalogue?: Catalogue | undefined;
  /** The model whose tables need no qualifier. */
  readonly model: string;
  /** Quoting rules of names; undefined: PostgreSQL's. */
  readonly nameQuotes?: NameQuotes;
}

/** Only with known models can a name be wrong. */
export type KnownNames = NameContext & { readonly catalogue: Catalogue };
