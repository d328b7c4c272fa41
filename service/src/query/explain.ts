/** Explains a query's error in the service's terms, with its position in the original text. */
import { ServiceError } from '../errors.ts';
import type { Token } from './lexer.ts';
import type { DatabaseFailure } from './messages.ts';
import { lineColumnOf, offsetOfPosition } from './positions.ts';
import type { PreparedQuery, PrepareProblem } from './prepare.ts';

/** Returns the error for a placeholder that cannot be bound. */
export function parseProblem(text: string, problem: PrepareProblem): ServiceError {
  return parseError(text, problem.offset, problem.message, problem.hint, []);
}

export function timeoutError(limitMs: number): ServiceError {
  return new ServiceError(
    'QUERY_TIMEOUT',
    `The query was ended because it ran longer than ${limitMs / 1_000} seconds.`,
    { details: { limitMs, hint: 'Ask for fewer rows, or narrow the joins and the time window.' } },
  );
}

export function queryError(text: string, query: PreparedQuery, failure: DatabaseFailure): ServiceError {
  const message = named(failure.message, query);
  const hint = hintForReaders(failure, query);
  const at =
    failure.position === undefined
      ? undefined
      : query.toOriginal(offsetOfPosition(query.sql, failure.position));

  if (failure.sqlState === '42601' && /multiple commands/.test(failure.message)) {
    const second = secondStatement(text, query.tokens);
    return parseError(
      text,
      second?.start ?? 0,
      'Only one statement can be run.',
      'Remove the second statement.',
      [],
    );
  }
  if (isEmpty(text, query, failure))
    return parseError(text, 0, 'The query is empty.', 'Write a SELECT statement.', []);
  if (isWriteInside(text, query, failure))
    return parseError(
      text,
      0,
      `The query calls something that writes, and queries only read: ${message}.`,
      'Leave out the function, or the view that calls it.',
      [{ code: 'MUTATION_NOT_ALLOWED', message }],
    );
  if (isMutation(text, query, failure)) {
    const word = mutationWord(text, query.tokens);
    return parseError(
      text,
      word?.start ?? 0,
      'Only SELECT statements are permitted.',
      'Ask with a SELECT; changes are made with the change operations of the service.',
      [{ code: 'MUTATION_NOT_ALLOWED', message: mutationMessage(text, word) }],
    );
  }
  if (failure.phase === 'parse' || failure.phase === 'proof') {
    return parseError(text, at ?? 0, message, hint ?? hintOf(failure, query), [
      { code: failure.sqlState, message },
    ]);
  }
  const place = at === undefined ? {} : lineColumnOf(text, at);
  return new ServiceError('QUERY_FAILED', message, {
    details: { sqlState: failure.sqlState, ...place, ...(hint === undefined ? {} : { hint }) },
  });
}

function parseError(
  text: string,
  offset: number,
  message: string,
  hint: string | undefined,
  reasons: readonly { code: string; message: string }[],
): ServiceError {
  return new ServiceError('QUERY_PARSE_ERROR', message, {
    details: { ...lineColumnOf(text, offset), ...(hint === undefined ? {} : { hint }) },
    reasons: reasons.length > 0 ? reasons : [{ code: 'QUERY_PARSE_ERROR', message }],
  });
}

/** Replaces PostgreSQL's `$1` with the placeholder's `:name`. */
function named(message: string, query: PreparedQuery): string {
  return message.replaceAll(/\$(\d+)/g, (whole, digits: string) => {
    const name = query.names[Number(digits) - 1];
    return name === undefined ? whole : `:${name}`;
  });
}

const queryWords = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE']);
const writingWords = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'INTO']);

function wordOf(text: string, token: Token | undefined): string {
  return token === undefined ? '' : text.slice(token.start, token.end).toUpperCase();
}

function firstWord(text: string, tokens: readonly Token[]): Token | undefined {
  return tokens.find((token) => text.slice(token.start, token.end) !== '(');
}

function isEmpty(text: string, query: PreparedQuery, failure: DatabaseFailure): boolean {
  return failure.phase === 'proof' && query.tokens.every((token) => text.charAt(token.start) === ';');
}

