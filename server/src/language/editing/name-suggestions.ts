/** Suggestions of columns and tables, quoted where the grammar needs it. */
import type { CatalogueModel } from '#server/protocol.ts';
import type { VisibleRelation } from '../names/over-tokens/visible.ts';
import { quoteName } from '../text/identifiers.ts';
import { keywords } from '../text/keywords.ts';
import type { Suggestion, SuggestionKind } from './suggestion.ts';

/** Whether a name needs no quotes, as far as key words go. */
export const isPlain = (word: string): boolean => {
  const category = keywords.get(word);
  return category === undefined || category === 'unreserved';
};

export function suggestion(
  label: string,
  kind: SuggestionKind,
  rank: number,
  extra: Pick<Suggestion, 'detail' | 'type' | 'documentation'> = {},
): Suggestion {
  return { label, kind, insertText: quoteName(label, isPlain), rank, ...extra };
}

export function columnSuggestions({ alias = '', table, columns }: VisibleRelation): readonly Suggestion[] {
  const all = columns();
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  // A subquery may have two columns of one name, and nothing can name one of them.
  return all
    .filter(({ name }) => counts.get(name) === 1)
    .map(({ name, catalogue, typeOf }) => {
      const description = table && catalogue?.description;
      const type = catalogue?.type ?? typeOf?.();
      return suggestion(name, 'column', 0, {
        detail: alias,
        ...(type === undefined ? {} : { type }),
        ...(description === undefined ? {} : { documentation: description }),
      });
    });
}

export function tableSuggestions(model: CatalogueModel | undefined, rank: number): readonly Suggestion[] {
  return (model?.tables ?? []).map(({ name, description }) =>
    suggestion(name, 'table', rank, {
      detail: model?.name ?? '',
      ...(description === undefined ? {} : { documentation: description }),
    }),
  );
}
