/** A file that has arrived in part: beside its place, hidden, until it is whole. No editor API in here. */
import path from 'node:path';
import { draftNameOf } from '../util/file-name.ts';

export interface ExportPart {
  /** Where the file is to be once it is whole. */
  readonly target: string;
  /** The name of what has arrived, in the folder of the target. */
  readonly name: string;
  /** Names the state of the file whose bytes these are: without it nothing can be put behind them. */
  readonly etag?: string | undefined;
  /** Of the whole file, where the server said. */
  readonly totalBytes?: number | undefined;
  /** Whether it was offered already to go on with it. */
  readonly isOffered?: boolean | undefined;
}

export function newPart(target: string): ExportPart {
  return { target, name: draftNameOf(target) };
}

export function partFile({ target, name }: ExportPart): string {
  return path.join(path.dirname(target), name);
}

/** Whether bytes can be put behind it after its window has gone. A weak name (`W/`) does not promise the same bytes. */
export function canGoOn({ etag }: ExportPart): boolean {
  return etag?.startsWith('"') === true;
}

/** @param value as it was read from disk. */
export function isExportPart(value: unknown): value is ExportPart {
  if (typeof value !== 'object' || value === null) return false;
  const { target, name, etag } = value as Readonly<Record<string, unknown>>; // an object, read as unknown
  // A file of this name is written to and deleted: it has to be one of ours, in the folder of its target.
  return (
    typeof target === 'string' &&
    path.isAbsolute(target) &&
    typeof name === 'string' &&
    /^\.[^/\\]*\.[0-9a-f]{12}\.part$/.test(name) &&
    (etag === undefined || typeof etag === 'string')
  );
}
