/**
 * Everything that crosses between the extension host and the result panel, one union each direction: what is shown and what
 * is done. What is asked and answered is in panel-questions.ts. What the panel sends is checked against the schemas of
 * panel-message.ts on receipt.
 */
import type { AnswerMessage } from '../core/src/questions/line-messages.ts';
import type { ColumnKind } from '../core/src/rows/column-kind.ts';
import type { DiffCounts } from '../core/src/rows/compare/diff.ts';
import type { RunFailure } from '../core/src/runs/run-failure.ts';
import type { RunHeader } from '../core/src/runs/run-header.ts';
import type { RowsProgress, RunState } from '../core/src/runs/rows-writer.ts';
import type { ParameterFormState } from './form-messages.ts';
import type { Subject } from './panel-questions.ts';
import type { CellWindow, ColumnFilter, CopyFormat, SortKey } from './rows.ts';

export type { RunFailure } from '../core/src/runs/run-failure.ts';
export type { RunHeader } from '../core/src/runs/run-header.ts';
export type { FormRequest, ParameterFormState } from './form-messages.ts';

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

export interface RowsState extends RowsProgress {
  readonly kind: 'rows';
  readonly columns: readonly ShownColumn[];
  /** Rows that are here. */
  readonly rowCount: number;
  /** Rows that are looked at: of those that are here, the ones that meet the filters. */
  readonly viewRowCount: number;
  /** Changes when rows change places: what is cached of an earlier generation is stale. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
  /** Rows are being put in order or filtered. */
  readonly isSortingOrFiltering: boolean;
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
      readonly reason: 'syntax-error' | 'unverified' | 'side-effects' | 'unknown-function';
      readonly failure: RunFailure;
    }
  | RunState
  | RowsState
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
  /** The first rows, unasked, so that the first paint needs no question. */
  | { readonly kind: 'first-rows'; readonly of: Subject; readonly window: CellWindow }
  /** A command: show something of the page. */
  | { readonly kind: 'show-tool'; readonly tool: PanelTool }
  /** Said to screen readers and shown for a moment. */
  | { readonly kind: 'notice'; readonly text: string }
  /** A command: copy what is selected. The page knows what that is. */
  | { readonly kind: 'copySelection'; readonly format: CopyFormat; readonly withHeaders: boolean }
  | { readonly kind: 'focus' }
  | AnswerMessage;

export type { PanelCommand, PanelMessage } from './panel-message.ts';
