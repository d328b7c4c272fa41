/** `.identity-queries/baseline.json`: the known rows of each control at a point in time, as digests. */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import type { RowDigests } from '../row-digest.ts';
import { ControlFileError, inTurn, readJsonFile, writeJsonFile, type JsonFile } from './control-file.ts';
import { isDay, otherKeyWords } from './waivers.ts';

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
function parseBaseline({ file, value, lineOf }: JsonFile): Baseline {
  const fail = (path: string, problem: string) => new ControlFileError(file, lineOf(path), problem);
  if (value['version'] !== 1)
    throw fail('version', t('"version" must be 1: another program wrote this file.'));
  const { keyId, controls } = value;
  if (typeof keyId !== 'string' || !/^[0-9a-f]{16}$/.test(keyId))
    throw fail('keyId', t('"keyId" must be the 16-digit ID of the digest key.'));
  if (!isObject(controls)) throw fail('controls', t('"controls" must be an object.'));
  const entries = Object.entries(controls).map(([id, entry]) => {
    const path = `controls.${id}`;
    if (!isObject(entry)) throw fail(path, t('The baseline of {0} must be an object.', id));
    const { key, taken, rows, seal } = entry;
    if (
      !isTexts(key) ||
      typeof taken !== 'string' ||
      !isDay(taken) ||
      !isTexts(rows) ||
      typeof seal !== 'string'
    )
      throw fail(path, t('The baseline of {0} needs "key", "taken", "rows" and "seal".', id));
    return [id, { key, taken, rows, seal, line: lineOf(path) }] as const;
  });
  return { keyId, controls: new Map(entries), members: value };
}

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

/**
 * Writes entries to the file; other controls' entries are kept.
 * @throws ControlFileError, leaving the file unchanged, if it is damaged or uses a different digest key.
 */
export async function putBaseline(
  target: string,
  entries: ReadonlyMap<string, BaselineEntry>,
  digests: RowDigests,
): Promise<void> {
  await inTurn(target, async () => {
    const before = await readBaseline(target);
    if (before !== undefined && before.keyId !== digests.keyId)
      throw new ControlFileError(target, 1, otherKeyWords());
    await writeJsonFile(
      target,
      baselineText(
        { ...before?.members, version: 1, keyId: digests.keyId },
        new Map([...(before?.controls ?? []), ...entries]),
      ),
    );
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

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