/** 25006: PostgreSQL refused to write in a read-only transaction. */
function isMutation(text: string, query: PreparedQuery, failure: DatabaseFailure): boolean {
  if (failure.sqlState === '25006') return true;
  const first = firstWord(text, query.tokens);
  const isQuery = queryWords.has(wordOf(text, first));
  if (failure.phase === 'proof') return true;
  // What PostgreSQL says of a write's own table or columns is beside the point.
  const writes = !isQuery || writeInWith(text, query.tokens) !== undefined;
  return failure.phase === 'parse' && failure.sqlState !== '42601' && writes;
}

/** Whether the text only reads, and a function that it calls writes, as one of a view may. */
function isWriteInside(text: string, query: PreparedQuery, failure: DatabaseFailure): boolean {
  const isQuery = queryWords.has(wordOf(text, firstWord(text, query.tokens)));
  // A lock of rows is in the text itself.
  return (
    failure.sqlState === '25006' &&
    failure.phase === 'run' &&
    isQuery &&
    !/\bSELECT FOR /.test(failure.message)
  );
}

/** Finds the first word of a statement in WITH that writes. */
function writeInWith(text: string, tokens: readonly Token[]): Token | undefined {
  const wordAt = (index: number): string => wordOf(text, tokens[index]);
  return tokens.find(
    ({ kind }, index) =>
      kind === 'word' &&
      writingWords.has(wordAt(index)) &&
      wordAt(index - 1) === '(' &&
      ['AS', 'MATERIALIZED'].includes(wordAt(index - 2)),
  );
}

/** Finds the word that makes the statement a write: the first word or, in a query, the first writing keyword. */
function mutationWord(text: string, tokens: readonly Token[]): Token | undefined {
  const first = firstWord(text, tokens);
  if (!queryWords.has(wordOf(text, first))) return first;
  const writing = tokens.find((token) => token.kind === 'word' && writingWords.has(wordOf(text, token)));
  return writeInWith(text, tokens) ?? writing ?? first;
}

function mutationMessage(text: string, word: Token | undefined): string {
  const name = wordOf(text, word);
  return /^[A-Z]{2,20}$/.test(name) && !queryWords.has(name)
    ? `${name} is not permitted: the service only answers questions.`
    : 'The statement would change data, and the service only answers questions.';
}

function secondStatement(text: string, tokens: readonly Token[]): Token | undefined {
  const semicolon = tokens.findIndex((token) => text.slice(token.start, token.end) === ';');
  return tokens.slice(semicolon + 1).find((token) => text.slice(token.start, token.end) !== ';');
}

/** Returns PostgreSQL's hint, unless it tells a reader to do what only an owner may. */
function hintForReaders({ hint }: DatabaseFailure, query: PreparedQuery): string | undefined {
  if (hint === undefined) return undefined;
  return /^Use the REFRESH MATERIALIZED VIEW command/.test(hint)
    ? 'It has no rows yet. Its owner has to fill it: REFRESH MATERIALIZED VIEW.'
    : named(hint, query);
}

/** PostgreSQL rarely gives hints, so these cover the most common errors for which a general one helps. */
function hintOf(failure: DatabaseFailure, query: PreparedQuery): string | undefined {
  switch (failure.sqlState) {
    case '42601':
      return 'Look at the word named here and at what stands just before it.';
    case '42P01':
      return 'Tables of a model: SELECT table_name FROM information_schema.tables.';
    case '42883':
      return 'No function or operator takes these types; an explicit cast such as ::text may help.';
    case '42P18':
    case '42P08':
      return `Say the type of the parameter, for example ${query.names[0] === undefined ? ':name' : `:${query.names[0]}`}::text.`;
    case '42803':
      return 'Add the column to GROUP BY, or use it inside an aggregate function.';
    case '42501':
      return 'Queries of this model may not read it. Over your own database, its owner can allow that: GRANT USAGE on the schema and SELECT on the table.';
    default:
      return undefined;
  }
}
