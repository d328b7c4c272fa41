/** Maps the contract's schemas to SQL: column names, types and text values. */
import type { TObject } from 'typebox';
import { columnName, columnType, type ColumnType, schemaText } from '#api/contract/tables.ts';

export interface TableColumn {
  /** Name of the property in the record. */
  readonly member: string;
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
  readonly isRequired: boolean;
}

export function columnsOf(schema: TObject): TableColumn[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  return Object.entries(schema.properties).map(([member, property]) => ({
    member,
    name: columnName(member),
    type: columnType(property),
    description: schemaText(property, 'description'),
    isRequired: required.has(member),
  }));
}

/** Returns a record as a line in COPY's text format, without the line break. */
export function copyLine(columns: readonly TableColumn[], record: object): string {
  let line = '';
  for (const [index, column] of columns.entries()) {
    if (index > 0) line += '\t';
    const value: unknown = Reflect.get(record, column.member);
    line += value === undefined || value === null ? '\\N' : escapeCopy(columnText(column, value));
  }
  return line;
}

/** Returns a value in PostgreSQL's text format for the column. */
export function columnText(column: TableColumn, value: unknown): string {
  if (column.type === 'jsonb') return JSON.stringify(value);
  if (Array.isArray(value)) return `{${value.map((item) => quoteItem(String(item))).join(',')}}`;
  return String(value);
}

function quoteItem(item: string): string {
  return `"${item.replaceAll(/["\\]/g, (char) => `\\${char}`)}"`;
}

function escapeCopy(text: string): string {
  return /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text;
}
