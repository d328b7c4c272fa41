/** What the service can be told to do differently: gaps of the specification filled another way, and oddities. */

/** Each gap of docs/assumptions.md with the other ways in which the specification lets it be filled. */
export const otherWays = {
  'saved-query-list': ['missing', 'without-texts'],
  update: ['by-patch', 'stale-bare', 'stale-412', 'stale-428', 'stale-400', 'missing'],
  delete: ['missing', 'answers-200'],
  execute: ['rows-as-objects', 'no-types', 'data'],
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

/** What is left out is as docs/assumptions.md has it. */
export type Assumptions = { readonly [Id in Gap]?: (typeof otherWays)[Id][number] };

export const oddities = [
  /** A list hands out a page token that it gave before. */
  'repeated-page-token',
  /** A list answers one empty page after another, each with a new token. */
  'endless-empty-pages',
  /** The answer to a range is a 206 that holds less than was asked for (RFC 9110 section 15.3.7). */
  'short-range',
  /** From the second page of a result on, its columns come in another order. */
  'swapped-columns',
  /** A member that the first rows of a result do not have: rows are objects, and it comes on a later page. */
  'late-column',
  /** Answers are compressed, whether asked for or not. */
  'gzip',
  /** The link of an export answers 200 with a web page. */
  'html-export',
  /** Page tokens are numbers. */
  'number-page-token',
  /** Page tokens are objects. */
  'object-page-token',
  /** An update answers 200 with the record as it was. */
  'write-not-taken',
  /** Texts are stored without the spaces around them. */
  'trims-text',
  /** A list of saved queries holds one that is nothing like one. */
  'odd-saved-query',
  /** A list of records holds one that is nothing like one. */
  'odd-record',
  /** The token endpoint does not give this client the write scope. */
  'write-scope-refused',
  /** A saved query that is gone is told with 410. */
  'gone-as-410',
  /** The same with 400: only the code says it. */
  'gone-as-400',
  /** The acceptance of a change has the job's id and not its path. */
  'job-without-self',
  /** The records of accounts hold only their global id. */
  'ids-only',
  /** What is not there is null rather than left out. */
  'null-members',
] as const;

export type Oddity = (typeof oddities)[number];

export interface Switches {
  readonly assumptions?: Assumptions | undefined;
  readonly oddities?: readonly Oddity[] | undefined;
}

/** The switches as they stand; they can be set at any time. */
export class SwitchBoard {
  #now: Switches = {};

  set(switches: Switches): void {
    this.#now = switches;
  }

  /** Whether a gap is filled in this other way. */
  is<Id extends Gap>(id: Id, way: (typeof otherWays)[Id][number]): boolean {
    return this.#now.assumptions?.[id] === way;
  }

  has(oddity: Oddity): boolean {
    return this.#now.oddities?.includes(oddity) === true;
  }
}
