/**
 * Everything that crosses between the extension host and the result panel, one union each direction. The panel imports
 * the types only. What the panel sends is checked against the schema of panel-message.ts on receipt.
 */
import type { CopyFormat } from './data/serialize.ts';
import type { ColumnKind } from './data/column-kind.ts';
import type { DiffCounts } from './data/diff/diff.ts';
import type { ParameterFormState } from './form-messages.ts';
import type {
  Aggregate,
  CellRange,
  CellValue,
  CellWindow,
  ChartData,
  ChartSpec,
  ColumnFilter,
  ColumnValues,
  FindAnswer,
  SortKey,
} from './data/rows.ts';

/** What was run, where, and for whom it is named. */
export interface RunHeader {
  /** `rows`: read from a source that is no query, so the panel does not speak of one. Default `query`. */
  readonly origin?: 'query' | 'rows' | undefined;
  /** The name of the saved query, or the document's file name. */
  readonly title: string;
  /** The saved version that was run; undefined for a text that is not saved. */
  readonly version?: number | undefined;
  /** Which of several runs of the same query this is: the name of a value set, or which statement. */
  readonly part?: string | undefined;
  /** Whether the text differed from the saved version when it was run. */
  readonly isModified?: boolean | undefined;
  readonly connection?: string | undefined;
  readonly label?: string | undefined;
  readonly environment?: string | undefined;
  /** One of the colours that connections are told by; text says the same. */
  readonly colour?: string | undefined;
  readonly isProtected?: boolean | undefined;
  readonly model?: string | undefined;
  /** As they were typed; those that are secret have no text. */
  readonly parameters: readonly {
    readonly name: string;
    readonly text: string;
    readonly isNull: boolean;
    readonly isEmpty?: boolean | undefined;
    readonly isSecret?: boolean | undefined;
  }[];
  /** What else is worth knowing at a glance, as chips. */
  readonly facts?: readonly { readonly label: string; readonly text: string }[] | undefined;
  /** What can be done next with the whole of it, as buttons beside the title. */
  readonly steps?: readonly { readonly title: string }[] | undefined;
  /** Whether a part of the document was run: its lines, 1-based. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}

export type {
  EnteredValue,
  FormRequest,
  ParameterControl,
  ParameterField,
  ParameterFormState,
} from './form-messages.ts';

export interface RunFailure {
  /** One sentence of what failed and why. */
  readonly message: string;
  /** The service's or our stable code. */
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  /** 1-based, in the document, where the failure has a place there. */
  readonly place?: { readonly line: number; readonly column: number } | undefined;
  readonly requestId?: string | undefined;
  /** A command of ours that may help. */
  readonly nextStep?:
    { readonly title: string; readonly command: string; readonly argument?: unknown } | undefined;
}

export interface ShownColumn {
  readonly name: string;
  readonly type: string;
  readonly kind: ColumnKind;
  readonly description?: string | undefined;
}

/** One side of a comparison, as it is named in front of the rows. */
export interface ComparedSide {
  /** The query with its version, or the file. */
  readonly title: string;
  /** Connection, parameters, when, how many rows. */
  readonly facts: readonly string[];
  /** Why this is not all of it. */
  readonly warning?: string | undefined;
}

/** The rows are what became of one result in another. */
export interface ComparisonState {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly counts: DiffCounts;
  /** Columns by which rows belong together, as columns of these rows; none when whole rows are compared. */
  readonly keys: readonly number[];
  /** By column: the column that holds what was there before, where anything changed. */
  readonly beforeColumns: Readonly<Record<number, number>>;
  /** What a person must know to read the rows truthfully. */
  readonly notes: readonly string[];
}

/** More rows are on their way, or were asked for and did not come. */
export type Loading =
  | { readonly kind: 'none' }
  /** `note`: why it takes its time, in place of "Loading". */
  | { readonly kind: 'page'; readonly note?: string | undefined }
  | { readonly kind: 'all'; readonly note?: string | undefined }
  | { readonly kind: 'failed'; readonly failure: RunFailure };

