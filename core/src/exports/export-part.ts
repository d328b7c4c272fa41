/** A partial file, hidden next to its target until the download is complete. Independent of the editor. */
import path from 'node:path';
import { draftNameOf } from '#base/files/file-name.ts';

export interface ExportPart {
  /** Path of the complete file. */
  readonly target: string;
  /** Name of the partial file, in the target's folder. */
  readonly name: string;
  /** Identifies the contents of the remote file; without an ETag, bytes cannot be appended. */
  readonly etag?: string | undefined;
  /** Size of the complete file, if the server reported it. */
  readonly totalBytes?: number | undefined;
  /** Whether a window has offered to resume it. */
  readonly isOffered?: boolean | undefined;
}

export function newPart(target: string): ExportPart {
  return { target, name: draftNameOf(target) };
}

export function partFile({ target, name }: ExportPart): string {
  return path.join(path.dirname(target), name);
}

/** Returns whether a later window can append to the file. A weak ETag (`W/`) does not guarantee identical bytes. */
export function canGoOn({ etag }: ExportPart): boolean {
  return etag?.startsWith('"') === true;
}

/** @param value a value parsed from disk. */
export function isExportPart(value: unknown): value is ExportPart {
  if (typeof value !== 'object' || value === null) return false;
  const { target, name, etag } = value as Readonly<Record<string, unknown>>; // narrowed to an object above
  // This program overwrites and deletes files with this name, so it must be the name of a partial file of this target.
  return (
    typeof target === 'string' &&
    path.isAbsolute(target) &&
    typeof name === 'string' &&
    /^\.[^/\\]*\.[0-9a-f]{12}\.part$/.test(name) &&
    (etag === undefined || typeof etag === 'string')
  );
}
