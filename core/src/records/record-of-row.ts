/** Rebuilds a record from a table row, with the member names of the API where known and column names otherwise. */
import type { ResultColumn } from '#api/contract/execute.ts';
import { columnName, type RecordCollectionId } from '#api/contract/tables.ts';
import { fieldsOf } from './record-fields.ts';

export function recordOfRow(
  collection: RecordCollectionId,
  columns: readonly ResultColumn[],
  row: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const fields = new Map(fieldsOf(collection).map((field) => [columnName(field.name), field]));
  return Object.fromEntries(
    columns.flatMap(({ name, type }, index) => {
      const value = row[index];
      if (value === undefined || value === null) return [];
      const field = fields.get(name);
      const isTime = timeTypes.has(field?.type ?? type);
      return [[field?.name ?? name, isTime && typeof value === 'string' ? rfc3339(value) : value]];
    }),
  );
}

const timeTypes: ReadonlySet<string | undefined> = new Set(['timestamptz', 'timestamp with time zone']);

/** Converts a time to RFC 3339. PostgreSQL values without such a form (`infinity`, BC) are returned unchanged. */
function rfc3339(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d(?::\d\d)?)$/.exec(text);
  if (match === null) return text;
  const [, date = '', time = '', zone = ''] = match;
  const isUtc = /^(?:Z|[+-]00(?::00)?)$/.test(zone);
  return `${date}T${time}${isUtc ? 'Z' : zone.length === 3 ? `${zone}:00` : zone}`;
}
