/** Filters models, tables and columns. Every word must occur in the name of an item or a parent. */
import type { CatalogueColumn, CatalogueModel, CatalogueTable } from '#server/protocol.ts';

export interface ModelsFilter {
  readonly text: string;
  /** Returns whether the model or one of its tables or columns matches. */
  model(model: CatalogueModel): boolean;
  table(model: string, table: CatalogueTable): boolean;
  column(model: string, table: CatalogueTable, column: CatalogueColumn): boolean;
}

/** @returns undefined for an empty filter, which matches everything. */
export function parseFilter(text: string): ModelsFilter | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  const missingIn = (name: string, wanted: readonly string[]) => {
    const lower = name.toLowerCase();
    return wanted.filter((word) => !lower.includes(word));
  };
  const column: ModelsFilter['column'] = (model, table, { name }) =>
    missingIn(name, missingIn(table.name, missingIn(model, words))).length === 0;
  const table: ModelsFilter['table'] = (model, each) =>
    missingIn(each.name, missingIn(model, words)).length === 0 ||
    (each.columns ?? []).some((own) => column(model, each, own));
  return {
    text: text.trim(),
    model: ({ name, tables }) =>
      missingIn(name, words).length === 0 || (tables ?? []).some((own) => table(name, own)),
    table,
    column,
  };
}
