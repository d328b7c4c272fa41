/**
 * Whether a service uses the values of parameters, which the specification does not describe (assumption `execute`). One
 * that ignores them may run a query with NULL in their place: no row is found, and nothing looks wrong.
 */
import { ContractError, RejectedError, ServerFaultError } from './errors.ts';
import type { QueryPage } from './query-page.ts';
import { SharedWork } from './shared-work.ts';

/** Answers the value that is sent with it. */
export const boundQuery = {
  query_string: 'SELECT CAST(:value AS text) AS value',
  parameters: { value: 'a' },
};

export class BoundValues {
  #areUsed = false;
  readonly #asking = new SharedWork<'used' | 'unknown'>();

  /**
   * Learns it from a query with a value, once per client. What a service refuses altogether tells nothing; where it
   * fails, it is not known.
   * @throws ContractError if the answer has another value; other errors of `ask`.
   */
  async require(
    ask: (query: typeof boundQuery) => Promise<QueryPage>,
    signal: AbortSignal | undefined,
  ): Promise<'used' | 'unknown'> {
    if (this.#areUsed) return 'used';
    return await this.#asking.done(() => this.#learn(ask), signal);
  }

  async #learn(ask: (query: typeof boundQuery) => Promise<QueryPage>): Promise<'used' | 'unknown'> {
    let answer: QueryPage | undefined;
    try {
      answer = await ask(boundQuery);
    } catch (error) {
      if (error instanceof ServerFaultError || error instanceof ContractError) return 'unknown';
      if (!(error instanceof RejectedError)) throw error;
    }
    if (answer !== undefined) {
      const { columns, rows } = answer;
      // Anything but the column that was asked for is no answer to this query.
      const [column] = columns;
      const isNamed = column?.isUnnamed === true || /^value$/i.test(column?.name ?? '');
      const isAnswer = isNamed && columns.length === 1 && rows.length === 1;
      if (isAnswer && rows[0]?.[0] !== boundQuery.parameters.value)
        throw new ContractError(
          'The service ignores the values of parameters, so this result would be wrong. Add "execute": { "values": "literals" } to the connection.',
          { status: 200 },
        );
    }
    this.#areUsed = true;
    return 'used';
  }
}
