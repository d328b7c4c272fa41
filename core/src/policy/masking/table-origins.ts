/** The column origins of the models' tables: every column is either sensitive or public. */
import { findModel, findTable, type Catalogue } from '#server/language/names/catalogue.ts';
import { isFixedType, unknownOf, type TableSource } from './relations.ts';
import type { SensitivityOf } from './sensitive-columns.ts';

/** @param model the model for tables named without a schema. */
export function tableOrigins(catalogue: Catalogue, model: string, sensitivityOf: SensitivityOf): TableSource {
  return {
    schema: model,
    columnsOf(schema, name) {
      const owner = findModel(catalogue, schema ?? model);
      const table = owner === undefined ? undefined : findTable(owner, name);
      // PostgreSQL first searches its own catalog, whose tables can reveal values (pg_stats).
      if (table === undefined || name.startsWith('pg_')) return undefined;
      if (table.columns === undefined) return unknownOf(table.name);
      return {
        modelled: table.name,
        list: table.columns.map(({ name: column, type, values, class: given }) => ({
          name: column,
          hasFewValues: values !== undefined || /^bool/i.test(type),
          isOfFixedSize: isFixedType(type),
          origin: sensitivityOf({
            model: owner?.name ?? model,
            table: table.name,
            column,
            type,
            class: given,
          }),
        })),
      };
    },
  };
}
