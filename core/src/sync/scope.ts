/**
 * The part of a service's saved queries that a folder owns: those whose names begin with, say, `Access reviews/`. What
 * lies outside is invisible to the folder: it is neither pulled, pushed, renamed, deleted nor counted. The first scoped
 * pull keeps the scope in the folder, so that every later command and the editor have it, too.
 */
import path from 'node:path';
import { FileRefusal, readBoundedText, refusedWords, writeWithin } from '#base/files/bounded-file.ts';
import { lineOfSyntaxError, repeatedWords } from '#base/json-places.ts';
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { nameKeyOf } from '../saved-queries/known-query.ts';
import { scopeFile } from './format/layout.ts';
import type { Pair, Pairs } from './plan/pair.ts';
import { SyncError } from './sync-error.ts';

/** A folder of names with its final slash, as it was written. */
export type Under = string;

const bytesMax = 10_000;

/** @throws SyncError unless the text names a folder: `Access reviews/`. */
export function parseUnder(text: string): Under {
  const parts = text.split('/');
  if (parts.length < 2 || parts.at(-1) !== '' || parts.slice(0, -1).some((part) => part.trim() === ''))
    throw new SyncError(
      'name',
      t('"{0}" is not a folder of names. It ends with a slash, such as "Access reviews/".', text),
    );
  return text;
}

/** Whether a name lies in the folder, compared as the service compares names. */
export function isUnder(name: string, under: Under | undefined): boolean {
  return under === undefined || (nameKeyOf(name).startsWith(keyOf(under)) && keyOf(name) !== keyOf(under));
}

/** Not trimmed at its end: the slash is the end. */
const keyOf = (under: string): string => nameKeyOf(under);

/** Whether one scope has names of the other. */
export function overlaps(one: Under, other: Under): boolean {
  return keyOf(one).startsWith(keyOf(other)) || keyOf(other).startsWith(keyOf(one));
}

/** Returns the scope that the folder keeps; undefined if it owns all names. @throws SyncError */
export async function readScope(root: string): Promise<Under | undefined> {
  const damaged = (reason: string) =>
    new SyncError(
      'folder',
      t('{0} cannot be used: {1}. It looks like this: {2}', scopeFile, reason, example),
    );
  let text: string;
  try {
    text = await readBoundedText(path.join(root, scopeFile), { maxBytes: bytesMax, within: root });
  } catch (error) {
    if (error instanceof FileRefusal && error.code === 'missing') return undefined;
    throw damaged(refusedWords(error));
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw damaged(t('line {0} is not JSON', lineOfSyntaxError(error, text)));
  }
  const repeated = repeatedWords(text, scopeFile);
  if (repeated !== undefined) throw new SyncError('folder', repeated);
  // Without its scope, the folder would own everything.
  if (!isObject(value) || typeof value['under'] !== 'string') throw damaged(t('"under" is missing'));
  return parseUnder(value['under']);
}

const example = '{"under": "Access reviews/"}';

/**
 * Returns the scope of a command: the folder's own, or a part of it.
 * @throws SyncError if the command asks for more than the folder owns.
 */
export function scopeOf(asked: Under | undefined, kept: Under | undefined): Under | undefined {
  if (asked === undefined || kept === undefined) return asked ?? kept;
  if (keyOf(asked).startsWith(keyOf(kept))) return asked;
  throw new SyncError(
    'name',
    t('This folder owns "{0}" ({1}), and "{2}" is outside of it. Nothing was done.', kept, scopeFile, asked),
  );
}

export async function keepScope(root: string, under: Under): Promise<void> {
  await writeWithin(root, path.join(root, scopeFile), `${JSON.stringify({ under }, undefined, 2)}\n`);
}

/** A query of the folder that is partly outside. */
export interface Strayed {
  readonly here: Pair['here'];
  readonly there: Pair['there'] | undefined;
}

/**
 * Leaves out what is outside. A query with one side inside is neither: sending or fetching it would take a name from
 * somebody else, or give it away, so a person decides.
 * @param kept the folder's own scope, of which files that lie outside are told.
 */
export function pairsUnder(
  pairs: Pairs,
  under: Under | undefined,
  kept: Under | undefined,
): { readonly pairs: Pairs; readonly strayed: readonly Strayed[]; readonly hidden: ReadonlySet<string> } {
  if (under === undefined) return { pairs, strayed: [], hidden: new Set() };
  const isIn = ({ draft }: { readonly draft: { readonly name: string } }) => isUnder(draft.name, under);
  const strayed: Strayed[] = [];
  const hidden = new Set<string>();
  const seen = pairs.pairs.filter(({ here, there }) => {
    if (isIn(here) && isIn(there)) return true;
    if (isIn(here) || isIn(there)) strayed.push({ here, there });
    else hidden.add(there.id);
    return false;
  });
  const onlyHere = pairs.onlyHere.filter(({ here, goneId }) => {
    if (isIn(here)) return true;
    if (!isUnder(here.draft.name, kept)) strayed.push({ here, there: undefined });
    else if (goneId !== undefined) hidden.add(goneId);
    return false;
  });
  const onlyThere = pairs.onlyThere.filter((there) => {
    if (isIn(there)) return true;
    hidden.add(there.id);
    return false;
  });
  const held = pairs.held.filter(({ entry, there }) => {
    const name = entry.name ?? there?.draft.name;
    return name === undefined || isUnder(name, under);
  });
  return { pairs: { pairs: seen, onlyHere, onlyThere, held }, strayed, hidden };
}
