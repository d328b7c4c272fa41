/**
 * Compares an evidence record with the current data and reports what matches, what differs, what is unknown, and why.
 * Pure: all data comes from the caller.
 */
import { lex } from '#server/language/text/lexer/lex.ts';
import { isReadableTrue } from './evidence-markdown.ts';
import { checksumOf, digestOfText, withPlainEnds, type Evidence } from './evidence.ts';

export type Outcome = 'matches' | 'differs' | 'unknown';

export interface Check {
  readonly subject:
    | 'record'
    | 'readable'
    | 'service'
    | 'text'
    | 'statement'
    | 'parameters'
    | 'columns'
    | 'count'
    | 'rows';
  readonly outcome: Outcome;
  /** The reason, with its values; format-checks.ts turns it into a sentence. */
  readonly reason: Reason;
}

export type Reason =
  | 'same'
  | 'checksum-differs'
  | 'readable-differs'
  | 'other-service'
  | 'not-connected'
  | 'text-from-service'
  | 'text-from-machine'
  | 'text-from-history'
  | 'text-from-editor'
  | 'text-from-file'
  | 'text-differs'
  | 'edited'
  | { readonly kind: 'not-kept'; readonly newest: number }
  | 'deleted'
  | { readonly kind: 'not-read'; readonly why: string }
  | 'never-saved'
  | 'statement-differs'
  | 'part-of-text'
  | 'statement-unknown'
  | 'secrets-entered'
  | 'columns-differ'
  | { readonly kind: 'count-differs'; readonly before: number; readonly now: number }
  | { readonly kind: 'more-on-service'; readonly count: number }
  | 'other-order'
  | 'rows-differ'
  | 'truncated-differ';

/** The query text and where it was found, or the reason that it is missing. */
export type FoundText =
  | {
      readonly kind: 'version';
      readonly text: string;
      readonly from: 'service' | 'machine' | 'editor' | 'file';
    }
  /** Only the executed statement, from the local history. */
  | { readonly kind: 'history'; readonly statement: string }
  | { readonly kind: 'missing'; readonly reason: Reason };

export function recordChecks(source: {
  readonly evidence: Evidence;
  /** The parsed JSON, including members that the format does not define. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly readable: string | undefined;
  /** The service of the active connection; undefined if not connected. */
  readonly service: string | undefined;
  readonly found: FoundText;
}): readonly Check[] {
  const { evidence, readable, service, found } = source;
  const isWhole = checksumOf(source.raw) === evidence.checksum;
  const checks: Check[] = [
    isWhole
      ? { subject: 'record', outcome: 'matches', reason: 'same' }
      : { subject: 'record', outcome: 'differs', reason: 'checksum-differs' },
  ];
  if (readable !== undefined) {
    checks.push(
      isReadableTrue(evidence, readable)
        ? { subject: 'readable', outcome: 'matches', reason: 'same' }
        : { subject: 'readable', outcome: 'differs', reason: 'readable-differs' },
    );
  }
  if (service === undefined) checks.push({ subject: 'service', outcome: 'unknown', reason: 'not-connected' });
  else if (service === evidence.connection.service)
    checks.push({ subject: 'service', outcome: 'matches', reason: 'same' });
  else checks.push({ subject: 'service', outcome: 'differs', reason: 'other-service' });
  return [...checks, ...textChecks(evidence, found)];
}

function textChecks(evidence: Evidence, found: FoundText): readonly Check[] {
  if (found.kind === 'missing') {
    return [
      { subject: 'text', outcome: 'unknown', reason: found.reason },
      { subject: 'statement', outcome: 'unknown', reason: 'statement-unknown' },
    ];
  }
  if (found.kind === 'history') {
    const reason = evidence.query.edited === true ? 'edited' : 'never-saved';
    return [
      { subject: 'text', outcome: 'unknown', reason },
      digestOfText(found.statement) === evidence.statement.sha256
        ? { subject: 'statement', outcome: 'matches', reason: 'text-from-history' }
        : { subject: 'statement', outcome: 'differs', reason: 'statement-differs' },
    ];
  }
  const isText = digestOfText(found.text) === evidence.query.sha256;
  const statement = statementIn(evidence, found.text);
  return [
    isText
      ? {
          subject: 'text',
          outcome: 'matches',
          reason: `text-from-${found.from}`,
        }
      : { subject: 'text', outcome: 'differs', reason: 'text-differs' },
    statement === undefined
      ? { subject: 'statement', outcome: 'differs', reason: 'statement-differs' }
      : {
          subject: 'statement',
          outcome: 'matches',
          reason: isAll(evidence, found.text) ? 'same' : 'part-of-text',
        },
  ];
}

/** Returns whether the text has nothing to run but the statement: of a selection, the rest may say what the query is for. */
function isAll({ statement: { start, length } }: Evidence, text: string): boolean {
  const { code } = lex(withPlainEnds(text));
  for (let index = 0; index < code.length; index += 1)
    if (!code.is(index, ';') && (code.start(index) < start || code.end(index) > start + length)) return false;
  return true;
}

/** Extracts the executed statement from the query text; undefined if it is not at the recorded position. */
export function statementIn({ statement }: Evidence, text: string): string | undefined {
  const part = withPlainEnds(text).slice(statement.start, statement.start + statement.length);
  return digestOfText(part) === statement.sha256 ? part : undefined;
}

/** Compares a later run of the same statement with the record. */
export function runChecks(before: Evidence, now: Evidence): readonly Check[] {
  const checks: Check[] = [];
  if (now.statement.sha256 !== before.statement.sha256)
    checks.push({ subject: 'statement', outcome: 'differs', reason: 'statement-differs' });
  if (before.parameters.some((parameter) => 'secret' in parameter))
    checks.push({ subject: 'parameters', outcome: 'unknown', reason: 'secrets-entered' });
  const hasSameColumns = JSON.stringify(before.columns) === JSON.stringify(now.columns);
  checks.push(
    hasSameColumns
      ? { subject: 'columns', outcome: 'matches', reason: 'same' }
      : { subject: 'columns', outcome: 'differs', reason: 'columns-differ' },
  );
  checks.push(countCheck(before.rows, now.rows));
  const isSame = before.rows.sha256 === now.rows.sha256;
  const isSameSet = before.rows.setSha256 === now.rows.setSha256;
  if (isSame) checks.push({ subject: 'rows', outcome: 'matches', reason: 'same' });
  else if (isSameSet && hasSameColumns)
    checks.push({ subject: 'rows', outcome: 'matches', reason: 'other-order' });
  else
    checks.push({
      subject: 'rows',
      outcome: 'differs',
      reason: before.rows.truncated ? 'truncated-differ' : 'rows-differ',
    });
  return checks;
}

function countCheck(before: Evidence['rows'], now: Evidence['rows']): Check {
  const totals = { before: before.total ?? before.count, now: now.total ?? now.count };
  const counts = { before: before.count, now: now.count };
  // With equal totals, the numbers that differ are those of the rows that were read.
  const differing = totals.before === totals.now ? counts : totals;
  if (counts.before !== counts.now || totals.before !== totals.now)
    return { subject: 'count', outcome: 'differs', reason: { kind: 'count-differs', ...differing } };
  if (before.truncated !== now.truncated && before.total === undefined)
    return { subject: 'count', outcome: 'differs', reason: { kind: 'more-on-service', count: now.count } };
  return { subject: 'count', outcome: 'matches', reason: 'same' };
}
