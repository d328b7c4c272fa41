/**
 * The service's own state behind one interface: a SQLite file for one process, or a PostgreSQL database for several.
 * Statements are the same for both. They name tables as `state.name` and parameters as $1, and times are milliseconds
 * since 1970 by the clock of the state, since the clocks of several instances differ.
 */

export type StateValue = string | number | null;
/** Text, or a number as text or number: PostgreSQL sends large integers as text. */
export type StateRow = Readonly<Record<string, unknown>>;

/** Runs one statement and returns its rows. */
export type RunSql = (text: string, values?: readonly StateValue[]) => Promise<readonly StateRow[]>;

export interface StateDatabase {
  /** For messages; contains no secret. */
  readonly shown: string;
  /** Whether several processes may use it at once. */
  readonly isShared: boolean;
  /** Runs one statement that only reads. */
  readonly read: RunSql;
  /** Runs statements in one transaction: all of them count, or none. */
  write<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** In a statement: the time of the state, in milliseconds since 1970. */
const now = '{now}';

/** How a kind of state writes what differs between them. */
export interface Dialect {
  readonly prefix: string;
  readonly now: string;
  readonly text: string;
  readonly integer: string;
  /** After a SELECT: no other transaction changes or removes its rows until this one ends. */
  readonly held: string;
}

/** Returns a function that writes statements in a dialect. It remembers them, since they are few. */
export function writtenIn({
  prefix,
  now: clock,
  text,
  integer,
  held,
}: Dialect): (statement: string) => string {
  const known = new Map<string, string>();
  return (statement) => {
    const before = known.get(statement);
    if (before !== undefined) return before;
    const written = statement
      .replaceAll(/\bstate\./g, prefix)
      .replaceAll(now, clock)
      .replaceAll('{text}', text)
      .replaceAll('{integer}', integer)
      .replaceAll('{held}', held);
    known.set(statement, written);
    return written;
  };
}

/** A row breaks a unique index. */
export class UniqueViolation extends Error {}

/** The state cannot be used. The message says what to do, for the person who starts or operates the service. */
export class StateError extends Error {}

export const stateIsAway = 'The service cannot reach its state at the moment. Try again.';
export const stateIsUncertain =
  'The service lost its state while it was saving: it was saved, or it was not. Look before you save again.';
export const stateIsFull =
  'The disk of the service’s state is full: nothing was saved. Its operator must make room; then try again.';
/** Also a file that was removed or replaced while the service has it open. */
export const stateIsUnwritable =
  'The service cannot use its state: nothing was saved. Its operator must look at the folder of the state, and start the service again.';

export function textOf(row: StateRow | undefined, name: string): string {
  const value = row?.[name];
  if (typeof value === 'string') return value;
  throw new TypeError(`The state holds no text in ${name}.`);
}

export function optionalText(row: StateRow, name: string): string | undefined {
  const value = row[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(row: StateRow | undefined, name: string): number {
  const value = row?.[name];
  const number = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new TypeError(`The state holds no number in ${name}.`);
}
