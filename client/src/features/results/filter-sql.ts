/**
 * Adds filters and a sort order to an SQL statement. The statement becomes a subquery, so filters apply to its output
 * columns regardless of any grouping, joins or limits inside it.
 */
import { quoteIdentifier } from '#base/sql-names.ts';
import { literal, quoteText } from '#core/rows/files/serialize-sql.ts';
import type { ColumnFilter, SortKey } from '#core/rows/rows.ts';
import type { ShownColumn } from '#panel-protocol/messages.ts';

export interface Narrowing {
  readonly columns: readonly ShownColumn[];
  readonly filters: readonly ColumnFilter[];
  readonly sort: readonly SortKey[];
}

/** Thrown if two columns have the same name, because an outer query cannot distinguish them. */
export class AmbiguousColumnError extends Error {
  readonly column: string;

  constructor(column: string) {
    super(`Two columns are called ${column}`);
    this.name = 'AmbiguousColumnError';
    this.column = column;
  }
}

const alias = 'narrowed';

/** @throws AmbiguousColumnError */
export function narrowed(statement: string, { columns, filters, sort }: Narrowing): string {
  const nameOf = (column: number) => {
    const name = columns[column]?.name ?? '';
    if (columns.filter((one) => one.name === name).length > 1) throw new AmbiguousColumnError(name);
    return quoteIdentifier(name);
  };
  const where = filters.map(({ column, rule }) => condition(nameOf(column), columns[column], rule));
  const order = sort.map(
    ({ column, descending }) => `${nameOf(column)}${descending ? ' DESC' : ''} NULLS LAST`,
  );
  // A line comment at the end would swallow what follows it.
  const body = withoutSemicolon(statement.trim());
  return [
    'SELECT *',
    'FROM (',
    body,
    `) AS ${alias}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.join('\n  AND ')}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
  ].join('\n');
}

const withoutSemicolon = (text: string): string => (text.endsWith(';') ? text.slice(0, -1).trimEnd() : text);

function condition(name: string, column: ShownColumn | undefined, rule: ColumnFilter['rule']): string {
  const kind = column?.kind ?? 'text';
  const text = kind === 'text' ? name : `${name}::text`;
  switch (rule.kind) {
    case 'null':
      return `${name} IS ${rule.isNull ? '' : 'NOT '}NULL`;
    case 'compare':
      return `${name} ${rule.operator} ${literal({ text: rule.text.trim(), isBare: kind === 'number' })}`;
    case 'values': {
      const values = rule.values.filter((value) => value !== null);
      // JSON values cannot be compared for equality, but their text can.
      const place = kind === 'json' ? text : name;
      const list = values.map((value) => literal({ text: value, isBare: kind === 'number' })).join(', ');
      const isIn = values.length === 0 ? undefined : `${place} IN (${list})`;
      const isNull = rule.values.includes(null) ? `${name} IS NULL` : undefined;
      if (isIn !== undefined && isNull !== undefined) return `(${isIn} OR ${isNull})`;
      return isIn ?? isNull ?? 'false';
    }
    case 'text': {
      if (rule.operator === 'equals') {
        return rule.matchCase
          ? `${text} = ${quoteText(rule.text)}`
          : `lower(${text}) = lower(${quoteText(rule.text)})`;
      }
      const pattern = rule.text.replace(/[\\%_]/g, String.raw`\$&`);
      const start = rule.operator === 'starts-with' ? '' : '%';
      const end = rule.operator === 'ends-with' ? '' : '%';
      const not = rule.operator === 'does-not-contain' ? 'NOT ' : '';
      return `${text} ${not}${rule.matchCase ? 'LIKE' : 'ILIKE'} ${quoteText(start + pattern + end)}`;
    }
    default:
      return rule satisfies never;
  }
}
