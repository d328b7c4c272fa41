/**
 * Tables of the identity model from the contract, for services that do not list their own tables. Used for completion,
 * but never to report a name as unknown. Loaded lazily, since this module loads the contract's schemas.
 */
import { collectionTables, columnName, identityModel, recordCollectionIds } from '#api/contract/tables.ts';
import { t } from '#base/texts.ts';
import type { CatalogueTable } from '#server/protocol.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { tableDescriptions } from './descriptions.ts';
import { relateTables } from './relate-tables.ts';

/** @returns undefined for models outside the specification. */
export function contractTables(model: string): readonly CatalogueTable[] | undefined {
  if (model !== identityModel) return undefined;
  const tables = recordCollectionIds.map((id): CatalogueTable => {
    const name = collectionTables[id];
    const known = tableDescriptions.get(name);
    return {
      name,
      description: labelled(known?.description),
      columns: fieldsOf(id).map((field) => {
        const column = columnName(field.name);
        const values = known?.columns.get(column)?.values;
        const description = labelled(field.description);
        return { name: column, type: field.type, description, ...(values === undefined ? {} : { values }) };
      }),
    };
  });
  return relateTables(tables.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

/** Adds a note about the source to a description. */
function labelled(description: string | undefined): string {
  const label = t('From the specification, not from the service.');
  return description === undefined || description === '' ? label : `${description} ${label}`;
}