export interface RowsState {
  readonly kind: 'rows';
  readonly columns: readonly ShownColumn[];
  /** Rows that are here. */
  readonly rowCount: number;
  /** Rows that are looked at: of those that are here, the ones that meet the filters. */
  readonly viewRowCount: number;
  /** All rows of the result, where the service says so. */
  readonly totalRows: number | undefined;
  /** Whether every row of the result is here. */
  readonly isComplete: boolean;
  /** Whether loading stopped at the limit of the settings. */
  readonly isAtLimit: boolean;
  readonly loading: Loading;
  /** Changes when rows change places: what is cached of an earlier generation is stale. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
  /** Rows are being put in order or filtered. */
  readonly isArranging: boolean;
  readonly firstRowsMs: number;
  readonly totalMs: number;
  /** When the last page arrived, in milliseconds since 1970. */
  readonly finishedAt: number;
  readonly comparison?: ComparisonState | undefined;
}

export type ResultState =
  | ParameterFormState
  | { readonly kind: 'checking' }
  /** Not sent: it does more than read. */
  | { readonly kind: 'refused'; readonly failure: RunFailure }
  /** Not sent yet: the person decides. */
  | {
      readonly kind: 'question';
      readonly reason: 'syntax-error' | 'unverified';
      readonly failure: RunFailure;
    }
  | { readonly kind: 'running'; readonly elapsedMs: number; readonly note?: string | undefined }
  | RowsState
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly elapsedMs: number }
  | { readonly kind: 'cancelled'; readonly elapsedMs: number }
  | { readonly kind: 'disconnected'; readonly message: string }
  /** Known from before the window was loaded again: what was run, not its rows. */
  | {
      readonly kind: 'restored';
      readonly rowCount: number;
      readonly isComplete: boolean;
      readonly finishedAt: number;
    };

export interface ResultView {
  readonly id: string;
  /** Counts the runs of this result: what the panel remembers of an earlier run does not apply. */
  readonly run: number;
  readonly isPinned: boolean;
  readonly header: RunHeader;
  readonly state: ResultState;
}

export interface ResultTab {
  readonly id: string;
  readonly title: string;
  readonly status: 'busy' | 'ok' | 'failed' | 'waiting';
  readonly isPinned: boolean;
}

/** What a command opens in the page. */
export type PanelTool =
  'find' | 'filter' | 'filter-by-value' | 'columns' | 'record' | 'chart' | 'add-where' | 'add-order-by';

/** Host to panel. */
export type HostMessage =
  /** All results of this panel and the one shown; no view when there is none. */
  | { readonly kind: 'show'; readonly tabs: readonly ResultTab[]; readonly view: ResultView | undefined }
  | {
      readonly kind: 'window';
      readonly result: string;
      readonly run: number;
      readonly generation: number;
      readonly window: CellWindow;
    }
  | {
      readonly kind: 'cell';
      readonly result: string;
      readonly row: number;
      readonly column: number;
      readonly value: CellValue;
    }
  /** Whole values of some rows, one list a row in the order of the columns. */
  | {
      readonly kind: 'records';
      readonly result: string;
      readonly records: readonly { readonly row: number; readonly values: readonly CellValue[] }[];
    }
  | {
      readonly kind: 'values';
      readonly result: string;
      readonly column: number;
      readonly values: ColumnValues;
    }
  /** Answers the question of this number. */
  | {
      readonly kind: 'found';
      readonly result: string;
      readonly question: number;
      readonly answer: FindAnswer;
    }
  | {
      readonly kind: 'aggregate';
      readonly result: string;
      readonly range: CellRange;
      readonly aggregate: Aggregate;
    }
  | { readonly kind: 'chart'; readonly result: string; readonly spec: ChartSpec; readonly data: ChartData }
  /** What a global id names; `words` undefined: nobody knows now. */
  | {
      readonly kind: 'identified';
      readonly result: string;
      readonly globalId: string;
      readonly words?: string | undefined;
    }
  /** A command: show something of the page. */
  | { readonly kind: 'show-tool'; readonly tool: PanelTool }
  /** Said to screen readers and shown for a moment. */
  | { readonly kind: 'notice'; readonly text: string }
  /** A command: copy what is selected. The page knows what that is. */
  | { readonly kind: 'copySelection'; readonly format: CopyFormat; readonly withHeaders: boolean }
  | { readonly kind: 'focus' };

export type { PanelMessage } from './panel-message.ts';
