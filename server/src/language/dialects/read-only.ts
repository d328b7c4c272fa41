/**
 * The read-only proof for other dialects. Their parser is not authoritative and misreads some SQL, so two sources must
 * agree: the tree contains only SELECT statements, and the tokens contain no potentially harmful words. Anything else
 * is not proven.
 */
import { t } from '#base/texts.ts';
import { finding, type Finding } from '../checks/finding.ts';
import type { Proof } from '../checks/read-only/read-only.ts';
import { dialectTraits, type Dialect } from '../text/dialects.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { endOfLineAt } from '../text/lines.ts';
import type { StatementSpan } from '../text/statements.ts';
import { dialectEffects } from './effects.ts';
import type { ProvenMistake } from './mistakes.ts';
import type { DialectOutcome } from './outcome.ts';

/** First words of statements other than queries. */
const commands: ReadonlySet<string> = new Set(
  `alter analyze attach backup begin call checkpoint commit copy create dbcc deallocate declare delete deny describe detach do
   drop exec execute explain export grant handler import insert kill load lock merge optimize pragma prepare put
   reindex remove rename replace reset restore revoke rollback savepoint set show shutdown start truncate undrop
   unload unlock unset update upsert use vacuum`.split(/\s+/),
);
/** Words that occur in a SELECT only if it writes, locks or reaches outside the database. */
const suspiciousWords: ReadonlySet<string> = new Set(
  'insert update delete merge upsert into outfile dumpfile truncate lock'.split(' '),
);
/** Words that could start another statement in dialects that do not require semicolons. */
const runOnWords: ReadonlySet<string> = new Set(
  `alter backup begin bulk checkpoint commit create dbcc deny declare disable drop enable exec execute go goto grant if kill
   opendatasource openquery openrowset print raiserror receive reconfigure restore return revert revoke rollback save
   send set shutdown throw updatetext use waitfor while writetext`.split(/\s+/),
);

/** `ambiguousAt` comes from lexing the whole text. */
export function proveDialectReadOnly(
  code: TokenList,
  span: StatementSpan,
  given: {
    readonly dialect: Dialect;
    readonly outcome: DialectOutcome;
    /** The proven mistake in a rejected statement, if any. */
    readonly mistake?: ProvenMistake | undefined;
    readonly ambiguousAt: number | undefined;
  },
): Proof {
  const { dialect, outcome, mistake, ambiguousAt } = given;
  const first = span.firstToken;
  if (commands.has(code.word(first))) {
    const command = code.textOf(first).toUpperCase();
    const message = t('{0} is not a SELECT statement, and only SELECT statements run here.', command);
    return refused(code, first, message);
  }
  switch (outcome.kind) {
    case 'gave-up':
      return unverified(code, first, t('the statement is too large or too deeply nested to check.'));
    case 'syntax-error':
      return rejected(code, span, dialect, { offset: outcome.offset, mistake });
    case 'parsed':
  }
  const doubtful = suspiciousToken(code, span, dialect);
  if (outcome.writing.length > 0) {
    return doubtful === undefined || !suspiciousWords.has(code.word(doubtful))
      ? unverified(code, doubtful ?? first, t('a part of the statement may do more than read.'))
      : refused(code, doubtful, describeWriting(code, doubtful));
  }
  if (outcome.statementTypes.length !== 1 || outcome.statementTypes[0] !== 'select')
    return unverified(code, first, t('this could not be parsed as one SELECT statement.'));
  if (doubtful !== undefined)
    return unverified(code, doubtful, t('{0} may do more than read.', code.textOf(doubtful).toUpperCase()));
  if (ambiguousAt !== undefined) {
    const { title } = dialectTraits[dialect];
    const at = code.at(ambiguousAt);
    return unverified(
      code,
      at < code.length ? at : first,
      t('The text from here on is ambiguous in {0}.', title),
    );
  }
  const effects = dialectEffects(code, span, dialect);
  return effects === undefined
    ? { verdict: 'read-only', findings: [] }
    : { verdict: 'side-effects', ...effects };
}

/** Returns the first token that a harmless SELECT would not contain. */
function suspiciousToken(
  code: TokenList,
  { firstToken, lastToken }: StatementSpan,
  dialect: Dialect,
): number | undefined {
  const runsOn = dialectTraits[dialect].statementsRunOn === true;
  for (let index = firstToken; index <= lastToken; index++) {
    const word = code.word(index);
    const isField = code.is(index - 1, '.');
    if (
      (!isField && (suspiciousWords.has(word) || (runsOn && runOnWords.has(word)))) ||
      (word === 'for' && ['share', 'no', 'key'].includes(code.word(index + 1))) ||
      (word === 'next' && code.word(index + 1) === 'value') ||
      word === 'nextval' ||
      code.is(index, ':=') ||
      // REPLACE is a function in MySQL, but a statement inside WITH in other dialects.
      (word === 'replace' && !isField && !code.is(index + 1, '(') && !code.is(index - 1, '*'))
    ) {
      return index;
    }
  }
  return undefined;
}

function describeWriting(code: TokenList, index: number): string {
  const word = code.textOf(index).toUpperCase();
  switch (word) {
    case 'INTO':
      return t('SELECT INTO writes the rows it reads. Remove the INTO clause.');
    case 'LOCK':
      return t('A row lock is not allowed: queries here are read-only.');
    default:
      return code.word(index - 1) === 'for'
        ? t('FOR {0} locks the rows it reads. Remove the clause: queries here are read-only.', word)
        : t('{0} changes data, and only SELECT statements run here. Replace it with a SELECT.', word);
  }
}

function refused(code: TokenList, index: number, message: string): Proof {
  const found = finding('MUTATION_NOT_ALLOWED', message, code.start(index), code.end(index));
  return { verdict: 'not-read-only', findings: [found] };
}

function unverified(code: TokenList, index: number, reason: string): Proof {
  const message = t('Could not be verified: {0} Run asks before it sends it.', reason);
  const found = finding('COULD_NOT_BE_VERIFIED', message, code.start(index), code.end(index));
  return { verdict: 'unverified', findings: [found] };
}

/** Reports a warning if the statement is certainly wrong; otherwise, the incomplete grammar may be at fault. */
function rejected(
  code: TokenList,
  span: StatementSpan,
  dialect: Dialect,
  { offset, mistake }: { readonly offset: number | undefined; readonly mistake: ProvenMistake | undefined },
): Proof {
  const { title } = dialectTraits[dialect];
  const near = (index: number): string =>
    index > span.lastToken
      ? t('at the end of the statement')
      : t('at or near "{0}"', shortened(code.textOf(index)));
  if (mistake === undefined) {
    const stop = span.start + (offset ?? 0);
    const index = stop >= span.end ? span.lastToken + 1 : code.at(stop);
    const reason = t('the {0} grammar here is incomplete, and parsing ended {1}.', title, near(index));
    return unverified(code, Math.min(index, span.lastToken), reason);
  }
  const { at, advice, fix } = mistake;
  const shown = Math.min(at, span.lastToken);
  const message = t('Could not be parsed as {0} {1}. {2}', title, near(at), advice.text);
  const start = code.start(shown);
  // An unterminated string extends to the end of the text, so only its first line is marked.
  const end = Math.max(start + 1, Math.min(code.end(shown), endOfLineAt(code.text, start)));
  const found: Finding = { ...finding('QUERY_PARSE_ERROR', message, start, end), severity: 'warning' };
  return { verdict: 'unverified', findings: [fix === undefined ? found : { ...found, fix }] };
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
