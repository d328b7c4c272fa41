/** A fake paging service for controls: returns the rows that the test supplies, and records requests. */
import type { ServiceClient } from '#api/client/client.ts';
import type { PageHead, QueryPage } from '#api/client/query-page.ts';
import type { CheckedControl } from '#core/controls/run-control.ts';
import type { StatementInfo } from '#server/protocol.ts';

export type FakeRow = readonly (string | number | boolean | null)[];

export interface FakeService {
  readonly client: Pick<ServiceClient, 'queries'>;
  /** Requested page sizes, in order. */
  readonly asked: readonly number[];
  readonly rowsSent: () => number;
}

export interface FakeAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly FakeRow[];
  /** The total that the service reports. */
  readonly rowCount?: number;
  /** What the client says of each page. */
  readonly judged?: Partial<PageHead>;
  /** Fails with `error` after sending this many rows. */
  readonly failAfter?: { readonly rows: number; readonly error: Error };
}

export function fakeService({ columns, rows, rowCount, judged, failAfter }: FakeAnswer): FakeService {
  const asked: number[] = [];
  let sent = 0;
  const execute = (request: {
    readonly pageSize?: number;
    readonly pageToken?: unknown;
  }): Promise<QueryPage> => {
    const size = request.pageSize ?? 100;
    asked.push(size);
    if (failAfter !== undefined && sent >= failAfter.rows) return Promise.reject(failAfter.error);
    const end = Math.min(sent + size, rows.length, failAfter?.rows ?? Infinity);
    const page = rows.slice(sent, end).map((row) => [...row]);
    sent = end;
    const isLast = sent >= rows.length && (failAfter === undefined || rows.length < failAfter.rows);
    return Promise.resolve({
      columns: columns.map((name) => ({ name, type: 'text' })),
      rows: page,
      ...judged,
      ...(rowCount === undefined ? {} : { rowCount }),
      ...(isLast ? {} : { nextPageToken: `after-${sent}` }),
    });
  };
  const queries = { execute } as unknown as ServiceClient['queries']; // controls call nothing else
  return { client: { queries }, asked, rowsSent: () => sent };
}

const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Returns a statement proven read-only. */
export function provenStatement(over: Partial<StatementInfo> = {}): CheckedControl {
  return {
    model: 'platform_identity',
    statements: [
      {
        range: nowhere,
        text: 'SELECT 1',
        verdict: 'read-only',
        placeholders: [],
        parameters: [],
        errors: [],
        ...over,
      },
    ],
  };
}
