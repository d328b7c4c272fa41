/**
 * Links to saved queries: `vscode://identity-queries.identity-queries/query/<id>?version=3&service=<key>`. A link is
 * untrusted, so each part is validated; it identifies a service by a hash of its address, and never names an address.
 */

export interface QueryLink {
  readonly queryId: string;
  readonly version: number | undefined;
  /** The service of the link; undefined if the link names none. */
  readonly service: string | undefined;
}

const extensionId = 'identity-queries.identity-queries';
const pathStart = '/query/';
const maxIdLength = 200;

/** @param parts of a decoded address, as in vscode.Uri. @returns undefined if it is not a saved-query link. */
export function parseQueryLink(parts: {
  readonly path: string;
  readonly query: string;
}): QueryLink | undefined {
  if (!parts.path.startsWith(pathStart)) return undefined;
  const queryId = parts.path.slice(pathStart.length);
  const parameters = new URLSearchParams(parts.query);
  const version = parameters.get('version');
  const service = parameters.get('service');
  if (!isQueryId(queryId)) return undefined;
  if (version !== null && !/^[1-9]\d{0,8}$/.test(version)) return undefined;
  if (service !== null && !/^[0-9a-z]{1,64}$/.test(service)) return undefined;
  return {
    queryId,
    version: version === null ? undefined : Number(version),
    service: service ?? undefined,
  };
}

/** @param scheme of the editor, for example `vscode`. */
export function formatQueryLink(scheme: string, link: QueryLink): string {
  const parameters = new URLSearchParams({
    ...(link.version === undefined ? {} : { version: String(link.version) }),
    ...(link.service === undefined ? {} : { service: link.service }),
  }).toString();
  const address = `${scheme}://${extensionId}${pathStart}${encodeURIComponent(link.queryId)}`;
  return parameters === '' ? address : `${address}?${parameters}`;
}

/** IDs are opaque, but part of a path: no control characters, and no parent steps. */
export function isQueryId(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= maxIdLength &&
    text.trim() === text &&
    !/\p{Cc}/u.test(text) &&
    text !== '.' &&
    text !== '..'
  );
}
