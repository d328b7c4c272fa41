/** Recognizes global IDs. IDs are opaque, so a column's name is a better clue than its values. */
import type { ShownColumn } from '#panel-protocol/messages.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const oneWord = /^[^\s"']{4,200}$/;

/**
 * Matches `global_id`, `globalActorAccountId` and `account_global_id`; not `global_entity_type`, which contains words.
 */
function namesIds({ name }: ShownColumn): boolean {
  return (/^global[A-Z]/.test(name) || /^global_|global_?id$/i.test(name)) && !/type$/i.test(name);
}

/** In an ID column, any word is an ID; elsewhere, only values that look like UUIDs are. */
export function isGlobalId(text: string, column: ShownColumn): boolean {
  return column.kind === 'text' && (uuid.test(text) || (namesIds(column) && oneWord.test(text)));
}

/** Splits a value into plain text and IDs, in order. */
export function idPieces(
  text: string,
  column: ShownColumn,
): readonly (string | { readonly globalId: string })[] {
  if (isGlobalId(text, column)) return [{ globalId: text }];
  // A list of IDs. Objects are skipped: the meaning of their members is unknown.
  if (column.kind !== 'json' || !namesIds(column) || !/^\[\s*"/.test(text)) return [text];
  return text
    .split(/(?<=")([^\s"\\]{4,200})(?=")/)
    .map((piece, index) => (index % 2 === 0 ? piece : { globalId: piece }));
}
