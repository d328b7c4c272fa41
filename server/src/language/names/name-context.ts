/** The context of name resolution: the catalog, the default model and the quoting rules. */
import type { NameQuotes } from '../text/identifiers.ts';
import type { Catalogue } from './catalogue.ts';

export interface NameContext {
  /** Undefined if nothing is known. */
  readonly catalogue?: Catalogue | undefined;
  /** The model whose tables need no qualifier. */
  readonly model: string;
  /** Quoting rules for names; undefined for PostgreSQL's. */
  readonly nameQuotes?: NameQuotes;
  /** Returns the columns of a function in FROM; undefined if it is not known what it returns. */
  readonly functionColumns?: (name: string) => FunctionColumns | undefined;
}

/** `value` means one column that has the alias or the name of the function. */
export type FunctionColumns =
  | 'value'
  | readonly { readonly name: string; readonly type: string | undefined }[];

/** A name can be wrong only if the models are known. */
export type KnownNames = NameContext & { readonly catalogue: Catalogue };
