/** A partial file: hidden beside its target until it is complete. Independent of the editor. */
import path from 'node:path';
import { draftNameOf } from '../util/files/file-name.ts';

export interface ExportPart {
  /** Final path of the file. */
  readonly target: string;
  /** Name of the partial file, in the target's folder. */
  readonly name: string;
  /** Identifies the state of the remote file: without it, bytes cannot be appended. */
  readonly etag?: string | undefined;
  /** Size of the complete file, if the server reported it. */
  readonly totalBytes?: number | undefined;
  /** Whether a resume was offered before. */
  readonly isOffered?: boolean | undefined;
}

export function newPart(target: string): ExportPart {
  return { target, name: draftNameOf(target) };
}

export function partFile({ target, name }: ExportPart): string {
  return path.join(path.dirname(target), name);
}

/** Whether bytes can be appended after its window closed. A weak ETag (`W/`) does not guarantee the same bytes. */
export function canGoOn({ etag }: ExportPart): boolean {
  return etag?.startsWith('"') === true;
}

/** @param value as parsed from disk. */
export function isExportPart(value: unknown): value is ExportPart {
  if (typeof value !== 'object' || value === null) return false;
  const { target, name, etag } = value as Readonly<Record<string, unknown>>; // an object, read as unknown
  // A file with this name is written and deleted: it must be a partial file of this program, in the folder of its
  // target.
  return (
    typeof target === 'string' &&
    path.isAbsolute(target) &&
    typeof name === 'string' &&
    /^\.[^/\\]*\.[0-9a-f]{12}\.part$/.test(name) &&
    (etag === undefined || typeof etag === 'string')
  );
}
