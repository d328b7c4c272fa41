/** The meaning of a checked statement's names. */
import type { NameContext } from '../names/name-context.ts';
import { bindNames } from '../names/over-tree/bind.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import type { AnalysedStatement } from './analysis.ts';

/** From the check, else from the text alone; undefined for non-queries. */
export const namesOf = ({ query, bound }: AnalysedStatement, context: NameContext): BoundNames | undefined =>
  bound ?? (query && bindNames(query, context));
