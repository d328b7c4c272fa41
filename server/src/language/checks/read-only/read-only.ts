/**
 * The read-only proof. It fails closed: only a text that PostgreSQL's grammar reads as exactly one SELECT, without any
 * part that writes, creates or locks, and that calls nothing but what only computes, is proven; whatever is not known
 * is not proven.
 */
import type { CalledPart, ReadOnlyVerdict } from '../../../protocol.ts';
import { calledName, callFindings } from './call-findings.ts';
import { finding, type Finding } from '../finding.ts';
import type { TokenList } from '../../text/lexer/tokens.ts';
import type { Call, ParsedStatement, WritingPart } from '../parser.ts';
import type { StatementSpan } from '../../text/statements.ts';

export interface Proof {
  readonly verdict: ReadOnlyVerdict;
  /** What the verdict is about where it is about what the statement calls. */
  readonly calls?: readonly CalledPart[];
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
  const { calls } = parsed;
  return {
    verdict: verdictOf(calls),
    ...(calls.length === 0 ? {} : { calls: calls.map(toPart) }),
    findings: callFindings(code, span, calls),
  };
}

const toPart = (call: Call): CalledPart => ({
  kind: call.kind === 'attribute' || call.kind === 'column' ? 'function' : call.kind,
  name: calledName(call),
  ...(call.does === undefined ? {} : { does: call.does }),
});

/** From what is known to be harmless to what is known not to be. */
const caution: Readonly<Record<ReadOnlyVerdict, number>> = {
  'read-only': 0,
  'unknown-function': 1,
  'side-effects': 2,
  unverified: 3,
  'syntax-error': 3,
  'not-read-only': 4,
};

/**
 * The proof, unless the text is something else where a backslash hides the quote behind it. `others` are the proofs of
 * its statements in that reading: a text with a syntax error is refused as a whole, so that it does no harm.
 */
export function unlessMisread(code: TokenList, token: number, proof: Proof, others: readonly Proof[]): Proof {
  const isHarmless =
    others.some(({ verdict }) => verdict === 'syntax-error') ||
    (others.length === 1 && others.every(({ verdict }) => caution[verdict] <= caution[proof.verdict]));
  if (isHarmless) {
    return proof;
  }
  const message =
    'Could not be verified: a server with `standard_conforming_strings` off takes the quote behind this backslash into the string, and what follows means something else. Write it as a string with E before it and the backslash doubled. Run asks before it sends it.';
  const found = finding('COULD_NOT_BE_VERIFIED', message, code.start(token), code.end(token));
  return { verdict: 'unverified', findings: [...proof.findings, found] };
}

/** Whether it is one SELECT that writes nothing itself, whatever the functions do that it calls. */
export const isOneQuery = (verdict: ReadOnlyVerdict): boolean =>
  verdict === 'read-only' || verdict === 'side-effects' || verdict === 'unknown-function';

function verdictOf(calls: readonly Call[]): ReadOnlyVerdict {
  if (calls.some(({ does }) => does !== undefined)) {
    return 'side-effects';
  }
  return calls.length > 0 ? 'unknown-function' : 'read-only';
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
