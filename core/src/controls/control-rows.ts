/**
 * Processes the rows of a control as they arrive: each row is counted, classified as new, waived or known, then
 * discarded.
 */
import { scalarText } from '#api/client/json.ts';
import { isUnreadable } from '#api/client/query-page.ts';
import { t } from '#base/texts.ts';
import type { RunFailure } from '../failures/run-failure.ts';
import {
  isEnded,
  valuesSetting,
  type RowsProgress,
  type RowsWriter,
  type RunState,
} from '../reading/rows-writer.ts';
import { canonicalJson } from '../rows/canonical-json.ts';
import type { PageRows } from '../rows/packed-rows.ts';
import { countOf, isPacked } from '../rows/page-rows.ts';
import type { StoreColumn } from '../rows/rows.ts';
import type {
  ControlNote,
  ControlResult,
  JudgedRow,
  Outcome,
  RowCounts,
  RowState,
  RowWaiver,
} from './control-result.ts';
import type { Control } from './control.ts';
import type { RowDigests } from './row-digest.ts';
import { NotANumberError, RowTally, type TalliedColumn } from './row-tally.ts';
import { aggregatesOf, judge, rowsThatSettle, type Judged } from './rules.ts';

/** Thrown if the outcome is unknown. The message contains no row values. */
export class UnknownOutcome extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'UnknownOutcome';
    this.code = code;
  }
}

/** The waivers and the baseline of a control, from the control files. */
export interface ControlFacts {
  /** Waived rows by digest. Expired waivers are excluded. */
  readonly waivers: ReadonlyMap<string, RowWaiver>;
  /** Digests of the known rows; undefined if the control has no baseline. */
  readonly baseline?: ReadonlySet<string>;
  /** Whether known rows are ignored. */
  readonly isNewOnly: boolean;
  /** Undefined without a digest key, which is needed to recognize waived and known rows. */
  readonly digests?: RowDigests;
  /** The reason why the waivers or the baseline are unknown. */
  readonly problem?: { readonly code: string; readonly message: string };
  readonly notes: readonly ControlNote[];
}

export const noFacts: ControlFacts = { waivers: new Map(), isNewOnly: false, notes: [] };

const sharedKeyRows = 500;
/** Maximum number of digests kept for reports, unless more rows are waived. */
const digestsMax = 1_000;
const statuses = ['ok', 'alarm', 'skip', 'info', 'error'] as const;

/** A row in human-readable form. Its values never leave the window. */
export interface NamedRow {
  readonly digest: string;
  readonly state: Exclude<RowState, 'waived'>;
  readonly key: readonly string[];
  readonly others: readonly { readonly column: string; readonly text: string }[];
}

export interface JudgedRows {
  readonly outcome: Outcome;
  readonly rows: RowCounts;
  readonly judged: Judged;
}

export interface RowsWanted {
  /** Maximum number of rows to keep. */
  readonly sampleRows?: number;
  /** Whether to continue reading once the outcome is known. */
  readonly isEveryRow?: boolean;
  /** Whether a known outcome counts even if not every row can be read. */
  readonly mayEndEarly?: boolean;
  /** Number of rows to keep with their names. Reading continues until it is reached. */
  readonly namedMax?: number;
}

export class ControlRows implements RowsWriter {
  readonly #control: Control;
  readonly #facts: ControlFacts;
  readonly #sampleRows: number;
  readonly #isEveryRow: boolean;
  readonly #mayEndEarly: boolean;
  readonly #namedMax: number;
  #columns: StoreColumn[] = [];
  #places: Places | undefined;
  #all = new RowTally([]);
  #counted = new RowTally([]);
  #waived = 0;
  #known = 0;
  #namelessRows = 0;
  #read = 0;
  #progress: RowsProgress | undefined;
  #failure: RunFailure | undefined;
  readonly #digests = new Map<string, JudgedRow>();
  readonly #sample: (readonly string[])[] = [];
  readonly #named: NamedRow[] = [];

  constructor(
    control: Control,
    facts: ControlFacts,
    { sampleRows = 0, isEveryRow = false, mayEndEarly = false, namedMax = 0 }: RowsWanted = {},
  ) {
    this.#control = control;
    this.#facts = facts;
    this.#sampleRows = sampleRows;
    this.#isEveryRow = isEveryRow;
    this.#mayEndEarly = mayEndEarly;
    this.#namedMax = namedMax;
  }

