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
  switch (outcome) {
    case 'matches':
      return t('matches');
    case 'differs':
      return t('differs');
    case 'unknown':
      return t('not known');
    default:
      return outcome satisfies never;
  }
}

function subjectWords(subject: Check['subject']): string {
  switch (subject) {
    case 'record':
      return t('The record');
    case 'readable':
      return t('The readable part');
    case 'service':
      return t('The service');
    case 'text':
      return t('The text of the query');
    case 'statement':
      return t('The statement');
    case 'parameters':
      return t('Secret parameters');
    case 'columns':
      return t('The columns');
    case 'count':
      return t('The number of rows');
    case 'rows':
      return t('The rows');
    default:
      return subject satisfies never;
  }
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
  switch (reason) {
    case 'same':
      return t('As recorded.');
    case 'checksum-differs':
      return t('The checksum does not match: the record was changed or damaged.');
    case 'readable-differs':
      return t('It differs from the record. Only the record was checked.');
    case 'other-service':
      return t('This connection leads to a different service than the original run.');
    case 'not-connected':
      return t('Not connected.');
    case 'text-from-service':
      return t('This version on the service has the same text.');
    case 'text-from-machine':
      return t('The version on this machine has this text. The service now has a different one.');
    case 'text-from-history':
      return t('The run history on this machine contains this statement.');
    case 'text-from-editor':
      return t('An open document has this text.');
    case 'text-from-file':
      return t('The file has this text.');
    case 'text-differs':
      return t('This version has a different text.');
    case 'edited':
      return t('The text had unsaved edits when it ran, so no version contains it.');
    case 'deleted':
      return t('The service no longer has this query.');
    case 'never-saved':
      return t('The text was not saved when it ran.');
    case 'statement-differs':
      return t('The text does not contain this statement at the recorded position.');
    case 'part-of-text':
      return t('As recorded. It is only a part of the text: the rest did not run.');
    case 'statement-unknown':
      return t('There is no text to search.');
    case 'secrets-entered':
      return t('Secret values are not recorded. The values entered now may differ.');
    case 'columns-differ':
      return t('The result has different columns.');
    case 'other-order':
      return t('The same rows in a different order. The query may lack ORDER BY.');
    case 'rows-differ':
      return t('The rows differ: the data has changed since, or the record is false.');
    case 'truncated-differ':
      return t('The rows differ. Only some were recorded, and the query may not define their order.');
    default:
      return reason satisfies never;
  }
}
