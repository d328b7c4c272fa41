/** Where the columns of the models' tables come from: each from itself, sensitive or open. */
import { findModel, findTable, type Catalogue } from '../../../../server/src/language/names/catalogue.ts';
import type { TableSource } from './query-origins.ts';
import { nothingKnown } from './relations.ts';
import type { SensitivityOf } from './sensitive-columns.ts';

/** @param model what a table without a schema belongs to. */
export function tableOrigins(catalogue: Catalogue, model: string, sensitivityOf: SensitivityOf): TableSource {
  return {
    columnsOf(schema, name) {
      const owner = findModel(catalogue, schema ?? model);
      const table = owner === undefined ? undefined : findTable(owner, name);
      // PostgreSQL looks into its own catalogue first, whose tables tell values of others (pg_stats).
      if (table === undefined || name.startsWith('pg_')) return undefined;
      if (table.columns === undefined) return nothingKnown;
      return {
        list: table.columns.map(({ name: column, type }) => ({
          name: column,
          origin: sensitivityOf({ table: name, column, type }),
        })),
      };
    },
  };
}