  /** Number of rows read, regardless of status. */
  get read(): number {
    return this.#read;
  }

  /** Number of rows that may be needed; Infinity if all are needed. */
  get rowsWanted(): number {
    if (this.#isEveryRow) return Infinity;
    const { waivers, baseline, isNewOnly } = this.#facts;
    const aside = waivers.size + (isNewOnly ? (baseline?.size ?? 0) : 0);
    // Several rows may share a key, so a few extra rows are requested.
    const wanted = rowsThatSettle(this.#control.rules) + (aside === 0 ? 0 : Math.max(aside, sharedKeyRows));
    return Math.max(wanted, this.#sampleRows, this.#namedMax);
  }

  /** Whether reading can stop: all rows were read, or the outcome can no longer change. */
  get isDone(): boolean {
    if (this.#failure !== undefined) return true;
    if (this.#progress !== undefined && isEnded(this.#progress)) return true;
    if (this.#isEveryRow) return false;
    if (this.#namedMax > 0) return this.#named.length >= this.#namedMax;
    return (
      this.#places !== undefined &&
      this.#counted.rows >= rowsThatSettle(this.#control.rules) &&
      this.#read >= this.#sampleRows
    );
  }

  get failure(): RunFailure | undefined {
    return this.#failure;
  }

  get digests(): ControlResult['digests'] {
    const all = [...this.#digests].map(([digest, state]) => ({ digest, ...state }));
    // An auditor looks for what was waived, and by whom.
    const waived = all.filter(({ state }) => state === 'waived');
    const others = all.filter(({ state }) => state !== 'waived');
    return [...waived, ...others.slice(0, Math.max(0, digestsMax - waived.length))];
  }

  /** Digests of all rows, for a baseline. */
  get allDigests(): readonly string[] {
    return [...this.#digests.keys()];
  }

  /** Rows that are not waived, without duplicates. */
  get named(): readonly NamedRow[] {
    return this.#named;
  }

  /** Digests of all rows that are not waived, if every row was read and has one. */
  get keys(): readonly string[] | undefined {
    const isKnown = this.isComplete && this.#facts.digests !== undefined && this.#control.key.length > 0;
    if (!isKnown || this.#namelessRows > 0) return undefined;
    return [...this.#digests].flatMap(([digest, { state }]) => (state === 'waived' ? [] : [digest]));
  }

  /** Whether the outcome is known, although rows that were wanted for a comparison are missing. */
  get isKnownEarly(): boolean {
    return this.#mayEndEarly && this.#places !== undefined && this.#read > 0 && this.#isSettled;
  }

  /** Whether all rows were read. */
  get isComplete(): boolean {
    return this.#progress?.extent === 'complete';
  }

  /** Number of rows with a NULL key. */
  get nameless(): number {
    return this.#namelessRows;
  }

  get sample(): ControlResult['sample'] {
    return this.#sampleRows === 0
      ? undefined
      : { columns: this.#columns.map(({ name }) => name), rows: this.#sample };
  }

  notes(): readonly ControlNote[] {
    if (this.#namelessRows === 0) return [];
    return [
      {
        message: t(
          "A row has NULL in {1}, so it can't be waived or matched with the baseline: {0}",
          this.#namelessRows,
          this.#control.key.join(', '),
        ),
      },
    ];
  }

  set(state: RunState): void {
    if (state.kind === 'failed') this.#failure = state.failure;
  }

  open(columns: readonly StoreColumn[]): void {
    requireReadable(columns);
    this.#columns = [...columns];
    this.#places = placesOf(this.#control, columns);
    this.#all = new RowTally(this.#places.tallied);
    this.#counted = new RowTally(this.#places.tallied);
  }

  grow(columns: readonly StoreColumn[]): void {
    requireReadable(columns);
    this.#columns = [...this.#columns, ...columns];
  }

  append(rows: PageRows): Promise<{ readonly rowCount: number }> {
    if (isPacked(rows)) throw new TypeError('rows of a control are read as values');
    this.#read += countOf(rows);
    try {
      for (const row of rows) this.#take(row);
    } catch (error) {
      if (!(error instanceof NotANumberError)) throw error;
      throw new UnknownOutcome(
        'NOT_A_NUMBER',
        t('The column "{0}" has a value that is not a number.', error.column),
      );
    }
    return Promise.resolve({ rowCount: this.#read });
  }

  setRows(progress: RowsProgress): void {
    this.#progress = progress;
    if (progress.loading.kind === 'failed') this.#failure = progress.loading.failure;
  }

  /** @throws UnknownOutcome */
  outcome(): JudgedRows {
    const { rules } = this.#control;
    // Some services return no column names for an empty result, so it is unknown whether the named columns exist.
    this.#places ??= placesOf(this.#control, this.#columns);
    const all = known(judge(rules, (measure) => this.#all.valueOf(measure)));
    const counted =
      this.#all.rows === this.#counted.rows
        ? all
        : known(judge(rules, (measure) => this.#counted.valueOf(measure)));
    const rows = this.#rowCounts();
    // Waivers can only improve the outcome: a control that expects rows does not fail because one is waived.
    const judged = rank(counted) < rank(all) ? counted : all;
    const isWaived = judged.judgement === 'pass' && all.judgement !== 'pass' && this.#waived > 0;
    this.#requireDigests(all);
    this.#requireEveryRow(judged);
    return { outcome: isWaived ? 'waived' : judged.judgement, rows, judged };
  }

  #rowCounts(): RowCounts {
    const isByStatus = this.#control.rules.statusColumn !== undefined;
    const total = this.isComplete ? this.#all.rows : isByStatus ? undefined : this.#progress?.totalRows;
    return {
      read: this.#all.rows,
      counted: this.#counted.rows,
      waived: this.#waived,
      known: this.#known,
      isAll: this.isComplete,
      ...(total === undefined ? {} : { total }),
    };
  }

  /**
   * Requires that all reported rows arrived, since a missing row could change the outcome, also of a control that
   * expects rows. A row that says itself that it fails stays a failure.
   */
  #requireEveryRow({ judgement }: Judged): void {
    if (judgement === 'fail' && (this.#isSettled || this.#control.rules.statusColumn !== undefined)) return;
    if (this.#progress?.extent === 'perhaps-short' && !this.#isSettled)
      throw new UnknownOutcome(
        'ROWS_PERHAPS_MISSING',
        this.#progress.areValuesUnknown === true
          ? t(
              'The service does not show whether it uses the values of parameters. Rows may be missing, so the outcome is unknown. If it uses them, add {0} to the connection.',
              valuesSetting,
            )
          : t(
              'The service does not tell whether there are more rows than these ({0}), so the outcome is unknown. Test the connection: that shows how the service pages results.',
              this.#read,
            ),
      );
    if (this.#progress?.extent !== 'short') return;
    throw new UnknownOutcome(
      'ROWS_MISSING',
      t('The service reports more rows ({0}) than it sent ({1}).', this.#progress.totalRows ?? 0, this.#read),
    );
  }

  /** Whether more rows could not change the outcome. */
  get #isSettled(): boolean {
    return this.#counted.rows >= rowsThatSettle(this.#control.rules);
  }

  /** Requires the digest key if there are waivers or a baseline, since it identifies waived and known rows. */
  #requireDigests({ judgement }: Judged): void {
    const { waivers, baseline, isNewOnly, digests } = this.#facts;
    if (digests !== undefined || judgement === 'pass') return;
    if (waivers.size === 0 && (!isNewOnly || baseline === undefined)) return;
    throw new UnknownOutcome(
      'DIGEST_KEY_MISSING',
      t('This control has waivers or a baseline, but the digest key is not set.'),
    );
  }

  #take(row: readonly unknown[]): void {
    const places = this.#places;
    if (places === undefined) return;
    if (places.status !== undefined && !isAlarm(row[places.status])) return;
    if (this.#sample.length < this.#sampleRows)
      this.#sample.push(this.#columns.map((_, index) => cellText(row[index])));
    this.#all.add(row);
    const state = this.#stateOf(places, row);
    if (state === 'waived') this.#waived += 1;
    if (state === 'known') this.#known += 1;
    if (state === 'new' || (state === 'known' && !this.#facts.isNewOnly)) this.#counted.add(row);
  }

  #stateOf(places: Places, row: readonly unknown[]): RowState {
    const { key } = places;
    const { digests, waivers, baseline } = this.#facts;
    if (digests === undefined || key.length === 0) return 'new';
    const digest = digests.digest(
      this.#control,
      key.map((index) => row[index]),
    );
    if (digest === undefined) {
      this.#namelessRows += 1;
      return 'new';
    }
    const waiver = waivers.get(digest);
    const judged: JudgedRow =
      waiver === undefined
        ? { state: baseline?.has(digest) === true ? 'known' : 'new' }
        : { state: 'waived', ...waiver };
    if (!this.#digests.has(digest)) {
      this.#digests.set(digest, judged);
      if (judged.state !== 'waived' && this.#named.length < this.#namedMax)
        this.#named.push({ digest, state: judged.state, ...this.#nameOf(places, row) });
    }
    return judged.state;
  }

  #nameOf({ key }: Places, row: readonly unknown[]): Pick<NamedRow, 'key' | 'others'> {
    return {
      key: key.map((index) => cellText(row[index])),
      others: this.#columns.flatMap(({ name }, index) =>
        key.includes(index) ? [] : [{ column: name, text: cellText(row[index]) }],
      ),
    };
  }
}

interface Places {
  readonly key: readonly number[];
  readonly status: number | undefined;
  readonly tallied: readonly TalliedColumn[];
}

/** @throws UnknownOutcome if rows could not be read. */
function requireReadable(columns: readonly StoreColumn[]): void {
  if (columns.some(isUnreadable))
    throw new UnknownOutcome(
      'UNREADABLE_ROWS',
      t('The response contains rows that are neither lists nor objects, so the outcome is unknown.'),
    );
}

/** @throws UnknownOutcome if the response lacks the column. */
function placesOf({ key, rules }: Control, columns: readonly StoreColumn[]): Places {
  const placeOf = (name: string): number => placeOfColumn(columns, name);
  return {
    key: key.map(placeOf),
    status: rules.statusColumn === undefined ? undefined : placeOf(rules.statusColumn),
    tallied: aggregatesOf(rules).map((one) => ({ ...one, index: placeOf(one.column) })),
  };
}

/** @throws UnknownOutcome */
function placeOfColumn(columns: readonly StoreColumn[], name: string): number {
  const places = (isIt: (column: string) => boolean) =>
    columns.flatMap((column, index) => (isIt(column.name) ? [index] : []));
  const exact = places((column) => column === name);
  const [only, second] =
    exact.length > 0 ? exact : places((column) => column.toLowerCase() === name.toLowerCase());
  if (only !== undefined && second === undefined) return only;
  throw second === undefined
    ? new UnknownOutcome('COLUMN_MISSING', t('The result has no column "{0}".', name))
    : new UnknownOutcome('COLUMN_AMBIGUOUS', t('The result has several columns {0}.', name));
}

/**
 * Returns the rows that count: all rows, or only those in alarm if each row has a status.
 * @throws UnknownOutcome
 */
export function rowsInAlarm<Row extends readonly unknown[]>(
  { rules: { statusColumn } }: Control,
  columns: readonly StoreColumn[],
  rows: readonly Row[],
): readonly Row[] {
  if (statusColumn === undefined || rows.length === 0) return rows;
  const place = placeOfColumn(columns, statusColumn);
  return rows.filter((row) => isAlarm(row[place]));
}

/** @throws UnknownOutcome if the status is `error` or unknown. */
function isAlarm(value: unknown): boolean {
  const status = statuses.find((each) => typeof value === 'string' && each === value.trim().toLowerCase());
  switch (status) {
    case 'alarm':
      return true;
    case 'ok':
    case 'skip':
    case 'info':
      return false;
    case 'error':
      throw new UnknownOutcome('ROW_ERROR', t('A row has the status error, so its outcome is unknown.'));
    case undefined:
      throw new UnknownOutcome(
        'STATUS_UNKNOWN',
        t('A row has an unknown status. Use one of: {0}.', statuses.join(', ')),
      );
    default:
      return status satisfies never;
  }
}

/** @throws UnknownOutcome */
function known(judged: ReturnType<typeof judge>): Judged {
  if (!('unknown' in judged)) return judged;
  throw new UnknownOutcome(
    'NO_VALUE',
    t(
      'There are no values to evaluate {0}. Count rows as well, or return a value when there are none.',
      judged.unknown.text,
    ),
  );
}

function rank({ judgement }: Judged): number {
  return ['pass', 'warn', 'fail'].indexOf(judgement);
}

const cellMax = 200;

function cellText(value: unknown): string {
  const text =
    value === null || value === undefined
      ? 'NULL'
      : typeof value === 'string'
        ? value
        : (scalarText(value) ?? canonicalJson(value));
  return text.length > cellMax ? `${text.slice(0, cellMax)}…` : text;
}
