/** Which strings are global ids. Ids are opaque: the column name says more than the value. */
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const oneWord = /^[^\s"']{4,200}$/;

/** `global_id`, `globalActorAccountId`, `account_global_id`; not `global_entity_type`, which contains a word. */
function namesIds({ name }: ShownColumn): boolean {
  return (/^global[A-Z]/.test(name) || /^global_|global_?id$/i.test(name)) && !/type$/i.test(name);
}

/** In an ID column any word is an ID; elsewhere only UUID-like values are. */
export function isGlobalId(text: string, column: ShownColumn): boolean {
  return column.kind === 'text' && (uuid.test(text) || (namesIds(column) && oneWord.test(text)));
}

/** A value in parts, in order: plain text, and IDs as separate members. */
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
