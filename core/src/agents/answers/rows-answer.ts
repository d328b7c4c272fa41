/** Turns the rows of a run into a response that is masked by origin, safe to read, and within the limits. */
import { throwIfAborted } from '#api/client/abort.ts';
import { countedText } from '#base/words/counted-text.ts';
import type { AgentLimits } from '#core/policy/agent-levels.ts';
import { originsOfResult, type Masker } from '#core/policy/masking/masker.ts';
import type { Origin } from '#core/policy/masking/origin.ts';
import type { OriginColumns } from '#core/policy/masking/relations.ts';
import type { PageReader } from '#core/reading/page-reader.ts';
import { valuesSetting, type RowsProgress, type RowsWriter } from '#core/reading/rows-writer.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
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
  /** Whether every row must arrive, although not all are shown. */
  readonly isWhole?: boolean;
  readonly masker: Masker;
  readonly limits: AgentLimits;
  /** The requested row limit, capped by `limits`. */
  readonly maxRows: number | undefined;
}

/** Returns the maximum number of rows to show. */
export const shownMax = ({ limits, maxRows }: Pick<RowsWanted, 'limits' | 'maxRows'>): number =>
  Math.min(limits.maxRows, maxRows ?? limits.maxRows);

/** Makes the reader of a query's pages. */
export type OpenReader = (writer: RowsWriter, rowLimit: number) => PageReader;

/** @throws what the reading failed with. */
export async function answerRows(open: OpenReader, wanted: RowsWanted): Promise<RowsAnswer> {
  const rows = new AnswerRows(wanted);
  if (wanted.isWhole === true) await readUntil(open(rows, Infinity), () => false);
  else await readUntil(open(rows, shownMax(wanted)), () => rows.isFull);
  return rows.answer();
}

/** @throws what the reading failed with. */
export async function readUntil(reader: PageReader, isEnough: () => boolean): Promise<void> {
  const outcome = await reader.readUntil(isEnough);
  throwIfAborted(reader.signal);
  if (outcome.kind === 'failed') throw outcome.error;
}

/** Takes the rows that an agent may see, as far as the limits allow. */
export class AnswerRows implements RowsWriter {
  readonly #wanted: RowsWanted;
  readonly #most: number;
  readonly #rows: (readonly unknown[])[] = [];
  #known: readonly StoreColumn[] = [];
  #origins: readonly Origin[] = [];
  #columns: readonly AnswerColumn[] = [];
  #bytes = 0;
  #headBytes = 0;
  #cuts = 0;
  /** Why there are more rows than the answer has. */
  #rest: string | undefined;
  #progress: RowsProgress | undefined;

  constructor(wanted: RowsWanted) {
    this.#wanted = wanted;
    this.#most = shownMax(wanted);
  }

  /** Whether more rows would not change the answer. */
  get isFull(): boolean {
    return this.#rest !== undefined;
  }

  set(): void {
    // The caller is told why there are no rows.
  }

  open(columns: readonly StoreColumn[]): void {
    this.#known = columns;
    // If a page's columns differ from those of earlier pages, the whole page is masked.
    this.#origins = originsOfResult(
      this.#wanted.expected,
      columns.map(({ name }) => name),
    );
    this.#columns = columns.map((column, at) => told(column, this.#origins[at]));
    this.#headBytes = Buffer.byteLength(JSON.stringify(this.#columns));
    const { maxBytes } = this.#wanted.limits;
    // The limit counts the whole response: thousands of columns are too much without any row.
    if (this.#headBytes + this.#bytes <= maxBytes) return;
    this.#columns = startOf(this.#columns, maxBytes);
    this.#rows.length = 0;
    this.#rest = `The columns alone are more than ${maxBytes} bytes, the most that a response contains: select fewer.`;
  }

  grow(columns: readonly StoreColumn[]): void {
    if (columns.length > 0 && !this.isFull) this.open([...this.#known, ...columns]);
  }

  append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    if (isPacked(rows)) throw new TypeError('rows of an answer are read as values');
    for (const row of rows) {
      if (this.isFull) break;
      this.#take(row);
    }
    return Promise.resolve({ rowCount: this.#rows.length });
  }

  setRows(progress: RowsProgress): void {
    this.#progress = progress;
  }

  #take(row: readonly unknown[]): void {
    const { masker, limits } = this.#wanted;
    if (this.#rows.length >= this.#most) {
      this.#rest = rowsReason(this.#most);
      return;
    }
    const noteCut = () => void (this.#cuts += 1);
    const masked = row.map((value, at) =>
      at < this.#origins.length ? fitValue(masker.mask(value, this.#origins[at]), noteCut) : 'value:****',
    );
    this.#bytes += Buffer.byteLength(JSON.stringify(masked)) + 1;
    if (this.#headBytes + this.#bytes > limits.maxBytes)
      this.#rest = `There are more rows. A response contains at most ${limits.maxBytes} bytes: select fewer columns, or narrow the query.`;
    else this.#rows.push(masked);
  }

  answer(): RowsAnswer {
    const reason = this.#rest ?? this.#missing() ?? this.#cut();
    return {
      status: reason === undefined ? 'complete' : 'truncated',
      ...(reason === undefined ? {} : { reason }),
      columns: this.#columns,
      rows: this.#rows,
      rowCount: this.#rows.length,
    };
  }

  #missing(): string | undefined {
    // A control's reader tells the control, which knows whether it has every row.
    if (this.#progress === undefined) return undefined;
    const { extent, totalRows, areValuesUnknown } = this.#progress;
    switch (extent) {
      case 'complete':
        return undefined;
      case 'perhaps-short':
        if (areValuesUnknown === true)
          return `The service does not show whether it uses the values of parameters: rows may be missing. If it uses them, a person can add ${valuesSetting} to the connection.`;
        return 'The service does not tell whether there are more rows than these: they may be incomplete.';
      case 'short':
        return `The service reports ${countedText(totalRows ?? 0, 'row')}, but sent only ${this.#rows.length}: the others are missing.`;
      case 'more':
      case 'at-limit':
      case 'lost':
        return rowsReason(this.#most);
      default:
        return extent satisfies never;
    }
  }

  #cut(): string | undefined {
    return this.#cuts > 0 ? 'All rows are here, but some values were cut. They end with "…".' : undefined;
  }
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
