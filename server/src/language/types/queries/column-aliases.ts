/** The names that an alias gives to columns: `AS t (a, b)`, `WITH t (a, b) AS`. */
import { t } from '../../../../../core/src/util/texts.ts';
import type { Columns, Session } from '../typing.ts';

export interface ColumnAliases {
  /** The entry in PostgreSQL's words: `table "t"`. */
  readonly what: string;
  readonly names: readonly string[];
  /** The entry's node, wrapped in its name. */
  readonly at: unknown;
  /** Byte offset, if the entry has a single position. */
  readonly location?: number;
}

/** Later columns keep their names. Too many names are reported. */
export function renamed(
  session: Session,
  columns: Columns,
  { what, names, at, location }: ColumnAliases,
): Columns {
  if (columns === undefined || names.length === 0) return columns;
  if (names.length > columns.length) {
    session.report({
      code: 'SUBQUERY_COLUMNS',
      message: `${what} has ${columns.length} columns available but ${names.length} columns specified. ${t('Leave out the names after {0}.', names[columns.length - 1] ?? '')}`,
      at,
      ...(location === undefined ? {} : { location }),
    });
  }
  return columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
}
