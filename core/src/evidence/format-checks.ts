/** Formats an evidence record's checks, and the report that lists them. */
import { t } from '#base/texts.ts';
import { plainMarkdown } from '#base/words/markdown.ts';
import { numberText } from '#base/words/number-text.ts';
import { rowCountText } from '#base/words/row-count.ts';
import type { Check, Outcome, Reason } from './checks.ts';
import type { Evidence } from './evidence.ts';

export function reportText(
  evidence: Evidence,
  checks: readonly Check[],
  run: { readonly state: 'none' | 'running' | 'done' } | { readonly state: 'ended'; readonly why: string },
): string {
  const { query } = evidence;
  const version = query.version === undefined ? '' : ` v${query.version}`;
  return [
    `# ${t('Evidence of {0}', plainMarkdown(query.name) + version)}`,
    '',
    `**${summaryOf(checks)}**`,
    '',
    t(
      'Run on {0} at {1} (UTC), {2}.',
      plainMarkdown(evidence.connection.name),
      evidence.finishedAt,
      rowCountText(evidence.rows.count),
    ),
    '',
    `| | ${t('What')} | ${t('Why')} |`,
    '| --- | --- | --- |',
    ...checks.map(
      (check) =>
        `| ${signs[check.outcome]} ${outcomeWords(check.outcome)} | ${subjectWords(check.subject)} | ${plainMarkdown(reasonWords(check.reason))} |`,
    ),
    '',
    runWords(run),
    '',
    t(
      "Evidence is not signed: anyone who can change a record can also recompute its checksum. Texts and rows are compared with the service's current data.",
    ),
    '',
  ].join('\n');
}

/** One line for the terminal. */
export function checkLine({ outcome, subject, reason }: Check): string {
  return `${outcomeWords(outcome)}  ${subjectWords(subject)}: ${reasonWords(reason)}`;
}

const signs: Readonly<Record<Outcome, string>> = { matches: '✓', differs: '✗', unknown: '?' };

export function summaryOf(checks: readonly Check[]): string {
  const differing = checks.filter((check) => check.outcome === 'differs').length;
  const unknown = checks.filter((check) => check.outcome === 'unknown').length;
  const all = checks.length;
  if (differing > 0) return t('{0} of {1} checks differ.', differing, all);
  if (unknown > 0) return t('{0} of {1} checks match, {2} could not run.', all - unknown, all, unknown);
  return all === 1 ? t('The check matches.') : t('All {0} checks match.', all);
}

function runWords(
  run: { readonly state: 'none' | 'running' | 'done' } | { readonly state: 'ended'; readonly why: string },
): string {
  switch (run.state) {
    case 'none':
      return t(
        'The rows were not compared. *Run Again and Compare* runs the statement with the same values and compares the rows.',
      );
    case 'running':
      return t('The statement is running again. Its rows appear here.');
    case 'done':
      return t('The statement was run again; its rows are in the result panel.');
    case 'ended':
      return t('The statement was not run again: {0}', plainMarkdown(run.why));
    default:
      return run satisfies never;
  }
}

function outcomeWords(outcome: Outcome): string {
  return {
    matches: t('matches'),
    differs: t('differs'),
    unknown: t('not known'),
  }[outcome];
}

function subjectWords(subject: Check['subject']): string {
  return {
    record: t('The record'),
    readable: t('The readable part'),
    service: t('The service'),
    text: t('The text of the query'),
    statement: t('The statement'),
    parameters: t('Secret parameters'),
    columns: t('The columns'),
    count: t('The number of rows'),
    rows: t('The rows'),
  }[subject];
}

function reasonWords(reason: Reason): string {
  if (typeof reason === 'object') {
    switch (reason.kind) {
      case 'not-kept':
        return t(
          'The service now has version {0} and returns only the newest. This version was never opened on this machine.',
          reason.newest,
        );
      case 'not-read':
        return t('The query could not be read: {0}', reason.why);
      case 'count-differs':
        return t('{0} then, {1} now.', numberText(reason.before), numberText(reason.now));
      case 'more-on-service':
        return t('Both runs read {0}, but only one of them had more rows.', rowCountText(reason.count));
      default:
        return reason satisfies never;
    }
  }
  return plainReasonWords(reason);
}

function plainReasonWords(reason: Exclude<Reason, object>): string {
  return {
    same: t('As recorded.'),
    'checksum-differs': t('The checksum does not match: the record was changed or damaged.'),
    'readable-differs': t('It differs from the record. Only the record was checked.'),
    'other-service': t('This connection leads to a different service than the original run.'),
    'not-connected': t('Not connected.'),
    'text-from-service': t('This version on the service has the same text.'),
    'text-from-machine': t('The version on this machine has this text. The service now has a different one.'),
    'text-from-history': t('The run history on this machine contains this statement.'),
    'text-from-editor': t('An open document has this text.'),
    'text-from-file': t('The file has this text.'),
    'text-differs': t('This version has a different text.'),
    edited: t('The text had unsaved edits when it ran, so no version contains it.'),
    deleted: t('The service no longer has this query.'),
    'never-saved': t('The text was not saved when it ran.'),
    'statement-differs': t('The text does not contain this statement at the recorded position.'),
    'part-of-text': t('As recorded. It is only a part of the text: the rest did not run.'),
    'statement-unknown': t('There is no text to search.'),
    'secrets-entered': t('Secret values are not recorded. The values entered now may differ.'),
    'columns-differ': t('The result has different columns.'),
    'other-order': t('The same rows in a different order. The query may lack ORDER BY.'),
    'rows-differ': t('The rows differ: the data has changed since, or the record is false.'),
    'truncated-differ': t(
      'The rows differ. Only some were recorded, and the query may not define their order.',
    ),
  }[reason];
}
