/** Parses the ID of a saved query or a link to one, as entered by the user or passed by another extension. */
import * as vscode from 'vscode';
import { isQueryId, parseQueryLink, type QueryLink } from '#core/saved-queries/query-links.ts';

/** Parses an ID, or a link from Copy Link. */
export function linkOrId(text: string): QueryLink | undefined {
  const value = text.trim();
  if (isLink(value)) return parseQueryLink(vscode.Uri.parse(value));
  return isQueryId(value) ? { queryId: value, version: undefined, service: undefined } : undefined;
}

export const isLink = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
