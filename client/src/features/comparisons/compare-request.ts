/** What is decided already when a comparison is asked for; the rest is asked. */
import type { RememberedValue } from '../../../../core/src/parameters/memory.ts';

export type OtherSide =
  | { readonly kind: 'result' | 'kept'; readonly id: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'valueSet'; readonly name: string }
  /** A document is run, with values of its parameters by name. */
  | {
      readonly kind: 'run';
      readonly uri: string;
      readonly values: Readonly<Record<string, RememberedValue>> | undefined;
    }
  /** The person chooses which, where it is not named. */
  | { readonly kind: 'connection'; readonly name: string | undefined };

export interface CompareRequest {
  readonly with?: OtherSide | undefined;
  /** Whether rows that were not loaded yet are loaded first. */
  readonly load?: boolean | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly ignored?: readonly string[] | undefined;
}

/** From the argument of a command; what is not understood is left out. */
export function parseCompareRequest(argument: unknown): CompareRequest {
  const load = field(argument, 'load');
  return {
    with: parseOther(field(argument, 'with')),
    load: typeof load === 'boolean' ? load : undefined,
    keys: texts(field(argument, 'keys')),
    ignored: texts(field(argument, 'ignored')),
  };
}

function parseOther(value: unknown): OtherSide | undefined {
  const kind = field(value, 'kind');
  const [id, path, name, version, uri] = ['id', 'path', 'name', 'version', 'uri'].map((key) =>
    field(value, key),
  );
  if ((kind === 'result' || kind === 'kept') && typeof id === 'string') return { kind, id };
  if (kind === 'run' && typeof uri === 'string')
    return { kind, uri, values: valuesOf(field(value, 'values')) };
  if (kind === 'file' && typeof path === 'string') return { kind, path };
  if (kind === 'valueSet' && typeof name === 'string') return { kind, name };
  if (kind === 'version' && typeof version === 'number') return { kind, version };
  if (kind === 'connection') return { kind, name: typeof name === 'string' ? name : undefined };
  return undefined;
}

function valuesOf(value: unknown): Readonly<Record<string, RememberedValue>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
      const text = field(one, 'text');
      if (typeof text !== 'string') return [];
      return [
        [name, { text, isNull: field(one, 'isNull') === true, isEmpty: field(one, 'isEmpty') === true }],
      ];
    }),
  );
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key] // read as unknown
    : undefined;
}
