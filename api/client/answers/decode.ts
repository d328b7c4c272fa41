/**
 * Validates parsed JSON against the contract as a tolerant reader: only required members must match, an invalid item
 * affects only itself, and unknown fields are kept.
 */
import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Page } from '#api/contract/lists.ts';
import { ContractError } from '../errors.ts';
import type { JsonValue } from '../json.ts';
import { isUnfinished } from '../query-page.ts';
import { hasHints } from './more-hints.ts';
import { saysError } from './outcome.ts';
import { pageTokenOf } from './page-token.ts';
import { settle } from './settle.ts';
import { isRecord, quotable, shapeError, type DecodeContext } from './shape.ts';

interface SchemaValidator {
  readonly schema: TSchema;
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly { readonly instancePath: string; readonly message: string }[];
}

/** Compiled on first use: a compiled validator is many times faster than walking the schema. */
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

/** Limits that only the service enforces: an overlong name or malformed time is shown as received. */
const checkedByService: ReadonlySet<string> = new Set(['format', 'maxLength', 'minimum', 'maximum']);

/** Returns the schema without the limits that only the service enforces; checking formats would double the cost. */
function forReading(schema: TSchema): TSchema {
  const copy: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    checkedByService.has(key) && ['string', 'number'].includes(typeof value) ? undefined : value,
  );
  return copy as TSchema; // typebox's hidden members exist only at the type level
}

/**
 * Decodes a value; also accepts equivalent forms that services send (settle.ts).
 * @throws ContractError if the value does not match.
 */
export function decode<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  context: DecodeContext,
): Static<Schema> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return value as Static<Schema>; // just validated
  const settled = settle(validator.schema, value);
  if (validator.Check(settled)) return settled as Static<Schema>; // just validated
  const first = validator.Errors(settled)[0];
  const place =
    first === undefined
      ? ''
      : ` at ${first.instancePath === '' ? 'the top' : quotable(first.instancePath, context)}: ${first.message}`;
  throw new ContractError(
    `The response of the service does not have the expected shape${place}. The service may have a different version.`,
    context,
  );
}

/** A record whose required members are present; all others are optional. */
export type Read<Schema extends TObject, Needed extends keyof Static<Schema>> = Pick<Static<Schema>, Needed> &
  Partial<Omit<Static<Schema>, Needed>>;

/**
 * Decodes a record that code relies on: required members must match; other invalid members count as absent.
 * @throws ContractError if a required member does not match.
 */
export function decodeNeeded<Schema extends TObject, Needed extends keyof Static<Schema> & string>(
  schema: Schema,
  needed: readonly Needed[],
  { value, context }: { readonly value: unknown; readonly context: DecodeContext },
): Read<Schema, Needed> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return value as Read<Schema, Needed>; // just validated
  const settled = settle(validator.schema, value);
  if (!isRecord(settled)) throw shapeError(context, 'the top is not an object');
  const { properties } = validator.schema as TObject; // a copy of `schema`, which is an object
  const members = Object.entries(settled).filter(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return own === undefined || validatorOf(own).Check(member);
  });
  // Settling again restores the defaults of dropped members.
  const record = settle(validator.schema, Object.fromEntries(members)) as Readonly<Record<string, unknown>>; // still an object
  const missing = needed.find((name) => !Object.hasOwn(record, name));
  if (missing !== undefined)
    throw shapeError(context, `the member \`${missing}\` is missing or has the wrong type`);
  return record as Read<Schema, Needed>; // each member was validated
}

/** Decodes a record for display: normalizes known members; keeps unknown ones as received. */
export function decodeRecord(schema: TSchema, value: JsonValue): JsonValue {
  const validator = validatorOf(schema);
  return validator.Check(value) ? value : (settle(validator.schema, value) as JsonValue); // settling JSON yields JSON
}

/**
 * Reads a page of a list item by item; an invalid item is skipped, and its index and problem are reported.
 * @param read throws ContractError for an invalid item.
 * @throws ContractError if there are no items.
 */
export function decodePage<Item>(
  value: JsonValue,
  read: (item: JsonValue) => Item,
  context: DecodeContext,
): Page<Item> {
  if (isUnfinished(context.status))
    throw shapeError(context, `the status ${context.status} means that these are not all items`);
  // Items that are missing would look deleted.
  if (isRecord(value) && saysError(Object.entries(value)))
    throw shapeError(context, 'beside the items, it says that there was an error');
  const list = isRecord(value) ? value['items'] : undefined;
  if (!Array.isArray(list) && list !== null)
    throw shapeError(context, list === undefined ? 'there are no items' : 'the items are not a list');
  const problems: string[] = [];
  const items = (list ?? []).flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      const name = isRecord(item) ? item['name'] : undefined;
      problems.push(
        typeof name === 'string' ? `"${quotable(name, context)}": ${error.message}` : error.message,
      );
      return [];
    }
  });
  const nextPageToken = pageTokenOf(isRecord(value) ? value['nextPageToken'] : undefined);
  const others = isRecord(value) ? Object.entries(value).filter(([name]) => name !== 'items') : [];
  const isPart = nextPageToken === undefined && hasHints(new Map(others));
  return {
    items,
    ...(problems.length === 0 ? {} : { leftOut: problems }),
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
    ...(isPart ? { isPart } : {}),
  };
}
