/**
 * Whether a service uses the values of parameters, which the specification does not describe (assumption `execute`). One
 * that ignores them may run a query with NULL in their place: rows are missing, and nothing looks wrong.
 */
import { throwIfAborted } from './abort.ts';
import { hasHints } from './answers/more-hints.ts';
import {
  AuthError,
  ContractError,
  RejectedError,
  ServerFaultError,
  TransportError,
  UserAbort,
} from './errors.ts';
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
type Found = 'used' | 'missed' | 'refused' | 'unknown';

interface Known {
  readonly found: Found;
  readonly until: number;
  /** The number of the question that met a first fault: it may have passed, so a query that comes later asks again. */
  readonly faultAt: number | undefined;
}

export type Use = 'used' | 'unknown';

/** A query whose values are in question. */
export interface AskedValues {
  readonly query_string: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly model?: string | undefined;
}

/** How long a service is not asked again that failed twice: a fault may pass. */
const unknownMs = 120_000;

export class BoundValues {
  readonly #settled: SentValues | undefined;
  readonly #now: () => number;
  /** By place what was answered, and by model, too, what was not: one may refuse what another one answers. */
  readonly #known = new Map<string, Known>();
  #questions = 0;
  readonly #asking = new Map<string, SharedWork<void>>();

  /** @param settled how values are sent, if a person has settled it: then what cannot be learned is taken for used. */
  constructor(settled: SentValues | undefined, now: () => number = () => performance.now()) {
    this.#settled = settled;
    this.#now = now;
  }

  /**
   * Learns it, once for all models, from a query with a value, and from one with a list in each place where this query
   * has one. No fault of the service is thrown, since the query may be answered none the less.
   * @throws ContractError if values are surely ignored, or not found where this query has them; UserAbort.
   */
  async require(query: AskedValues, ask: AskValues, signal: AbortSignal | undefined): Promise<Use> {
    let use: Use = 'used';
    for (const place of placesIn(query)) {
      const found = await this.#find(place, query.model, ask, signal);
      if (found === 'used') continue;
      if (found === 'missed') {
        const elsewhere =
          place === 'single' ? found : await this.#find(otherOf(place), query.model, ask, signal);
        if (place !== 'single' && elsewhere === 'used') throw notFound(place);
        if (elsewhere !== 'unknown') throw ignored();
      }
      if (this.#settled === undefined || found === 'missed') use = 'unknown';
    }
    return use;
  }

  async #find(
    place: Place,
    model: string | undefined,
    ask: AskValues,
    signal: AbortSignal | undefined,
  ): Promise<Found> {
    const ofModel = `${place} ${model ?? ''}`;
    const before = this.#questions;
    // Whoever asks at the same time may do so with another model: all wait for one question, and then ask their own.
    for (let shared: string = place; ; shared = ofModel) {
      const known = [place, ofModel]
        .map((key) => this.#known.get(key))
        .find(
          (each) => each !== undefined && this.#now() < each.until && (each.faultAt ?? Infinity) > before,
        );
      if (known !== undefined) return known.found;
      let asking = this.#asking.get(shared);
      if (asking === undefined) this.#asking.set(shared, (asking = new SharedWork()));
      await asking.done(async () => {
        const learned = await this.#learn(queries[place], ask, signal);
        const found = learned === 'fault' ? 'unknown' : learned;
        const isAnswered = found === 'used' || found === 'missed';
        const forMs = found === 'unknown' ? unknownMs : Infinity;
        this.#questions += 1;
        const isFirstFault = learned === 'fault' && !this.#known.has(ofModel);
        this.#known.set(isAnswered ? place : ofModel, {
          ...{ found, until: this.#now() + forMs },
          faultAt: isFirstFault ? this.#questions : undefined,
        });
      }, signal);
    }
  }

  async #learn(asked: Queries, ask: AskValues, signal: AbortSignal | undefined): Promise<Found | 'fault'> {
    for (const query of asked) {
      const answer = await ask(query).catch((error: unknown) => {
        throwIfAborted(signal);
        if (error instanceof UserAbort) throw error;
        const isForbidden = error instanceof AuthError && error.at === 'forbidden';
        if (isForbidden || error instanceof RejectedError) return undefined;
        const isPassing = error instanceof ServerFaultError || error instanceof TransportError;
        return isPassing ? 'fault' : 'unknown';
      });
      if (typeof answer === 'string') return answer;
      // What is refused is perhaps only not understood.
      if (answer !== undefined) return foundIn(answer, Array.isArray(query.parameters['value']));
    }
    return 'refused';
  }
}

/** Returns the places where a query has values: a list is between the brackets of IN, or elsewhere. */
function placesIn({ query_string: text, parameters = {} }: AskedValues): ReadonlySet<Place> {
  const places = new Set<Place>();
  const values = new Map(Object.entries(parameters));
  /** Of each open bracket, whether it is one of IN. */
  const open: boolean[] = [];
  let before = '';
  if ([...values.values()].some((value) => !Array.isArray(value))) places.add('single');
  for (const [piece] of text.matchAll(pieces)) {
    if (/^(?:--|\/\*)/.test(piece)) continue;
    if (piece === '(') open.push(/^in$/i.test(before) || (/^[(,]$/.test(before) && open.at(-1) === true));
    else if (piece === ')') open.pop();
    else if (before === '(' && /^(?:select|values|with)$/i.test(piece)) open.splice(-1, 1, false);
    else if (piece.startsWith(':') && Array.isArray(values.get(piece.slice(1))))
      places.add(open.at(-1) === true ? 'in' : 'array');
    before = piece;
  }
  return places;
}

/** Comments, texts, quoted names, casts, placeholders, words and signs. What is not closed goes to the end. */
const pieces =
  /--[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|\bE'(?:[^'\\]|\\[\s\S])*(?:'|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|\$(\w*)\$(?:[\s\S]*?\$\1\$|[\s\S]*)|::|:\w+|[\p{L}\p{N}_$]+|\S/giu;

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

function notFound(place: 'in' | 'array'): ContractError {
  const [where, instead] =
    place === 'in' ? ['in IN (...)', '= ANY (...)'] : ['outside of IN (...)', 'IN (...)'];
  return new ContractError(
    `The service does not find every value of a list ${where}, so this result would be wrong. Write ${instead} instead.`,
    { status: 200 },
  );
}
