/** The version that a command means. */
import * as vscode from 'vscode';
import type { QueryArgument } from '../records/query-argument.ts';
import { parseVersionUri } from './version-documents.ts';

/** A version in a command's argument; `seenAt` distinguishes records with the same version number. */
export interface VersionTarget {
  readonly queryId: string;
  readonly version: number;
  readonly seenAt: number | undefined;
}

/** Returns the version named by an argument (a row of the view) or shown in the active read-only editor. */
export function versionTargetOf({ queryId, row, version, kept }: QueryArgument): VersionTarget | undefined {
  if (row !== undefined) return undefined;
  if (queryId !== undefined)
    return version === undefined ? undefined : { queryId, version, seenAt: kept?.seenAt };
  const uri = vscode.window.activeTextEditor?.document.uri;
  const address = uri && parseVersionUri(uri);
  return address && { queryId: address.queryId, version: address.version, seenAt: undefined };
}
