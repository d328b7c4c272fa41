/** Applies column aliases: `AS t (a, b)` and `WITH t (a, b) AS`. */
import { t } from '#base/texts.ts';
import { renamed } from '#server/language/names/relations/relations.ts';
import type { Columns, Session } from '../typing.ts';

export interface ColumnAliases {
  /** The renamed item in PostgreSQL's words, such as `table "t"`. */
  readonly what: string;
  readonly names: readonly string[];
  /** The item's node, wrapped in an object with its type as the key. */
  readonly at: unknown;
  /** Byte offset, if the item has a single position. */
  readonly location?: number;
}

/** Renames the first columns; later ones keep their names. Reports an alias list that is too long. */
export function aliased(
  session: Session,
  columns: Columns,
  { what, names, at, location }: ColumnAliases,
): Columns {
  if (columns === undefined || names.length === 0) return columns;
  if (names.length > columns.length) {
    session.report({
      code: 'SUBQUERY_COLUMNS',
      message: `${what} has ${columns.length} columns available but ${names.length} columns specified. ${t('Leave out the names after "{0}".', names[columns.length - 1] ?? '')}`,
      at,
      ...(location === undefined ? {} : { location }),
    });
  }
  return renamed(columns, names);
}
