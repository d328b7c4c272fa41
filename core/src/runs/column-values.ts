/** Reads the values of a column, to offer them for a list parameter that is compared with it. */
import type { ServiceClient } from '#api/client/client.ts';
import { quoteIdentifier } from '#base/sql-names.ts';
import type { ColumnName } from '#server/protocol.ts';
import { ownQuery } from '../policy/send-query.ts';
import { helpLimitMs } from '../reading/time-limit.ts';
import { readRows } from './rows-in-memory.ts';

/** More values than this are no help in a form, so none is offered: they are names or IDs. */
const offeredMax = 20;
/** Longer values are texts. */
const charsMax = 60;

/** Returns the values of a column in some of its rows, in order; none if there are too many to choose from. */
export async function readColumnValues(
  client: Pick<ServiceClient, 'queries'>,
  { model, table, column }: ColumnName,
): Promise<readonly string[]> {
  const value = quoteIdentifier(column);
  // Neither a large table nor a column of many values makes the service work long.
  const request = {
    query_string: `SELECT DISTINCT known.value FROM (SELECT ${value}::text AS value FROM ${quoteIdentifier(table)} WHERE ${value} IS NOT NULL LIMIT 10000) AS known ORDER BY known.value LIMIT ${offeredMax + 1}`,
    model,
    parameters: {},
  };
  const signal = AbortSignal.timeout(helpLimitMs);
  const { rows, isComplete } = await readRows(client, ownQuery(), request, { signal });
  const values = rows.flatMap(([cell]) => (typeof cell === 'string' ? [cell] : []));
  const isHelp =
    isComplete && values.length <= offeredMax && values.every((one) => one !== '' && one.length <= charsMax);
  return isHelp ? values : [];
}
