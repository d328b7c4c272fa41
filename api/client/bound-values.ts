/**
 * Whether a service uses the values of parameters, which the specification does not describe (assumption `execute`). One
 * that ignores them may run a query with NULL in their place: rows are missing, and nothing looks wrong.
 */
import { AuthError, ContractError, RejectedError, ServerFaultError } from './errors.ts';
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

/** The second value of a list: a service may use only the first one. */
const listParameters = { value: ['b', 'a'] };

/** Queries for a single value, and for a list. The later ones are for services that run no query without FROM. */
const queries = {
  single: [boundQuery, { ...boundQuery, query_string: `${boundQuery.query_string} FROM (VALUES (1)) v(n)` }],
  list: ['', ' FROM (VALUES (1)) v(n)'].map((from) => ({
    query_string: `SELECT CAST('a' AS text) AS value${from} WHERE CAST('a' AS text) IN (:value)`,
    parameters: listParameters,
  })),
} as const satisfies Readonly<Record<string, readonly BoundQuery[]>>;

type AskValues = (query: BoundQuery) => Promise<QueryPage | undefined>;
type Kind = keyof typeof queries;
type Use = 'used' | 'unknown';

export class BoundValues {
  readonly #settled: SentValues | undefined;
  readonly #known = new Map<Kind, Use>();
  #faultsLeft = 3;
  readonly #asking = { single: new SharedWork<Use>(), list: new SharedWork<Use>() };

  /** @param settled how values are sent, if a person has settled it: then what cannot be learned is taken for used. */
  constructor(settled: SentValues | undefined) {
    this.#settled = settled;
  }

  /**
   * Learns it from a query with a value, and from one with a list, once per client.
   * @throws ContractError if the answer has another value; other errors of `ask`.
   */
  async require(
    parameters: Readonly<Record<string, unknown>>,
    ask: AskValues,
    signal: AbortSignal | undefined,
  ): Promise<Use> {
    const kinds = new Set(
      Object.values(parameters).map((value): Kind => (Array.isArray(value) ? 'list' : 'single')),
    );
    let use: Use = 'used';
    for (const kind of kinds) {
      const found =
        this.#known.get(kind) ?? (await this.#asking[kind].done(() => this.#learn(kind, ask), signal));
      if (found === 'unknown' && this.#settled === undefined) use = 'unknown';
    }
    return use;
  }

  async #learn(kind: Kind, ask: AskValues): Promise<Use> {
    for (const query of queries[kind]) {
      const answer = await ask(query).catch((error: unknown) => {
        if (error instanceof ServerFaultError || error instanceof ContractError) return 'unknown' as const;
        const isForbidden = error instanceof AuthError && error.at === 'forbidden';
        if (isForbidden || error instanceof RejectedError) return undefined;
        throw error;
      });
      // A fault may pass, so it is asked for again, but not for each of many queries.
      if (answer === 'unknown') {
        this.#faultsLeft -= 1;
        if (this.#faultsLeft === 0) this.#known.set(kind, 'unknown');
        return answer;
      }
      // What is refused is perhaps only not understood.
      if (answer === undefined) continue;
      const use = useIn(answer, kind);
      this.#known.set(kind, use);
      return use;
    }
    this.#known.set(kind, 'unknown');
    return 'unknown';
  }
}

/** @throws ContractError if the answer has another value. */
function useIn({ columns, rows }: QueryPage, kind: Kind): Use {
  // Anything but the column that was asked for is no answer to this query. Rows that are objects name it themselves.
  const [column] = columns;
  const isNamed =
    column === undefined ? kind === 'list' : column.isUnnamed === true || /^value$/i.test(column.name);
  if (!isNamed || columns.length > 1) return 'used';
  // One that binds a list as an array finds no row: it may be right for another query.
  if (rows.length !== 1) return 'unknown';
  if (rows[0]?.[0] === boundQuery.parameters.value) return 'used';
  throw new ContractError(
    'The service ignores the values of parameters, so this result would be wrong. Add "execute": { "values": "literals" } to the connection.',
    { status: 200 },
  );
}
