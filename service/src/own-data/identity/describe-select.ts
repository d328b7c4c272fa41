/** Asks the database what columns a query would have, without running it. */
import type { ServerConnection } from '../../postgres/connection.ts';
import type { SqlProblem } from './tables.ts';

/** As the inner part of a SELECT, the text can only be one query. */
const start = 'SELECT inner_query.* FROM (';

export interface DescribedField {
  readonly name: string;
  readonly typeOid: number;
  /** OID of the table, and number of its column, of which the field is; 0 for any other value. */
  readonly tableOid: number;
  readonly column: number;
}

export type DescribedSelect =
  | {
      readonly kind: 'fields';
      readonly fields: readonly DescribedField[];
    }
  | ({ readonly kind: 'failed'; readonly sqlState: string | undefined } & SqlProblem);

export async function describeSelect(connection: ServerConnection, sql: string): Promise<DescribedSelect> {
  const answers = await connection.exchange(
    { kind: 'parse', name: '', text: `${start}${sql}\n) inner_query`, types: [] },
    { kind: 'describe', name: '' },
    { kind: 'sync' },
  );
  const failure = answers.find((answer) => answer.name === 'error');
  if (failure !== undefined) {
    const error: Error = failure; // the library represents this message as one
    if (connection.isBroken) throw error;
    const { code, message, position } = failure;
    const at = Number(position ?? 0) - Array.from(start).length;
    return { kind: 'failed', sqlState: code, message, position: at < 1 ? undefined : at };
  }
  const fields = answers.find((answer) => answer.name === 'rowDescription')?.fields ?? [];
  return {
    kind: 'fields',
    fields: fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      typeOid: dataTypeID,
      tableOid: tableID,
      column: columnID,
    })),
  };
}
