/**
 * The read-only proof. It fails closed: only a text that PostgreSQL's grammar reads as exactly one SELECT, without any
 * part that writes, creates or locks, is proven; whatever is not known is not proven.
 */
import type { ReadOnlyVerdict } from '../protocol.ts';
import { finding, type Finding } from './findings.ts';
import type { TokenList } from './lexer/tokens.ts';
import { nameAt } from './names.ts';
import type { ParsedStatement, WritingPart } from './parser.ts';
import { effectOf } from './side-effects.ts';
import type { StatementSpan } from './statements.ts';

export interface Proof {
  readonly verdict: ReadOnlyVerdict;
  readonly findings: readonly Finding[];
}

/** `span.start` is where the parsed text begins in the text of the tokens. */
export function proveReadOnly(code: TokenList, span: StatementSpan, parsed: ParsedStatement): Proof {
  const isQuery = parsed.node === 'SelectStmt' || parsed.node in writers;
  // Of a utility statement (EXPLAIN DELETE ...) the command itself is what is wrong.
  const parts: readonly WritingPart[] = isQuery
    ? parsed.writingParts
    : [{ kind: 'statement', node: parsed.node }];
  const findings = parts.map((part) => describe(code, span, part));
  if (findings.length > 0) {
    return { verdict: 'not-read-only', findings: withoutRepeats(findings) };
  }
  if (parsed.statementCount !== 1) {
    const message =
      'Could not be verified: PostgreSQL reads another number of statements here. Run asks before it sends the query.';
    const unverified = finding('COULD_NOT_BE_VERIFIED', message, span.start, code.end(span.firstToken));
    return { verdict: 'unverified', findings: [unverified] };
  }
  return { verdict: 'read-only', findings: [] };
}

/** Calls of functions that do more than compute. The parser says that there is one, the tokens say where. */
export function findSideEffects(
  code: TokenList,
  span: StatementSpan,
  parsed: ParsedStatement,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (parsed.effectfulFunctions.length === 0) {
    return findings;
  }
  for (let index = span.firstToken; index <= span.lastToken; index++) {
    const name = code.is(index + 1, '(') || isAttribute(code, index) ? nameAt(code, index) : undefined;
    const schema = code.is(index - 1, '.') ? nameAt(code, index - 2) : undefined;
    const effect = name === undefined ? undefined : effectOf(name, schema);
    if (name !== undefined && effect !== undefined && parsed.effectfulFunctions.includes(name)) {
      const message = `${name} ${effect}, even when a SELECT calls it. Leave it out unless you mean it.`;
      findings.push(finding('SIDE_EFFECT_FUNCTION', message, code.start(index), code.end(index)));
    }
  }
  return findings;
}

/** `(value).name`, which calls a function of that name with the value. */
function isAttribute(code: TokenList, index: number): boolean {
  return code.is(index - 1, '.') && (code.is(index - 2, ')') || code.is(index - 2, ']'));
}

function describe(code: TokenList, span: StatementSpan, part: WritingPart): Finding {
  switch (part.kind) {
    case 'into': {
      const at = lastBefore(code, span, part.anchor, (word) => word === 'into');
      return mutation(code, at, at, 'SELECT INTO creates a table. Remove INTO and the name after it.');
    }
    case 'lock':
      return describeLock(code, span);
    case 'statement':
      return describeStatement(code, span, part);
  }
}

const writers: Readonly<Record<string, { readonly word: string; readonly does: string }>> = {
  InsertStmt: { word: 'insert', does: 'INSERT adds rows' },
  UpdateStmt: { word: 'update', does: 'UPDATE changes rows' },
  DeleteStmt: { word: 'delete', does: 'DELETE removes rows' },
  MergeStmt: { word: 'merge', does: 'MERGE changes rows' },
};

function describeStatement(code: TokenList, span: StatementSpan, part: WritingPart): Finding {
  const writer = writers[part.node];
  if (writer === undefined) {
    const first = span.firstToken;
    const command = code.textOf(first).toUpperCase();
    const message = `${command} is not a SELECT statement, and only SELECT statements run here.`;
    const advice = command === 'EXPLAIN' ? ' Remove EXPLAIN to run the query itself.' : '';
    return mutation(code, first, first, message + advice);
  }
  const at = lastBefore(code, span, part.anchor, (word) => word === writer.word);
  const advice =
    at === span.firstToken
      ? 'To see the rows it concerns, write a SELECT with the same conditions.'
      : 'Replace it by a SELECT.';
  return mutation(code, at, at, `${writer.does}, and only SELECT statements run here. ${advice}`);
}

function describeLock(code: TokenList, span: StatementSpan): Finding {
  const strengths = ['update', 'share', 'no', 'key'];
  for (let index = span.firstToken; index < span.lastToken; index++) {
    if (code.word(index) === 'for' && strengths.includes(code.word(index + 1))) {
      let last = index + 1;
      while (last < span.lastToken && ['no', 'key'].includes(code.word(last))) {
        last++;
      }
      const clause = code.text.slice(code.start(index), code.end(last)).toUpperCase().replaceAll(/\s+/g, ' ');
      return mutation(
        code,
        index,
        last,
        `${clause} locks the rows it reads. Remove the clause: a query here only reads.`,
      );
    }
  }
  const first = span.firstToken;
  return mutation(code, first, first, 'A row lock is not allowed: a query here only reads.');
}

function mutation(code: TokenList, first: number, last: number, message: string): Finding {
  return finding('MUTATION_NOT_ALLOWED', message, code.start(first), code.end(last));
}

/** The key word closest before the anchor; without one, the first in the statement; else the statement's first token. */
function lastBefore(
  code: TokenList,
  span: StatementSpan,
  anchor: number | undefined,
  isWanted: (word: string) => boolean,
): number {
  const from = anchor === undefined ? span.lastToken : Math.min(code.at(span.start + anchor), span.lastToken);
  const indexes = Array.from({ length: from - span.firstToken + 1 }, (_, index) => from - index);
  const found = anchor === undefined ? indexes.findLast(isIt) : indexes.find(isIt);
  return found ?? span.firstToken;

  function isIt(index: number): boolean {
    return isWanted(code.word(index));
  }
}

/** The same part may be named by two nodes (EXPLAIN DELETE): one finding a place is enough. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<number>();
  return findings.filter(({ start }) => !seen.has(start) && seen.add(start).size > 0);
}
