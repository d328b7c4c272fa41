/** What names are looked up in. */
import type { NameQuotes } from '../text/identifiers.ts';
import type { Catalogue } from './catalogue.ts';

export interface NameContext {
  /** Undefined while nothing is known. */
  readonly catalogue?: Catalogue | undefined;
  /** The model whose tables need no qualifier. */
  readonly model: string;
  /** How a name is quoted that needs it; undefined for PostgreSQL's rules. */
  readonly nameQuotes?: NameQuotes;
}

/** Where something is known of the models, so that a name can be wrong. */
export type KnownNames = NameContext & { readonly catalogue: Catalogue };
