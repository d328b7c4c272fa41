/** Fits parsed JSON to the contract. Unknown fields are kept; missing ones are an error with the place named. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ResultColumn } from '../contract/execute.ts';
import { ContractError } from './errors.ts';
import { ExactNumber, type JsonValue } from './json.ts';
import { settle } from './settle.ts';

export interface DecodeContext {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Method and path. */
  readonly request: string;
}

interface SchemaValidator {
  readonly schema: TSchema;
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly { readonly instancePath: string; readonly message: string }[];
}

/** Made when a schema is first met: a compiled validator takes a fraction of the time of walking the schema. */
const validators = new WeakMap<TSchema, SchemaValidator>();

function validatorOf(schema: TSchema): SchemaValidator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const plain = withoutFormats(schema);
  const compiled = Compile(plain);
  const made: SchemaValidator = {
    schema: plain,
    Check: (value) => compiled.Check(value),
    Errors: (value) => compiled.Errors(value),
  };
  validators.set(schema, made);
  return made;
}

/**
 * The schema as plain JSON Schema without `format`: a text that is not quite an address or a time is shown as it came
 * rather than keeping a whole page back, and looking at each costs as much as everything else of the check.
 */
function withoutFormats(schema: TSchema): TSchema {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  );
  return copy as TSchema; // what typebox hides beside the JSON Schema serves types only
}

/**
 * Also takes what services write differently and mean the same by (settle.ts).
 * @throws ContractError when the value does not fit.
 */
export function decode<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  context: DecodeContext,
): Static<Schema> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return value as Static<Schema>; // just checked
  const settled = settle(validator.schema, value);
  if (validator.Check(settled)) return settled as Static<Schema>; // just checked
  const first = validator.Errors(settled)[0];
  const place =
    first === undefined
      ? ''
      : ` at ${first.instancePath === '' ? 'the top' : first.instancePath}: ${first.message}`;
  throw new ContractError(
    `The answer to ${context.request} does not have the agreed shape${place}. The service may be of another version.`,
    context,
  );
}

/** One value of a result: exact, JSON where the column is JSON or an array. */
export type Cell = JsonValue;

export interface QueryPage {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly nextPageToken?: string | undefined;
  /** All rows of the result, where the service knows. */
  readonly rowCount?: number | undefined;
}

/**
 * Reads a result page as agreed (assumption `execute`), and also with `items` or `data` for `rows`, rows as objects,
 * and columns without types, since the real service's shape is not described.
 */
export function decodeQueryPage(value: JsonValue, context: DecodeContext): QueryPage {
  if (!isObject(value)) throw shapeError(context, 'the top is not an object');
  const rows = value['rows'] ?? value['items'] ?? value['data'];
  if (!Array.isArray(rows)) throw shapeError(context, 'there are no rows');
  const columns = columnsOf(value['columns'], rows);
  const rowCount = value['rowCount'];
  const nextPageToken = value['nextPageToken'];
  return {
    columns,
    rows: rows.map((row) => rowOf(row, columns, context)),
    ...(typeof rowCount === 'number' ? { rowCount } : {}),
    ...(typeof nextPageToken === 'string' && nextPageToken !== '' ? { nextPageToken } : {}),
  };
}

function columnsOf(value: JsonValue | undefined, rows: readonly JsonValue[]): ResultColumn[] {
  if (Array.isArray(value)) {
    return value.map((column, index) => {
      if (typeof column === 'string') return { name: column, type: 'unknown' };
      const name = isObject(column) ? column['name'] : undefined;
      const type = isObject(column) ? column['type'] : undefined;
      return {
        name: typeof name === 'string' ? name : `column ${index + 1}`,
        type: typeof type === 'string' ? type : 'unknown',
      };
    });
  }
  const first = rows.find(isObject);
  return first === undefined ? [] : Object.keys(first).map((name) => ({ name, type: 'unknown' }));
}

function rowOf(row: JsonValue, columns: readonly ResultColumn[], context: DecodeContext): readonly Cell[] {
  if (Array.isArray(row)) return row;
  if (isObject(row)) return columns.map(({ name }) => row[name] ?? null);
  throw shapeError(context, 'a row is neither a list nor an object');
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

function shapeError(context: DecodeContext, problem: string): ContractError {
  return new ContractError(
    `The answer to ${context.request} does not have the agreed shape: ${problem}. The service may be of another version.`,
    context,
  );
}
