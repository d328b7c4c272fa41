/**
 * `.identity-queries/waivers.json`: rows of controls that are accepted for a limited time, each with a reason, an owner
 * and an end date.
 */
import { t } from '#base/texts.ts';
import { isObject } from '#base/values/is-object.ts';
import type { RowWaiver } from '../control-result.ts';
import type { RowDigests } from '../row-digest.ts';
import { changeKeyedFile, keyIdOf, readJsonFile, type JsonFile } from './control-file.ts';

export const waiversName = 'waivers.json';

export interface Waiver extends RowWaiver {
  readonly control: string;
  /** The digest of the row's key. */
  readonly row: string;
  /** The only connection on which the row is accepted; undefined if it counts on any that runs alone. */
  readonly connection?: string | undefined;
}

export interface PlacedWaiver extends Waiver {
  /** 1-based line in the file. */
  readonly line: number;
}

export interface Waivers {
  /** ID of the digest key that identified the rows. */
  readonly keyId: string;
  readonly waivers: readonly PlacedWaiver[];
  /** All members of the file: a note beside the waivers is kept when they change. */
  readonly members: JsonFile['value'];
}

/**
 * Reads the waivers; undefined if the file is missing.
 * @throws ControlFileError
 */
export async function readWaivers(target: string, shownAs?: string): Promise<Waivers | undefined> {
  const file = await readJsonFile(target, shownAs);
  return file === undefined ? undefined : parseWaivers(file);
}

/** @throws ControlFileError */
function parseWaivers(file: JsonFile): Waivers {
  const { value, lineOf, fail } = file;
  const keyId = keyIdOf(file);
  const { waivers } = value;
  if (!Array.isArray(waivers)) throw fail('waivers', t('"waivers" must be a list.'));
  return {
    keyId,
    members: value,
    waivers: waivers.map((entry: unknown, index): PlacedWaiver => {
      const path = `waivers.${index}`;
      if (!isObject(entry)) throw fail(path, t('A waiver must be an object.'));
      // A misspelled "connection" would make the waiver valid on all of them.
      const unknown = Object.keys(entry).find((name) => !memberNames.has(name));
      if (unknown !== undefined)
        throw fail(path, t('A waiver has no member "{0}", only: {1}.', unknown, [...memberNames].join(', ')));
      const text = (name: keyof Waiver): string => {
        const member = entry[name];
        if (typeof member !== 'string' || member.trim() === '')
          throw fail(path, t('A waiver needs "{0}", a string.', name));
        return member;
      };
      const expires = text('expires');
      if (!isDay(expires)) throw fail(path, t('"expires" must be a date such as 2027-01-31.'));
      const row = text('row');
      if (!/^[0-9a-f]{64}$/.test(row)) throw fail(path, t('"row" must be the 64-digit digest of a row.'));
      return {
        control: text('control'),
        row,
        reason: text('reason'),
        owner: text('owner'),
        expires,
        ...(entry['connection'] === undefined ? {} : { connection: text('connection') }),
        line: lineOf(path),
      };
    }),
  };
}

const memberNames: ReadonlySet<string> = new Set([
  'control',
  'row',
  'reason',
  'owner',
  'expires',
  'connection',
] satisfies readonly (keyof Waiver)[]);

/** Returns whether a waiver has expired. It still applies on its last day, in UTC: the same for everyone and in CI. */
export function isExpired({ expires }: Pick<Waiver, 'expires'>, now: Date): boolean {
  return expires < utcDay(now);
}

/** Formats a day in UTC as `2026-01-31`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Adds a waiver, or replaces the one for the same row. @throws ControlFileError */
export async function addWaiver(target: string, waiver: Waiver, digests: RowDigests): Promise<void> {
  const isOther = ({ control, row, connection }: Waiver) =>
    control !== waiver.control || row !== waiver.row || connection !== waiver.connection;
  await changeKeyedFile(target, digests, {
    read: readWaivers,
    textOf: (members, before) => waiversText(members, [...(before?.waivers ?? []).filter(isOther), waiver]),
  });
}

/** Returns the text of the file, with one waiver per line in a fixed order, so that diffs are readable. */
function waiversText(members: JsonFile['value'], waivers: readonly Waiver[]): string {
  const lines = [...waivers]
    .sort(
      (a, b) =>
        compare(a.control, b.control) ||
        compare(a.row, b.row) ||
        compare(a.connection ?? '', b.connection ?? ''),
    )
    .map(
      ({ control, row, reason, owner, expires, connection }) =>
        `    ${JSON.stringify({ control, row, reason, owner, expires, connection })}`,
    );
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const all = Object.entries({ ...members, waivers }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${name === 'waivers' ? list : JSON.stringify(value)}`,
  );
  return `{\n${all.join(',\n')}\n}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
