/** The input of every report. */
import { countedText } from '#base/words/counted-text.ts';
import { numberText } from '#base/words/number-text.ts';
import type { ControlNote, ControlResult, RowWaiver } from '../control-result.ts';
import type { RunHead } from '../history/history-format.ts';
import type { OutcomeChange } from '../history/outcome-state.ts';

export interface ControlReport {
  readonly results: readonly ControlResult[];
  readonly startedAt: Date;
  readonly ms: number;
  /** The name of the connection, or the names of several. */
  readonly connection: string;
  /** Unreadable files, whose controls did not run. */
  readonly problems: readonly ControlNote[];
  /** What a history of outcomes knows, if one is kept. */
  readonly history?: ReportedHistory;
}

export interface ReportedHistory {
  readonly run: string;
  readonly commit?: string | undefined;
  /** The runs up to this one, the oldest first. */
  readonly runs: readonly RunHead[];
  readonly changes: readonly OutcomeChange[];
  /** When the control got its outcome, as an ISO time. */
  readonly sinceOf: (result: ControlResult) => string | undefined;
  /** The beginning of the digest of the control's text. */
  readonly textOf: (result: ControlResult) => string | undefined;
}

export const reportFormats = ['junit', 'sarif', 'markdown', 'json', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Returns a name such as `AC-07 Admins without MFA`, or the file's name if there is no valid ID. In a run on several
 * connections, the connection follows.
 */
export function nameOf({
  control: { id, title },
  place,
  connection,
}: Pick<ControlResult, 'control' | 'place'> & { readonly connection?: string | undefined }): string {
  const name =
    id === '' && title === ''
      ? place.name
      : title === id
        ? id
        : [id, title].filter((part) => part !== '').join(' ');
  return connection === undefined ? name : `${name} (${connection})`;
}

/** Anyone who can edit the waiver file chooses the day, so every report shows it. */
export function waiverText({ reason, owner, expires }: RowWaiver): string {
  return `until ${expires}, by ${owner}: ${reason}`;
}

/** Returns a line for each waived row of a control. */
export function waiverLines({ digests }: Pick<ControlResult, 'digests'>): readonly string[] {
  return digests.flatMap((row) =>
    row.state === 'waived' ? [`row ${row.digest.slice(0, 12)} ${waiverText(row)}`] : [],
  );
}

/** Returns what a sample leaves out; undefined if it has every row. */
export function sampleNote({ sample, rows }: Pick<ControlResult, 'sample' | 'rows'>): string | undefined {
  const shown = sample?.rows.length ?? 0;
  const all = rows?.total ?? (rows?.isAll === true ? rows.read : undefined);
  if (shown === 0 || shown === all) return undefined;
  const first = `The first ${countedText(shown, 'row')}`;
  return all === undefined ? `${first}. There may be more.` : `${first} of ${numberText(all)}.`;
}

/** Returns a note's message with its file and line. */
export function noteText({ file, line, message }: ControlNote): string {
  return `${file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${message}`;
}
