/** Describes a finding about an assumption. Text from the service is truncated and escaped. */
import type { Finding, Seen, Verdict } from '#api/client/doctor/finding.ts';
import { UnfinishedListError } from '#api/client/errors.ts';
import type { AssumptionId } from '#api/contract/assumptions.ts';
import { recordCollectionIds } from '#api/contract/tables.ts';
import { escapeHidden } from '#base/shown-text/hidden-characters.ts';
import { t } from '#base/texts.ts';
import { pagingExample } from '../connections/parse-connection.ts';
import { failureOf } from '../failures/failure.ts';
import { assumptionWords } from './assumption-labels.ts';

export interface FindingWords {
  readonly title: string;
  /** The observed behavior. */
  readonly found: string;
  /** The consequence for users; undefined unless the service is known to differ. */
  readonly meaning: string | undefined;
}

export function findingWords({ id, verdict, seen }: Finding): FindingWords {
  const { title, meaning } = assumptionWords(id);
  return {
    title,
    found: sentenceOf(seen),
    meaning: verdict === 'differs' ? (particularMeaning(id, seen) ?? meaning) : undefined,
  };
}

/** Returns a consequence more specific than the assumption's; undefined if the finding has none. */
function particularMeaning(id: AssumptionId, seen: Seen): string | undefined {
  if (seen.kind === 'not-offered')
    return id === 'execute'
      ? t('No query can be run, so controls end with an error.')
      : t('The outcome of a change is not shown.');
  if (id === 'execute' && seen.kind === 'status')
    return t('Some queries are refused; the message of the service is shown.');
  if (id === 'parse-error' && seen.kind === 'status' && seen.code === 'QUERY_PARSE_ERROR')
    return t('Nothing: the code of an error decides, whatever its status is.');
  if (id === 'parse-error' && seen.kind === 'value')
    return t('Nothing where the service counts from 0, which is learned. Else the marker may be misplaced.');
  if (seen.kind === 'write-scope-refused') return t('Queries run, but nothing can be saved or changed.');
  if (seen.kind === 'secret-in-body') return t('Add "clientAuthentication": "body" to the connection.');
  if (seen.kind === 'tables' && id === 'model-columns')
    return t('Completion offers them, but no query can read them.');
  if (seen.kind === 'tables' && seen.tables.length < recordCollectionIds.length)
    return t('Their records cannot be opened by their ID.');
  if (seen.kind === 'paging') return t('Nothing: further pages are asked for in this way.');
  if (seen.kind === 'unpaged')
    return t(
      'A result is complete up to the number of rows that was seen at once. A longer one is marked as perhaps incomplete.',
    );
  if (seen.kind === 'paging-unknown')
    return t(
      'A result may have more rows than are shown. It is marked so, and no control passes on it. If you know how this service pages, write it into the connection, for example: {0}',
      `"execute": { "paging": ${pagingExample} }`,
    );
  return undefined;
}

export function verdictWord(verdict: Verdict): string {
  return {
    holds: t('holds'),
    differs: t('differs'),
    unknown: t('unknown'),
  }[verdict];
}

/** Describes how many findings have each verdict. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  return t(
    'Assumptions: {0} confirmed, {1} different, {2} not checkable by reading.',
    count('holds'),
    count('differs'),
    count('unknown'),
  );
}

const longestCode = 60;
/** Names of tables in a sentence. */
const mostTables = 10;

function sentenceOf(seen: Seen): string {
  switch (seen.kind) {
    case 'as-assumed':
      return t('As assumed.');
    case 'status':
      return seen.code === undefined
        ? t('{0} returned {1}.', seen.request, seen.status)
        : t(
            '{0} returned {1} ({2}).',
            seen.request,
            seen.status,
            escapeHidden(seen.code.slice(0, longestCode)),
          );
    case 'member':
      return t('The response to {0} has no `{1}` of the expected type.', seen.request, seen.member);
    case 'value':
      return t('The response to {0} has an unexpected value in `{1}`.', seen.request, seen.member);
    case 'tables': {
      const shown = seen.tables.slice(0, mostTables).map((name) => escapeHidden(name.slice(0, longestCode)));
      const more = seen.tables.length - shown.length;
      const tables = more === 0 ? shown.join(', ') : `${shown.join(', ')} ${t('and {0} more', more)}`;
      return t('{0} refuses to read these tables: {1}.', seen.request, tables);
    }
    case 'not-offered':
      return t('The service does not offer {0} ({1}).', seen.request, seen.status);
    case 'same-token':
      return t('{0} returned the same page token for two pages.', seen.request);
    case 'paging':
      return t(
        '{0} is paged by `{1}` and `{2}`, and the next page is named by `{3}`.',
        seen.request,
        seen.size,
        seen.token,
        seen.next,
      );
    case 'unpaged':
      return t('{0} returns all rows, whatever page size is requested.', seen.request);
    case 'paging-untested':
      return t(
        '{0} answers no query of two rows without a table. A result that has more pages shows how; one that may have more is marked so.',
        seen.request,
      );
    case 'paging-unknown':
      return t(
        '{0} does not return all rows at once, and does not tell how to request the others.',
        seen.request,
      );
    case 'methods':
      return t('{0} does not allow {1}.', seen.path, seen.missing.join(', '));
    case 'methods-untold':
      return t('The service does not report which methods a path allows.');
    case 'nothing-there':
      return t('{0} returned nothing to check.', seen.request);
    case 'needs-write':
      return t('Only a change would show this, and this test changes nothing.');
    case 'needs-rate-limit':
      return t('Only sending too many requests would show this.');
    case 'write-scope-refused':
      return t('The token endpoint grants this client the read scope but not the write scope.');
    case 'secret-in-body':
      return t('The secret was refused with HTTP Basic and accepted in the request body.');
    case 'no-answer': {
      const failure = failureOf(seen.error);
      if (failure.kind === 'cancelled') return t('Cancelled.');
      return seen.error instanceof UnfinishedListError
        ? failure.message
        : t('No response: {0}', failure.message);
    }
    default:
      return seen satisfies never;
  }
}
