/**
 * The read-only proof. It fails closed: SQL is proven only if PostgreSQL's grammar parses it as exactly one SELECT that
 * does not write, create or lock anything. All its calls must be free of side effects. Anything unknown is not proven.
 */
import { t } from '#base/texts.ts';
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type { StatementSpan } from '#server/language/text/statements.ts';
import { replacementOf } from '#server/language/types/catalogue/foreign-names.ts';
import type { CalledPart, ReadOnlyVerdict } from '#server/protocol.ts';
import { finding, type Finding } from '../finding.ts';
import type { Call, ParsedStatement, WritingPart } from '../parser.ts';
import { calledName, callFindings } from './call-findings.ts';
import { sideEffectInWords } from './side-effect-labels.ts';

export interface Proof {
  readonly verdict: ReadOnlyVerdict;
  /** The calls that determined the verdict. */
  readonly calls?: readonly CalledPart[];
  readonly findings: readonly Finding[];
}

/** @param span the statement; its start is the start of the parsed text */
export function proveReadOnly(code: TokenList, span: StatementSpan, parsed: ParsedStatement): Proof {
  const isQuery = parsed.node === 'SelectStmt' || parsed.node in writers;
  // In a utility statement (EXPLAIN DELETE ...) the command itself is the problem.
  const parts: readonly WritingPart[] = isQuery
    ? parsed.writingParts
    : [{ kind: 'statement', node: parsed.node }];
  // Parts without an anchor are looked for in the whole statement, and all of a kind are found at the same place.
  const different = new Map(parts.map((part) => [`${part.kind} ${part.node} ${part.anchor ?? ''}`, part]));
  const findings = [...different.values()].map((part) => describe(code, span, part));
  if (findings.length > 0) return { verdict: 'not-read-only', findings: withoutRepeats(findings) };
  if (parsed.statementCount !== 1) {
    const message = t(
      'Could not be verified: PostgreSQL counts a different number of statements here. Run asks before it sends the query.',
    );
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

function toPart(call: Call): CalledPart {
  const name = calledName(call);
  const instead = call.kind === 'function' && call.does === undefined ? replacementOf(name) : undefined;
  return {
    kind: call.kind === 'attribute' || call.kind === 'column' ? 'function' : call.kind,
    name,
    ...(call.does === undefined ? {} : { does: sideEffectInWords(call.does) }),
    ...(instead === undefined ? {} : { instead }),
    ...(call.isOfNull === undefined ? {} : { isOfNull: call.isOfNull }),
    ...(call.rowFields === undefined ? {} : { rowFields: call.rowFields }),
  };
}

/** Orders the verdicts from harmless to harmful. */
const caution: Readonly<Record<ReadOnlyVerdict, number>> = {
  'read-only': 0,
  'unknown-function': 1,
  'side-effects': 2,
  unverified: 3,
  'syntax-error': 3,
  'not-read-only': 4,
};

/**
 * Returns the proof, unless the text has a second reading because a backslash may escape a quote. `others` are the
 * proofs of that reading's statements. If one of them has a syntax error, the server would reject the whole text, so
 * the second reading is harmless.
 */
export function unlessMisread(code: TokenList, token: number, proof: Proof, others: readonly Proof[]): Proof {
  const isHarmless =
    others.some(({ verdict }) => verdict === 'syntax-error') ||
    (others.length === 1 && others.every(({ verdict }) => caution[verdict] <= caution[proof.verdict]));
  if (isHarmless) return proof;
  const message = t(
    'Could not be verified: a server with `standard_conforming_strings` off reads the quote after this backslash as part of the string, so the rest means something else. Put E before the string and double the backslash. Run asks before it sends it.',
  );
  const found = finding('COULD_NOT_BE_VERIFIED', message, code.start(token), code.end(token));
  return { verdict: 'unverified', findings: [...proof.findings, found] };
}

/** Returns whether the statement is a single SELECT that writes nothing, apart from the effects of its functions. */
export const isOneQuery = (verdict: ReadOnlyVerdict): boolean =>
  verdict === 'read-only' || verdict === 'side-effects' || verdict === 'unknown-function';

function verdictOf(calls: readonly Call[]): ReadOnlyVerdict {
  if (calls.some(({ does }) => does !== undefined)) return 'side-effects';
  return calls.length > 0 ? 'unknown-function' : 'read-only';
}

function describe(code: TokenList, span: StatementSpan, part: WritingPart): Finding {
  switch (part.kind) {
    case 'into': {
      const at = lastBefore(code, span, part.anchor, (word) => word === 'into');
      return mutation(code, at, at, t('SELECT INTO creates a table. Remove INTO and the name after it.'));
    }
    case 'lock':
      return describeLock(code, span);
    case 'statement':
      return describeStatement(code, span, part);
  }
}

const writers: Readonly<Record<string, { readonly word: string; readonly does: () => string }>> = {
  InsertStmt: {
    word: 'insert',
    does: () => t('INSERT adds rows, and only SELECT statements run here.'),
  },
  UpdateStmt: {
    word: 'update',
    does: () => t('UPDATE changes rows, and only SELECT statements run here.'),
  },
  DeleteStmt: {
    word: 'delete',
    does: () => t('DELETE removes rows, and only SELECT statements run here.'),
  },
  MergeStmt: {
    word: 'merge',
    does: () => t('MERGE changes rows, and only SELECT statements run here.'),
  },
};

function describeStatement(code: TokenList, span: StatementSpan, part: WritingPart): Finding {
  const writer = writers[part.node];
  if (writer === undefined) {
    const first = span.firstToken;
    const command = code.textOf(first).toUpperCase();
    const message = t('{0} is not a SELECT statement, and only SELECT statements run here.', command);
    const advice = command === 'EXPLAIN' ? ` ${t('Remove EXPLAIN to run the query itself.')}` : '';
    return mutation(code, first, first, message + advice);
  }
  const at = lastBefore(code, span, part.anchor, (word) => word === writer.word);
  const advice =
    at === span.firstToken
      ? t('To see the affected rows, write a SELECT with the same conditions.')
      : t('Replace it with a SELECT.');
  return mutation(code, at, at, `${writer.does()} ${advice}`);
}

function describeLock(code: TokenList, span: StatementSpan): Finding {
  const strengths = ['update', 'share', 'no', 'key'];
  for (let index = span.firstToken; index < span.lastToken; index++) {
    if (code.word(index) === 'for' && strengths.includes(code.word(index + 1))) {
      let last = index + 1;
      while (last < span.lastToken && ['no', 'key'].includes(code.word(last))) last++;
      const clause = code.text.slice(code.start(index), code.end(last)).toUpperCase().replaceAll(/\s+/g, ' ');
      return mutation(
        code,
        index,
        last,
        t('{0} locks the rows it reads. Remove the clause: queries here are read-only.', clause),
      );
    }
  }
  const first = span.firstToken;
  return mutation(code, first, first, t('A row lock is not allowed: queries here are read-only.'));
}

function mutation(code: TokenList, first: number, last: number, message: string): Finding {
  return finding('MUTATION_NOT_ALLOWED', message, code.start(first), code.end(last));
}

/**
 * Returns the nearest wanted keyword before the anchor; if there is none, the first one in the statement, and failing
 * that, the statement's first token.
 */
function lastBefore(
  code: TokenList,
  span: StatementSpan,
  anchor: number | undefined,
  isWanted: (word: string) => boolean,
): number {
  const from = anchor === undefined ? span.lastToken : Math.min(code.at(span.start + anchor), span.lastToken);
  let found: number | undefined;
  for (let index = from; index >= span.firstToken; index--) {
    if (!isWanted(code.word(index))) continue;
    found = index;
    if (anchor !== undefined) break;
  }
  return found ?? span.firstToken;
}

/** Two nodes may describe the same part, as in EXPLAIN DELETE, so one finding per position is enough. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<number>();
  return findings.filter(({ start }) => !seen.has(start) && seen.add(start).size > 0);
}
