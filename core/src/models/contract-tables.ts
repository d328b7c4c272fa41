/**
 * Tables of the identity model from the contract, for a service that does not tell its own: helpful where names are
 * written, never a reason to call one unknown. Loads the contract's schemas, so it is itself loaded when it is needed.
 */
import {
  collectionTables,
  columnName,
  identityModel,
  recordCollectionIds,
} from '../../../api/contract/tables.ts';
import type { CatalogueTable } from '../../../server/src/protocol.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { t } from '../util/texts.ts';
import { tableDescriptions } from './descriptions.ts';

/** Undefined for a model that the specification does not describe. */
export function contractTables(model: string): readonly CatalogueTable[] | undefined {
  if (model !== identityModel) return undefined;
  const tables = recordCollectionIds.map((id): CatalogueTable => {
    const name = collectionTables[id];
    return {
      name,
      description: labelled(tableDescriptions.get(name)?.description),
      columns: fieldsOf(id).map((field) => ({
        name: columnName(field.name),
        type: field.type,
        description: labelled(field.description),
      })),
    };
  });
  return tables.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whoever reads the description, wherever it is shown, reads this too. */
function labelled(description: string | undefined): string {
  const label = t('From the specification, not from the service.');
  return description === undefined || description === '' ? label : `${description} ${label}`;
}
