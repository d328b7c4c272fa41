/** Parses the parts of a comparison request that the caller specifies; the user is asked for the rest. */
import {
  flag,
  listOf,
  number,
  object,
  oneOf,
  optional,
  recordOf,
  text,
  unfit,
  type Parser,
} from '#client/ui/arguments.ts';
import type { RememberedValue } from '#core/parameters/memory.ts';

export type OtherSide =
  /** `keptRun` is a result that `-- @keep` keeps. */
  | { readonly kind: 'result' | 'kept' | 'keptRun'; readonly id: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'valueSet'; readonly name: string }
  /** The run before, in the same result. */
  | { readonly kind: 'before' }
  /** Runs a document with the given parameter values. */
  | {
      readonly kind: 'run';
      readonly uri: string;
      readonly values: Readonly<Record<string, RememberedValue>> | undefined;
    }
  /** If undefined, the user chooses the connection. */
  | { readonly kind: 'connection'; readonly name: string | undefined };

export interface CompareRequest {
  /** ID of the result to compare; by default, the one in view. */
  readonly of?: string | undefined;
  readonly with?: OtherSide | undefined;
  /** Whether to load missing rows first. */
  readonly load?: boolean | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly ignored?: readonly string[] | undefined;
}

const value = object({ text, isNull: optional(flag), isEmpty: optional(flag) });
const byKind = {
  result: object({ id: text }),
  kept: object({ id: text }),
  keptRun: object({ id: text }),
  file: object({ path: text }),
  version: object({ version: number }),
  valueSet: object({ name: text }),
  run: object({ uri: text, values: optional(recordOf(value)) }),
  connection: object({ name: optional(text) }),
};
const kinds = oneOf([
  ...(['result', 'kept', 'keptRun', 'file', 'version', 'valueSet', 'run', 'connection', 'before'] as const),
]);

const otherSide: Parser<OtherSide> = (argument) => {
  const asked = object({ kind: kinds })(argument);
  if (asked === unfit) return unfit;
  if (asked.kind === 'before') return { kind: 'before' };
  const side = byKind[asked.kind](argument);
  if (side === unfit) return unfit;
  if (!('values' in side)) return { kind: asked.kind, ...side } as OtherSide; // all members of its kind
  return {
    kind: 'run',
    uri: side.uri,
    values:
      side.values &&
      Object.fromEntries(
        Object.entries(side.values).map(([name, one]) => [
          name,
          { text: one.text, isNull: one.isNull === true, isEmpty: one.isEmpty === true },
        ]),
      ),
  };
};

const how = { load: optional(flag), keys: optional(listOf(text)), ignored: optional(listOf(text)) };

/** Parses the argument of the compare command. Arguments from menus are ignored. */
export const compareRequest: Parser<CompareRequest | undefined> = optional(
  object({ ...how, of: optional(text), with: optional(otherSide) }),
);

export interface VersionRequest extends Omit<CompareRequest, 'with' | 'of'> {
  readonly queryId?: string | undefined;
  /** The earlier version. */
  readonly version?: number | undefined;
}

/** Parses a request to compare two versions of a saved query: a row of the view. */
export const versionRequest: Parser<VersionRequest | undefined> = optional(
  object({ ...how, queryId: optional(text), version: optional(number) }),
);
