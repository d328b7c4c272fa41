/** Which texts are global ids of records. Ids are opaque: the name of a column says more than the look of a value. */
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const oneWord = /^[^\s"']{4,200}$/;

/** `global_id`, `globalActorAccountId`, `account_global_id`; not `global_entity_type`, which holds a word. */
function namesIds({ name }: ShownColumn): boolean {
  return (/^global[A-Z]/.test(name) || /^global_|global_?id$/i.test(name)) && !/type$/i.test(name);
}

/** In a column that is named for it any word is an id, elsewhere what looks like a UUID. */
export function isGlobalId(text: string, column: ShownColumn): boolean {
  return column.kind === 'text' && (uuid.test(text) || (namesIds(column) && oneWord.test(text)));
}

/** A value in pieces, in order: texts as they are, ids as members of their own. */
export function idPieces(
  text: string,
  column: ShownColumn,
): readonly (string | { readonly globalId: string })[] {
  if (isGlobalId(text, column)) return [{ globalId: text }];
  // A list of ids. Objects are left alone: what a member of theirs means is not known.
  if (column.kind !== 'json' || !namesIds(column) || !/^\[\s*"/.test(text)) return [text];
  return text
    .split(/(?<=")([^\s"\\]{4,200})(?=")/)
    .map((piece, index) => (index % 2 === 0 ? piece : { globalId: piece }));
}
