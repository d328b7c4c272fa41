/** Finds the column of a result that holds the accounts' own IDs, without a guess. */
import { collectionTables, identityModel } from '#api/contract/tables.ts';
import type { ReferencesResult, TextParams } from '#server/protocol.ts';
import { collectionOfKey } from '../records/index.ts';
import type { SelectedRows } from '../results/index.ts';

/**
 * Returns the index of the only column that comes from the ID of the table of accounts, or of the list of accounts;
 * undefined if there is none or another column may be meant.
 */
export async function ownIdColumn(
  { columns, key, facts }: Pick<SelectedRows, 'columns' | 'key' | 'facts'>,
  deps: {
    readonly references: (text: TextParams) => Promise<ReferencesResult>;
    readonly connection: string;
  },
): Promise<number | undefined> {
  if (collectionOfKey(key) === 'accounts')
    return only(columns.map(({ name }) => name === 'globalId' || name === 'global_id'));
  if (facts === undefined) return undefined;
  const { model, statement } = facts;
  const text = { sql: statement.text, model, connection: deps.connection };
  // Without the language server, the person chooses the column.
  const { statements } = await deps.references(text).catch(() => ({ statements: [] }));
  const outputs = statements.length === 1 ? statements[0]?.outputs : undefined;
  // Unless they are the columns of the result, what they derive from says nothing about those.
  const areSame =
    outputs?.length === columns.length &&
    outputs.every(({ name }, index) => name === undefined || name === columns[index]?.name);
  if (!areSame) return undefined;
  return only(
    outputs.map(
      ({ origins: [origin, ...others] }) =>
        others.length === 0 &&
        origin?.model === identityModel &&
        origin.table === collectionTables.accounts &&
        origin.column === 'global_id',
    ),
  );
}

function only(fits: readonly boolean[]): number | undefined {
  const first = fits.indexOf(true);
  return first >= 0 && fits.lastIndexOf(true) === first ? first : undefined;
}
