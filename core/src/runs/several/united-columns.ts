/**
 * Unites the columns of the same query's results from several connections: matched by name, with the connection's name
 * as the first column. What differs is told, never hidden.
 */
import { jsonText, scalarText } from '#api/client/json.ts';
import { cellText, packRows } from '../../rows/chunk.ts';
import { cellTag, type ColumnChunk, type PageRows } from '../../rows/packed-rows.ts';
import { emptyColumn, isPacked } from '../../rows/page-rows.ts';
import type { StoreColumn } from '../../rows/rows.ts';

/** The columns of one connection's result. */
export interface PartColumns {
  readonly connection: string;
  readonly columns: readonly StoreColumn[];
}

/** A column that not every connection has. */
export interface MissingColumn {
  readonly column: string;
  readonly connections: readonly string[];
}

/** A column whose types differ, so that its values are text. */
export interface MixedColumn {
  readonly column: string;
  readonly types: readonly { readonly connection: string; readonly type: string }[];
}

interface UnitedColumn {
  readonly name: string;
  /** Type and place in the result of each connection that has the column. */
  readonly found: Map<string, { readonly type: string; readonly index: number }>;
}

const connectionColumn = 'connection';

export class UnitedColumns {
  readonly #parts: readonly string[];
  /** By name, and by its number among the columns of this name, since a result may have several. */
  readonly #united = new Map<string, UnitedColumn>();

  constructor(parts: readonly PartColumns[]) {
    this.#parts = parts.map(({ connection }) => connection);
    for (const part of parts) this.add(part);
  }

  /** Adds the columns of a part, or the further ones of a part whose later pages have more. */
  add({ connection, columns }: PartColumns): void {
    const seen = new Map<string, number>();
    for (const [index, { name, type }] of columns.entries()) {
      const number = seen.get(name) ?? 0;
      seen.set(name, number + 1);
      const key = `${number} ${name}`;
      const united = this.#united.get(key) ?? { name, found: new Map() };
      this.#united.set(key, united);
      united.found.set(connection, { type, index });
    }
  }

  /** The columns of the united result, with the connection first. */
  get columns(): readonly StoreColumn[] {
    const names = new Set(this.#all.map(({ name }) => name));
    return [
      { name: connectionColumn, type: 'text' },
      ...this.#all.map((column) => ({
        name: column.name === connectionColumn ? freeName(names) : column.name,
        type: commonType(column) ?? 'text',
      })),
    ];
  }

  get missing(): readonly MissingColumn[] {
    return this.#all.flatMap(({ name, found }) => {
      const connections = this.#parts.filter((part) => !found.has(part));
      return connections.length === 0 ? [] : [{ column: name, connections }];
    });
  }

  get mixed(): readonly MixedColumn[] {
    return this.#all.flatMap((column) =>
      commonType(column) === undefined
        ? [
            {
              column: column.name,
              types: [...column.found].map(([connection, { type }]) => ({ connection, type })),
            },
          ]
        : [],
    );
  }

  /** Places a part's rows into the united columns. */
  place(connection: string, rows: PageRows): PageRows {
    const sources = this.#all.map((column) => ({
      from: column.found.get(connection)?.index ?? -1,
      isText: commonType(column) === undefined,
    }));
    if (!isPacked(rows))
      return rows.map((row) => [
        connection,
        ...sources.map(({ from, isText }) => {
          const value = from < 0 ? null : (row[from] ?? null);
          return isText ? textOf(value) : value;
        }),
      ]);
    const { rowCount } = rows;
    return {
      ...rows,
      columns: [
        repeated(connection, rowCount),
        ...sources.map(({ from, isText }) => {
          const column = rows.columns[from] ?? emptyColumn(rowCount);
          return isText ? asText(column, rowCount) : column;
        }),
      ],
    };
  }

  get #all(): readonly UnitedColumn[] {
    return [...this.#united.values()];
  }
}

/** Returns a free name for a column that the query itself calls `connection`. */
function freeName(names: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const name = `${connectionColumn}_${number}`;
    if (!names.has(name)) return name;
  }
}

const wholeNumbers = ['int2', 'int4', 'int8'];

/** Returns the type that holds the values of all; undefined if only text does. A type that is not known fits any. */
function commonType({ found }: UnitedColumn): string | undefined {
  const types = new Set([...found.values()].map(({ type }) => type));
  const known = [...types].filter((type) => type !== '' && type !== 'unknown');
  const [only = '', ...others] = known;
  if (others.length === 0) return only;
  return known.every((type) => wholeNumbers.includes(type))
    ? wholeNumbers.findLast((type) => types.has(type))
    : undefined;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : (scalarText(value) ?? jsonText(value));
}

function repeated(text: string, rowCount: number): ColumnChunk {
  const one = Buffer.from(text, 'utf8');
  const bytes = new Uint8Array(one.length * rowCount);
  const offsets = new Uint32Array(rowCount + 1);
  for (let row = 0; row < rowCount; row += 1) {
    bytes.set(one, row * one.length);
    offsets[row + 1] = (row + 1) * one.length;
  }
  return { tags: new Uint8Array(rowCount).fill(cellTag.text), numbers: undefined, bytes, offsets };
}

function asText(column: ColumnChunk, rowCount: number): ColumnChunk {
  const texts = Array.from({ length: rowCount }, (_, row) => [cellText(column, row) ?? null]);
  return packRows(texts, [{ isJson: false }]).columns[0] ?? emptyColumn(rowCount);
}
