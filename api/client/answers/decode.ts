/**
 * Fits parsed JSON to the contract, as a tolerant reader: only what the code needs to go on is demanded, an item that
 * cannot be read costs only itself, and unknown fields are kept.
 */
import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Page } from '../../contract/lists.ts';
import { ContractError } from '../errors.ts';
import { ExactNumber, type JsonValue } from '../json.ts';
import { pageTokenOf } from './page-token.ts';
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
  const plain = forReading(schema);
  const compiled = Compile(plain);
  const made: SchemaValidator = {
    schema: plain,
    Check: (value) => compiled.Check(value),
    Errors: (value) => compiled.Errors(value),
  };
  validators.set(schema, made);
  return made;
}

/** What only the service checks: a longer name or a text that is not quite a time is shown as it came. */
const checkedByService: ReadonlySet<string> = new Set(['format', 'maxLength', 'minimum', 'maximum']);

/** The schema as plain JSON Schema, for reading: looking at each format costs as much as everything else of the check. */
function forReading(schema: TSchema): TSchema {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    checkedByService.has(key) && ['string', 'number'].includes(typeof value) ? undefined : value,
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

/** What was read of a record beside its needed members: the others may be missing. */
export type Read<Schema extends TObject, Needed extends keyof Static<Schema>> = Pick<Static<Schema>, Needed> &
  Partial<Omit<Static<Schema>, Needed>>;

/**
 * A record that the code works with: needed members must fit, any other that does not fit counts as absent.
 * @throws ContractError when a needed member does not fit.
 */
export function decodeNeeded<Schema extends TObject, Needed extends keyof Static<Schema> & string>(
  schema: Schema,
  needed: readonly Needed[],
  { value, context }: { readonly value: unknown; readonly context: DecodeContext },
): Read<Schema, Needed> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return value as Read<Schema, Needed>; // just checked
  const settled = settle(validator.schema, value);
  if (!isRecord(settled)) throw shapeError(context, 'the top is not an object');
  const { properties } = validator.schema as TObject; // a copy of an object's schema
  const members = Object.entries(settled).filter(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return own === undefined || validatorOf(own).Check(member);
  });
  // What was dropped may have a default.
  const record = settle(validator.schema, Object.fromEntries(members)) as Readonly<Record<string, unknown>>; // of an object
  const missing = needed.find((name) => !Object.hasOwn(record, name));
  if (missing !== undefined) {
    throw shapeError(context, `the member \`${missing}\` is missing or of another type`);
  }
  return record as Read<Schema, Needed>; // each member just checked
}

/** A record that is shown: members of a known kind are settled, any other stays as it came. */
export function decodeRecord(schema: TSchema, value: JsonValue): JsonValue {
  const validator = validatorOf(schema);
  return validator.Check(value) ? value : (settle(validator.schema, value) as JsonValue); // settled JSON is JSON
}

/**
 * A page of a list, item by item. @param read throws ContractError for an item that cannot be read: it is left out, and
 * its place and problem are told. @throws ContractError when there are no items.
 */
export function decodePage<Item>(
  value: JsonValue,
  read: (item: JsonValue) => Item,
  context: DecodeContext,
): Page<Item> {
  const list = isRecord(value) ? value['items'] : undefined;
  if (!Array.isArray(list) && list !== null) {
    throw shapeError(context, list === undefined ? 'there are no items' : 'the items are no list');
  }
  const problems: string[] = [];
  const items = (list ?? []).flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  const nextPageToken = pageTokenOf(isRecord(value) ? value['nextPageToken'] : undefined);
  return {
    items,
    ...(problems.length === 0 ? {} : { leftOut: problems }),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
  };
}

export function isRecord(value: unknown): value is { readonly [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

export function shapeError(context: DecodeContext, problem: string): ContractError {
  return new ContractError(
    `The answer to ${context.request} does not have the agreed shape: ${problem}. The service may be of another version.`,
    context,
  );
}
