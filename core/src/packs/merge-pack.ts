/** Three-way update of a pack's files from the installed version, the local files and the new version. Pure. */
import { t } from '#base/texts.ts';
import { mergeTexts } from '../saved-queries/merge-drafts.ts';
import { queryEnding } from '../sync/format/layout.ts';

export type Texts = ReadonlyMap<string, string>;

export interface FileChange {
  readonly path: string;
  readonly kind:
    | 'add'
    | 'update'
    | 'delete'
    /** Both sides changed different lines. */
    | 'merge'
    /** Both sides changed the same lines; the text contains both versions between conflict markers. */
    | 'conflict'
    /** Changed locally; the new version did not change the file, or no longer contains it. */
    | 'keep'
    /** Deleted locally, and not restored. */
    | 'stay-deleted';
  /** The content to write; undefined if nothing is written. */
  readonly text?: string;
}

/** Returns the changes sorted by path, omitting unchanged files. */
export function mergePack(base: Texts, mine: Texts, theirs: Texts): readonly FileChange[] {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].sort();
  return paths.flatMap((path) => {
    const change = mergeFile(path, base.get(path), mine.get(path), theirs.get(path));
    return change === undefined ? [] : [change];
  });
}

function mergeFile(
  path: string,
  base: string | undefined,
  mine: string | undefined,
  theirs: string | undefined,
): FileChange | undefined {
  if (mine === theirs) return undefined;
  if (theirs === undefined) return { path, kind: mine === base ? 'delete' : 'keep' };
  if (mine === undefined)
    return base === undefined ? { path, kind: 'add', text: theirs } : { path, kind: 'stay-deleted' };
  if (mine === base) return { path, kind: 'update', text: theirs };
  if (theirs === base) return { path, kind: 'keep' };
  const labels = { mine: t('changed here'), theirs: t('new version') };
  const merge = mergeTexts({ base: base ?? '', mine, theirs, labels });
  if (merge.kind === 'clean') return { path, kind: 'merge', text: merge.text };
  // Conflict markers would make a machine-readable file invalid, so the new version replaces it.
  return path.endsWith(queryEnding)
    ? { path, kind: 'conflict', text: merge.marked }
    : { path, kind: 'update', text: theirs };
}
