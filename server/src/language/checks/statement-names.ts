/** Resolves the names of a checked statement. */
import type { NameContext } from '../names/name-context.ts';
import { bindNames } from '../names/over-tree/bind.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import type { AnalysedStatement } from './analysis.ts';

/**
 * Returns the names resolved by the check, or resolves them now if it did not. Undefined for statements that are not
 * queries.
 */
export const namesOf = ({ query, bound }: AnalysedStatement, context: NameContext): BoundNames | undefined =>
  bound ?? (query && bindNames(query, context));
