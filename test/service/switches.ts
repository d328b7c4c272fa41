/** The service's switches: alternatives for gaps in the specification, and oddities. */

/** The gaps in docs/assumptions.md, each with the alternatives the specification allows. */
export const otherWays = {
  'saved-query-list': ['missing', 'without-texts'],
  update: ['by-patch', 'stale-bare', 'stale-412', 'stale-428', 'stale-400', 'missing'],
  delete: ['missing', 'answers-200'],
  execute: ['rows-as-objects', 'no-types', 'data'],
  'execute-paging': ['snake'],
  scopes: ['execute-writes'],
  'page-tokens': ['one-for-a-list'],
  'activity-window': ['both-needed'],
  'records-by-id': ['no-tables'],
  'other-ids': ['local-only'],
  principals: ['other-type'],
  'data-classifications': ['objects'],
  'open-words': ['other-word'],
  characters: ['utf16-units'],
  'kept-jobs': ['gone'],
  'export-file': ['redirected'],
  'parse-error': ['status-422', 'from-zero', 'without-place'],
  'query-failed': ['other-code'],
  'unknown-model': ['not-found'],
  'http-errors': ['html'],
  'create-status': ['status-200'],
  token: ['no-lifetime', 'lifetime-as-text', 'body-only'],
  'retry-after': ['absent'],
  'account-role': ['other-name'],
  'other-lists': ['missing'],
  'link-text': ['other-text'],
  'action-job': ['other-words', 'bare', 'unknown-is-410'],
  membership: ['missing'],
  'create-download': ['missing'],
  'model-columns': ['refused', 'empty'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Gap = keyof typeof otherWays;

/** Without a switch, a gap is filled as in docs/assumptions.md. */
export type Assumptions = { readonly [Id in Gap]?: (typeof otherWays)[Id][number] };

export const oddities = [
  /** A list repeats an earlier page token. */
  'repeated-page-token',
  /** A list returns empty pages forever, each with a new token. */
  'endless-empty-pages',
  /** A range request gets a 206 with less than the requested range (RFC 9110 section 15.3.7). */
  'short-range',
  /** The second and later pages of a result have their columns in a different order. */
  'swapped-columns',
  /** Rows are objects, and one of their fields first appears on a later page. */
  'late-column',
  /** Responses are always compressed. */
  'gzip',
  /** An export's link returns 200 with a web page. */
  'html-export',
  /** Page tokens are numbers. */
  'number-page-token',
  /** Page tokens are objects. */
  'object-page-token',
  /** An update returns 200 with the unchanged record. */
  'write-not-taken',
  /** Text is stored without leading or trailing whitespace. */
  'trims-text',
  /** A list of saved queries contains an item that is not a saved query. */
  'odd-saved-query',
  /** A list of records contains an item that is not a record. */
  'odd-record',
  /** The token endpoint denies this client the write scope. */
  'write-scope-refused',
  /** A deleted saved query returns 410. */
  'gone-as-410',
  /** A deleted saved query returns 400, and only the code identifies the case. */
  'gone-as-400',
  /** The response to a change contains the job's ID but no path. */
  'job-without-self',
  /** Account records contain only their global ID. */
  'ids-only',
  /** Absent fields are null rather than omitted. */
  'null-members',
] as const;

export type Oddity = (typeof oddities)[number];

export interface Switches {
  readonly assumptions?: Assumptions | undefined;
  readonly oddities?: readonly Oddity[] | undefined;
}

/** Holds the current switches, which can change at any time. */
export class SwitchBoard {
  #now: Switches = {};

  set(switches: Switches): void {
    this.#now = switches;
  }

  /** Returns whether the gap is filled in this way. */
  is<Id extends Gap>(id: Id, way: (typeof otherWays)[Id][number]): boolean {
    return this.#now.assumptions?.[id] === way;
  }

  has(oddity: Oddity): boolean {
    return this.#now.oddities?.includes(oddity) === true;
  }
}
