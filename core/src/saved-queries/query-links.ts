/**
 * Links to saved queries: `vscode://identity-queries.identity-queries/query/<id>?version=3&service=<key>`. A link is
 * untrusted, so every part is validated. It identifies a service by a hash of its address and never contains the
 * address, so that it cannot decide where a token goes: if the hash is unknown, the person chooses a connection.
 */

export interface QueryLink {
  readonly queryId: string;
  readonly version: number | undefined;
  /** Key of the service; undefined if the link contains none. */
  readonly service: string | undefined;
}

const extensionId = 'identity-queries.identity-queries';
const pathStart = '/query/';
const maxIdLength = 200;

/** @param parts of a decoded URI, as in vscode.Uri. @returns undefined if it is not a link to a saved query. */
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

/** @param scheme the editor's URI scheme, for example `vscode`. */
export function formatQueryLink(scheme: string, link: QueryLink): string {
  const parameters = new URLSearchParams({
    ...(link.version === undefined ? {} : { version: String(link.version) }),
    ...(link.service === undefined ? {} : { service: link.service }),
  }).toString();
  const address = `${scheme}://${extensionId}${pathStart}${encodeURIComponent(link.queryId)}`;
  return parameters === '' ? address : `${address}?${parameters}`;
}

/** IDs are opaque but become part of a path, so control characters and dot segments are not allowed. */
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
