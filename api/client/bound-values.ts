/**
 * Whether a service uses the values of parameters, which the specification does not describe (assumption `execute`). One
 * that ignores them may run a query with NULL in their place: rows are missing, and nothing looks wrong.
 */
import { throwIfAborted } from './abort.ts';
import { hasHints } from './answers/more-hints.ts';
import { AuthError, ContractError, RejectedError, UserAbort } from './errors.ts';
import type { SentValues } from './query-calls.ts';
import type { QueryPage } from './query-page.ts';
import { SharedWork } from './shared-work.ts';

/** A query that answers one of the values that are sent with it. */
export type BoundQuery = {
  readonly query_string: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** Answers the value that is sent with it. */
export const boundQuery = {
  query_string: 'SELECT CAST(:value AS text) AS value',
  parameters: { value: 'a' },
} as const satisfies BoundQuery;

/** Queries for a value in such a place. The later ones are for services that run no query without FROM. */
type Queries = readonly BoundQuery[];

const single: Queries = [
  boundQuery,
  { ...boundQuery, query_string: `${boundQuery.query_string} FROM (VALUES (1)) v(n)` },
];

/** The second value of a list is looked for: a service may use only the first one. */
function listQueries(condition: string): Queries {
  return ['', ' FROM (VALUES (1)) v(n)'].map((from) => ({
    query_string: `SELECT CAST('a' AS text) AS value${from} WHERE CAST('a' AS text) ${condition}`,
    parameters: { value: ['b', 'a'] },
  }));
}

/** A list can be written out between the brackets of IN, or bound as one array: few services do both. */
const queries = {
  single,
  in: listQueries('IN (:value)'),
  array: listQueries('= ANY (:value)'),
} as const satisfies Readonly<Record<string, Queries>>;

export type AskValues = (query: BoundQuery) => Promise<QueryPage | undefined>;
type Place = keyof typeof queries;
/** `missed` if the value was not found, although nothing hides it. */
type Found = 'used' | 'missed' | 'unknown';
export type Use = Exclude<Found, 'missed'>;

/** A query whose values are in question. */
export interface AskedValues {
  readonly query_string: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly model?: string | undefined;
}

/** How long a service is not asked again that failed: a fault may pass. */
const unknownMs = 120_000;

export class BoundValues {
  readonly #settled: SentValues | undefined;
  readonly #now: () => number;
  /** By place and model: one model may refuse what another one answers. */
  readonly #known = new Map<string, { readonly found: Found; readonly until: number }>();
  readonly #asking = new Map<string, SharedWork<Found>>();

  /** @param settled how values are sent, if a person has settled it: then what cannot be learned is taken for used. */
  constructor(settled: SentValues | undefined, now: () => number = () => performance.now()) {
    this.#settled = settled;
    this.#now = now;
  }

  /**
   * Learns it, once for each model, from a query with a value, and from one with a list in each place where this query
   * has one. No fault of the service is thrown, since the query may be answered none the less.
   * @throws ContractError if values are surely ignored; UserAbort.
   */
  async require(query: AskedValues, ask: AskValues, signal: AbortSignal | undefined): Promise<Use> {
    let use: Use = 'used';
    for (const place of placesIn(query)) {
      const found = await this.#find(place, query.model, ask, signal);
      if (place === 'single' && found === 'missed') throw ignored();
      if (this.#settled !== undefined || found === 'used') continue;
      // What is found in the other place is not ignored, though perhaps it is not found in this one.
      if (
        place !== 'single' &&
        found === 'missed' &&
        (await this.#find(otherOf(place), query.model, ask, signal)) !== 'used'
      )
        throw ignored();
      use = 'unknown';
    }
    return use;
  }

  async #find(
    place: Place,
    model: string | undefined,
    ask: AskValues,
    signal: AbortSignal | undefined,
  ): Promise<Found> {
    const key = `${place} ${model ?? ''}`;
    const known = this.#known.get(key);
    if (known !== undefined && this.#now() < known.until) return known.found;
    let asking = this.#asking.get(key);
    if (asking === undefined) this.#asking.set(key, (asking = new SharedWork()));
    return await asking.done(() => this.#learn(key, queries[place], ask, signal), signal);
  }

  async #learn(key: string, asked: Queries, ask: AskValues, signal: AbortSignal | undefined): Promise<Found> {
    const keep = (found: Found, forMs = Infinity) => {
      this.#known.set(key, { found, until: this.#now() + forMs });
      return found;
    };
    for (const query of asked) {
      const answer = await ask(query).catch((error: unknown) => {
        throwIfAborted(signal);
        if (error instanceof UserAbort) throw error;
        const isForbidden = error instanceof AuthError && error.at === 'forbidden';
        return isForbidden || error instanceof RejectedError ? undefined : ('failed' as const);
      });
      if (answer === 'failed') return keep('unknown', unknownMs);
      // What is refused is perhaps only not understood.
      if (answer === undefined) continue;
      const found = foundIn(answer, Array.isArray(query.parameters['value']));
      return keep(found, found === 'unknown' ? unknownMs : Infinity);
    }
    return keep('unknown');
  }
}

/** Returns the places where a query has values. */
function placesIn({ query_string: text, parameters = {} }: AskedValues): ReadonlySet<Place> {
  const inside = namesIn((text.match(inLists) ?? []).join(' '));
  const outside = namesIn(text.replaceAll(inLists, ' '));
  return new Set(
    Object.entries(parameters).flatMap(([name, value]): readonly Place[] => {
      if (!Array.isArray(value)) return ['single'];
      return [
        ...(inside.has(name) ? (['in'] as const) : []),
        ...(outside.has(name) ? (['array'] as const) : []),
      ];
    }),
  );
}

const inLists = /\bIN\s*\([^()]*\)/gi;

function namesIn(text: string): ReadonlySet<string | undefined> {
  return new Set(Array.from(text.matchAll(/:([\p{L}\p{N}_]+)/gu), ([, name]) => name));
}

function otherOf(place: 'in' | 'array'): Place {
  return place === 'in' ? 'array' : 'in';
}

/** Reads the value from the column that was asked for: another one is no answer to this query. */
function foundIn({ columns, rows, others = new Map() }: QueryPage, isList: boolean): Found {
  if (rows.length === 0) return isList && !hasHints(others) ? 'missed' : 'unknown';
  const named = columns.flatMap(({ name }, at) => (/^value$/i.test(name) ? [at] : []));
  const places = named.length === 0 && columns.length === 1 && columns[0]?.isUnnamed === true ? [0] : named;
  const [place] = places;
  if (place === undefined || places.length > 1 || rows.length > 1) return 'unknown';
  const cell = rows[0]?.[place];
  // Another shape of a value is not understood, and a database may pad a text.
  if (typeof cell === 'object' && cell !== null) return 'unknown';
  return typeof cell === 'string' && cell.trim() === boundQuery.parameters.value ? 'used' : 'missed';
}

function ignored(): ContractError {
  return new ContractError(
    'The service ignores the values of parameters, so this result would be wrong. Add "execute": { "values": "literals" } to the connection.',
    { status: 200 },
  );
}
