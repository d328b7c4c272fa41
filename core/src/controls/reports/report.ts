/** What every report of a run is made from. */
import type { ControlNote, ControlResult } from '../control-result.ts';

export interface ControlReport {
  readonly results: readonly ControlResult[];
  readonly startedAt: Date;
  readonly ms: number;
  /** The name of the connection. */
  readonly connection: string;
  /** Files that could not be read: a control in there was not run. */
  readonly problems: readonly ControlNote[];
}

export const reportFormats = ['junit', 'sarif', 'markdown', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** `AC-07 Admins without MFA` */
export function nameOf({ control: { id, title } }: Pick<ControlResult, 'control'>): string {
  return title === id ? id : [id, title].filter((part) => part !== '').join(' ');
}

/** The file of a note, with its line. */
export function noteText({ file, line, message }: ControlNote): string {
  return `${file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${message}`;
}
