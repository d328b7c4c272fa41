/** `.identity-queries/baseline.json`: the known rows of each control at a point in time, as digests. */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import { isText, listOf, shapeOf } from '#base/values/shapes.ts';
import type { RowDigests } from '../row-digest.ts';
import { changeKeyedFile, keyIdOf, readJsonFile, type JsonFile } from './control-file.ts';
import { isDay } from './waivers.ts';

export const baselineName = 'baseline.json';

export interface BaselineEntry {
  /** The key columns of the control when the baseline was taken. */
  readonly key: readonly string[];
  /** The date of the baseline, such as `2026-11-22`. */
  readonly taken: string;
  /** The digests of the rows, sorted. */
  readonly rows: readonly string[];
  /** Seals the control, its key and the rows, so that a moved or edited entry is detected. */
  readonly seal: string;
}

export interface PlacedBaselineEntry extends BaselineEntry {
  /** 1-based line in the file. */
  readonly line: number;
}

export interface Baseline {
  readonly keyId: string;
  readonly controls: ReadonlyMap<string, PlacedBaselineEntry>;
  /** All members of the file: a note beside the controls is kept when they change. */
  readonly members: JsonFile['value'];
}

/**
 * Reads the baseline; undefined if the file is missing.
 * @throws ControlFileError
 */
export async function readBaseline(target: string, shownAs?: string): Promise<Baseline | undefined> {
  const file = await readJsonFile(target, shownAs);
  return file === undefined ? undefined : parseBaseline(file);
}

/** @throws ControlFileError */
function parseBaseline(file: JsonFile): Baseline {
  const { value, lineOf, fail } = file;
  const keyId = keyIdOf(file);
  const { controls } = value;
  if (!isObject(controls)) throw fail('controls', t('"controls" must be an object.'));
  const entries = Object.entries(controls).map(([id, entry]) => {
    const path = `controls.${id}`;
    if (!isObject(entry)) throw fail(path, t('The baseline of {0} must be an object.', id));
    if (!isEntry(entry))
      throw fail(path, t('The baseline of {0} needs "key", "taken", "rows" and "seal".', id));
    const { key, taken, rows, seal } = entry;
    return [id, { key, taken, rows, seal, line: lineOf(path) }] as const;
  });
  return { keyId, controls: new Map(entries), members: value };
}

const isEntry = shapeOf<BaselineEntry>({
  ...{ key: listOf(isText), rows: listOf(isText), seal: isText },
  taken: (day) => isText(day) && isDay(day),
});

/** Returns the problem with an entry for the current control; undefined if it matches. */
export function baselineProblem(
  { key, rows, seal }: BaselineEntry,
  control: { readonly id: string; readonly key: readonly string[] },
  digests: RowDigests,
): string | undefined {
  if (key.join('\n') !== control.key.join('\n'))
    return t(
      'This baseline was taken with the key {0}, but {1} has the key {2}. Take the baseline again.',
      key.join(', '),
      control.id,
      control.key.length === 0 ? t('not set') : control.key.join(', '),
    );
  return digests.seal(control, rows) === seal
    ? undefined
    : t('This baseline belongs to a control other than {0}, or was edited. Take it again.', control.id);
}

export function baselineEntry(
  control: { readonly id: string; readonly key: readonly string[] },
  rows: readonly string[],
  { digests, day }: { readonly digests: RowDigests; readonly day: string },
): BaselineEntry {
  const sorted = [...new Set(rows)].sort();
  return { key: control.key, taken: day, rows: sorted, seal: digests.seal(control, sorted) };
}

/** Writes entries to the file; other controls' entries are kept. @throws ControlFileError */
export async function putBaseline(
  target: string,
  entries: ReadonlyMap<string, BaselineEntry>,
  digests: RowDigests,
): Promise<void> {
  await changeKeyedFile(target, digests, {
    read: readBaseline,
    textOf: (members, before) => baselineText(members, new Map([...(before?.controls ?? []), ...entries])),
  });
}

/** Returns the text of the file, with one row per line in a fixed order, so that diffs are readable. */
function baselineText(members: JsonFile['value'], controls: ReadonlyMap<string, BaselineEntry>): string {
  const ids = [...controls].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const sorted = Object.fromEntries(
    ids.map(([id, { key, taken, rows, seal }]) => [id, { key, taken, rows, seal }]),
  );
  return `${JSON.stringify({ ...members, controls: sorted }, undefined, 2)}\n`;
}
