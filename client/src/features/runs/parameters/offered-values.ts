/** Values from the data for the form's list parameters, asked once for each column and connection. */
import type { ServiceClient } from '#api/client/client.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import type { ParameterField } from '#core/parameters/parameter-field.ts';
import type { ColumnName } from '#server/protocol.ts';

type Values = Promise<readonly string[]>;

export class OfferedValues {
  readonly #log: Logger;
  readonly #asked = new WeakMap<ServiceClient, Map<string, Values>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns the values for a field of a list; none for other fields. Never rejects: without values, the user types. */
  async of(client: ServiceClient, model: string, field: ParameterField): Values {
    if (field.control !== 'list' || field.isSecret || field.isClosed) return [];
    // The parts of a comparison are written as `table.column`.
    const [table, column, ...more] = field.comparedWith?.split('.') ?? [];
    if (table === undefined || column === undefined || more.length > 0) return [];
    const asked = this.#asked.get(client) ?? new Map<string, Values>();
    this.#asked.set(client, asked);
    const key = JSON.stringify([model, table, column]);
    const values = asked.get(key) ?? this.#read(client, { model, table, column });
    asked.set(key, values);
    return await values;
  }

  async #read(client: ServiceClient, column: ColumnName): Values {
    try {
      const { readColumnValues } = await import('#core/runs/column-values.ts');
      return await readColumnValues(client, column);
    } catch (error) {
      this.#log.debug(`the values of a column were not read: ${errorName(error)}`);
      return [];
    }
  }
}
