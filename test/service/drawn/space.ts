/**
 * The space of legal services: each dimension is something that the specification leaves open, and its ways are legal
 * choices. The first way is the one of docs/assumptions.md. A service is one way for each dimension.
 */

export const space = {
  // The token endpoint.
  tokenType: ['bearer', 'absent', 'lower-case'],
  /** A token may end before its time. */
  tokenLifetime: ['number', 'text', 'absent', 'short', 'early'],
  tokenScope: ['untold', 'told'],
  writeScope: ['granted', 'invalid-scope', 'access-denied', 'invalid-request', 'left-out', 'denied-once'],
  tokenMood: ['well', 'page-403-once', 'unavailable-once', 'busy-once'],
  // Lists.
  listToken: ['each-its-own', 'same-for-a-walk', 'signs'],
  emptyPages: ['none', 'first', 'between', 'three', 'last'],
  listExtras: ['none', 'totals', 'links', 'null-token'],
  listOrder: ['fixed', 'of-each-walk'],
  // Only of the lists that the specification does not describe; it describes how its own are paged.
  otherPaging: [
    'camel',
    'snake',
    'next-token',
    'cursor-always',
    'offset',
    'page-number',
    'start-index',
    'nested',
    'link-header',
    'link-member',
    'total-alone',
    'token-header',
    'prev-and-next',
    'relay',
  ],
  /** Where the items of such a list are. */
  otherItems: ['items', 'named', 'whole', 'in-member'],
  strictList: ['lenient', 'strict'],
  // Operations that the specification does not describe, and how their absence is told.
  savedList: ['there', 'absent'],
  execute: ['there', 'absent', 'asynchronous'],
  updates: ['put', 'patch', 'absent'],
  /** A deletion may be carried out later, or refused in words alone. */
  deletes: ['there', 'absent', 'told', 'accepted', 'accepted-in-vain', 'denied'],
  /** The address of the versions may be taken for an ID, and versions may come without their texts. */
  versionLists: ['there', 'absent', 'taken-for-id', 'without-texts'],
  otherLists: ['there', 'absent'],
  createExports: ['there', 'absent'],
  jobs: ['there', 'absent'],
  absence: ['404', '405', '501', '403'],
  errorBody: ['envelope', 'problem', 'message', 'html', 'empty'],
  // Saved queries.
  savedText: ['listed', 'left-out'],
  savedEntry: ['sound', 'without-version', 'null'],
  storedText: ['verbatim', 'trimmed-end', 'composed', 'line-ends'],
  created: ['201', '200', '202'],
  lostCreate: ['no', 'once'],
  /** The kind of request whose first answer does not arrive, although it was carried out, and what arrives instead. */
  lostWrite: ['none', 'update', 'delete', 'change'],
  lostAs: ['nothing', '502', '504'],
  updated: ['record', 'without-body', 'version-alone'],
  /** The status of the code SAVED_QUERY_NOT_FOUND. */
  notFound: ['404', '400', '410', '422'],
  stale: ['409-version', '409-bare', '412', '428'],
  describes: ['shown', 'null'],
  // Running SQL.
  rowsName: ['rows', 'items', 'data', 'results', 'in-member', 'in-list'],
  /** Rows that are columns cannot be read, and are told so. */
  rowShape: ['lists', 'objects', 'columns'],
  columns: ['typed', 'names', 'absent'],
  paging: [
    'camel',
    'snake',
    'next-token',
    'cursor-always',
    'offset',
    'nested',
    'truncated',
    'silent',
    'whole',
    'link-header',
    'prev-and-next',
    'relay',
    'renamed',
    'till-empty',
  ],
  /** A result may be prepared, as a list may be. */
  resultPages: ['full', 'empty-first'],
  pageRows: ['7', '10'],
  pageSize: ['honored', 'ignored', 'refused-above-200', 'refused-below-5'],
  flags: ['none', 'complete', 'untruncated', 'left', 'no-more', 'limit-reached', 'total', 'numbers', 'place'],
  rowCount: ['absent', 'whole', 'of-page'],
  strictBody: ['lenient', 'strict'],
  values: ['there', 'not-parsed'],
  schema: ['there', 'refused', 'empty', 'one-model-refused'],
  queryError: ['400', '422', '403'],
  positions: ['ones', 'zeros', 'column-zero'],
  // Models and records.
  models: ['two', 'one', 'three', 'one-bad'],
  records: ['full', 'sparse', 'ids-only', 'nulls', 'unknown-members'],
  words: ['known', 'unknown'],
  numbers: ['numbers', 'texts', 'fractions'],
  // Jobs and exports.
  accepted: ['202', '200', '201'],
  jobOutcome: ['changed', 'failed'],
  jobWords: ['contract', 'upper', 'reflected-in-graph', 'applied', 'timed-out', 'without-status'],
  exportLink: ['direct', 'redirected', 'gone'],
  exportOutcome: ['completed', 'failed'],
  // Disturbances that a client gets over.
  limits: ['none', 'seconds', 'date', 'untold', '503-seconds'],
  hiccup: ['none', '500', '502', '504'],
  clock: ['right', 'ahead'],
  /**
   * Values of parameters may be NULL in the query, whatever was sent, or a list may be its first value. A service that
   * runs no query of values alone does not show it.
   */
  boundValues: ['used', 'ignored', 'first-of-list', 'used-unseen', 'ignored-unseen'],
  contentType: ['json', 'with-charset', 'vendor', 'absent'],
} as const;

export type Dimension = keyof typeof space;
export type Service = { readonly [Name in Dimension]: (typeof space)[Name][number] };

export const dimensions = Object.keys(space) as Dimension[]; // the table's own keys

/** The service of docs/assumptions.md. */
export const plainService = Object.fromEntries(dimensions.map((name) => [name, space[name][0]])) as Service; // one way for each dimension

/** Returns a service with these ways, and otherwise the plain one. @throws if a way is unknown. */
export function serviceWith(ways: Readonly<Record<string, string>>): Service {
  for (const [name, way] of Object.entries(ways)) {
    const known: readonly string[] | undefined = Object.hasOwn(space, name)
      ? space[name as Dimension] // checked
      : undefined;
    if (known?.includes(way) !== true) throw new Error(`There is no ${name}=${way}.`);
  }
  return { ...plainService, ...ways }; // checked above
}

/** Returns what differs from the plain service, as NAME=WAY. */
export function deviationsOf(service: Service): readonly string[] {
  return dimensions.flatMap((name) =>
    service[name] === plainService[name] ? [] : [`${name}=${service[name]}`],
  );
}

/** Whether a client gets the scope for writing, perhaps only when it asks again. */
export function mayWrite({ writeScope }: Service): boolean {
  return writeScope === 'granted' || writeScope === 'denied-once';
}
