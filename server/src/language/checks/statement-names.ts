/** What the names of a checked statement mean. */
import type { NameContext } from '../names/name-context.ts';
import { bindNames } from '../names/over-tree/bind.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import type { AnalysedStatement } from './analyser.ts';

/** As the check has found, else by the text alone; undefined for what is no query. */
export const namesOf = ({ query, bound }: AnalysedStatement, context: NameContext): BoundNames | undefined =>
  bound ?? (query && bindNames(query, context));
