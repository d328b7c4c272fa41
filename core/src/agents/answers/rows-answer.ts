/** Turns the pages of a run into a response that is masked by origin, safe to read, and within the limits. */
import type { QueryPage } from '#api/client/query-page.ts';
import type { AgentLimits } from '#core/policy/agent-levels.ts';
import { originsOfResult, type Masker } from '#core/policy/masking/masker.ts';
import type { Origin } from '#core/policy/masking/origin.ts';
import type { OriginColumns } from '#core/policy/masking/relations.ts';
import { fitName, fitValue } from './fit-values.ts';

export interface AnswerColumn {
  readonly name: string;
  readonly type: string;
  /** The replacement for masked values: `token` (equal values get equal tokens) or `hidden`. */
  readonly masked?: 'token' | 'hidden';
}

export interface RowsAnswer {
  readonly status: 'complete' | 'truncated';
  readonly reason?: string;
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly rowCount: number;
}

export interface RowsWanted {
  readonly expected: OriginColumns;
  readonly masker: Masker;
  readonly limits: AgentLimits;
  /** The requested row limit, capped by `limits`. */
  readonly maxRows: number | undefined;
}

/** Returns the maximum number of rows to show. */
export const shownMax = ({ limits, maxRows }: Pick<RowsWanted, 'limits' | 'maxRows'>): number =>
  Math.min(limits.maxRows, maxRows ?? limits.maxRows);

export async function answerRows(pages: AsyncIterable<QueryPage>, wanted: RowsWanted): Promise<RowsAnswer> {
  const most = shownMax(wanted);
  const rows: (readonly unknown[])[] = [];
  let columns: readonly AnswerColumn[] = [];
  let bytes = 0;
  let headBytes = 0;
  const cuts = { count: 0 };
  const noteCut = () => void (cuts.count += 1);
  let total = 0;
  let isPerhapsPartial = false;
  const answer = (reason?: string): RowsAnswer => ({
    status: reason === undefined ? 'complete' : 'truncated',
    ...(reason === undefined ? {} : { reason }),
    columns,
    rows,
    rowCount: rows.length,
  });
  for await (const page of pages) {
    total = page.rowCount ?? total;
    isPerhapsPartial = page.isPerhapsPartial === true;
    const names = page.columns.map(({ name }) => name);
    // If a page's columns differ from those of earlier pages, the whole page is masked.
    const origins = originsOfResult(wanted.expected, names);
    if (columns.length === 0 || names.length > 0)
      columns = page.columns.map((column, at) => told(column, origins[at]));
    headBytes = Buffer.byteLength(JSON.stringify(columns));
    // The limit counts the whole response: thousands of columns are too much without any row.
    if (headBytes + bytes > wanted.limits.maxBytes) {
      columns = startOf(columns, wanted.limits.maxBytes);
      rows.length = 0;
      return answer(
        `The columns alone are more than ${wanted.limits.maxBytes} bytes, the most that a response contains: select fewer.`,
      );
    }
    for (const row of page.rows) {
      if (rows.length >= most) return answer(rowsReason(most));
      const masked = row.map((value, at) =>
        at < origins.length ? fitValue(wanted.masker.mask(value, origins[at]), noteCut) : 'value:****',
      );
      bytes += Buffer.byteLength(JSON.stringify(masked)) + 1;
      if (headBytes + bytes > wanted.limits.maxBytes)
        return answer(
          `There are more rows. A response contains at most ${wanted.limits.maxBytes} bytes: select fewer columns, or narrow the query.`,
        );
      rows.push(masked);
    }
    if (rows.length >= most && page.nextPageToken !== undefined) return answer(rowsReason(most));
  }
  if (isPerhapsPartial)
    return answer(
      'The service does not tell whether there are more rows than these: they may be incomplete.',
    );
  return total > rows.length
    ? answer(`The service reports ${total} rows, but sent only ${rows.length}: the others are missing.`)
    : answer(cuts.count > 0 ? 'All rows are here, but some values were cut. They end with "…".' : undefined);
}

/** Returns the first columns that fit, so that the response says what there is. */
function startOf(columns: readonly AnswerColumn[], maxBytes: number): readonly AnswerColumn[] {
  let bytes = 2;
  return columns.filter((column) => (bytes += Buffer.byteLength(JSON.stringify(column)) + 1) <= maxBytes);
}

const rowsReason = (most: number): string =>
  `There are more rows. A response contains at most ${most}: narrow the query with WHERE, count with GROUP BY, or continue with OFFSET and ORDER BY an ID.`;

function told(
  { name, type }: { readonly name: string; readonly type: string },
  origin: Origin,
): AnswerColumn {
  return {
    name: fitName(name),
    type: fitName(type),
    ...(origin === undefined ? {} : { masked: origin.isExact ? 'token' : 'hidden' }),
  };
}
