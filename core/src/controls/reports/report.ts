/** The input of every report. */
import type { ControlNote, ControlResult, RowWaiver } from '../control-result.ts';

export interface ControlReport {
  readonly results: readonly ControlResult[];
  readonly startedAt: Date;
  readonly ms: number;
  /** The name of the connection, or the names of several. */
  readonly connection: string;
  /** Unreadable files, whose controls did not run. */
  readonly problems: readonly ControlNote[];
}

export const reportFormats = ['junit', 'sarif', 'markdown', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Returns a name such as `AC-07 Admins without MFA`, or the file's name if there is no valid ID. In a run on several
 * connections, the connection follows.
 */
export function nameOf({
  control: { id, title },
  place,
  connection,
}: Pick<ControlResult, 'control' | 'place' | 'connection'>): string {
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

/** Returns a note's message with its file and line. */
export function noteText({ file, line, message }: ControlNote): string {
  return `${file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${message}`;
}
