/**
 * All messages between the extension host and the result panel, one union per direction. Questions and answers are in
 * panel-questions.ts. Panel messages are validated against the schemas of panel-message.ts on receipt.
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

/** One side of a comparison, as named above the rows. */
export interface ComparedSide {
  /** The query with its version, or the file. */
  readonly title: string;
  /** Connection, parameters, time, number of rows. */
  readonly facts: readonly string[];
  /** Why rows are missing. */
  readonly warning?: string | undefined;
}

/** The rows compare one result with another. */
export interface ComparisonState {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly counts: DiffCounts;
  /** Key columns, as columns of these rows; none if whole rows are compared. */
  readonly keys: readonly number[];
  /** By column: the column with the earlier values, if anything changed. */
  readonly beforeColumns: Readonly<Record<number, number>>;
  /** Notes that a person needs to interpret the rows correctly. */
  readonly notes: readonly string[];
}

export interface RowsState extends RowsProgress {
  readonly kind: 'rows';
  readonly columns: readonly ShownColumn[];
  /** Loaded rows. */
  readonly rowCount: number;
  /** Visible rows: the loaded ones that match the filters. */
  readonly viewRowCount: number;
  /** Changes when rows move: caches of an earlier generation are outdated. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
  /** Rows are being sorted or filtered. */
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
  /** From before a window reload: the query is known, its rows are not. */
  | {
      readonly kind: 'restored';
      readonly rowCount: number;
      readonly isComplete: boolean;
      readonly finishedAt: number;
    };

export interface ResultView {
  readonly id: string;
  /** Run counter of this result: state of an earlier run does not apply. */
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

/** The part of the page that a command opens. */
export type PanelTool =
  | 'find'
  | 'filter'
  | 'filter-by-value'
  | 'columns'
  | 'cell'
  | 'record'
  | 'chart'
  | 'group'
  | 'add-where'
  | 'add-order-by';

/** Host to panel. */
export type HostMessage =
  /** All results of this panel and the visible one; no view if there is none. */
  | { readonly kind: 'show'; readonly tabs: readonly ResultTab[]; readonly view: ResultView | undefined }
  /** The first rows, unsolicited, so that the first paint needs no question. */
  | { readonly kind: 'first-rows'; readonly of: Subject; readonly window: CellWindow }
  /** A command: show a part of the page. */
  | { readonly kind: 'show-tool'; readonly tool: PanelTool }
  /** Announced to screen readers and shown briefly. */
  | { readonly kind: 'notice'; readonly text: string }
  /** A command: copy the selection, which only the page knows. */
  | { readonly kind: 'copySelection'; readonly format: CopyFormat; readonly withHeaders: boolean }
  | { readonly kind: 'focus' }
  | AnswerMessage;

export type { PanelCommand, PanelMessage } from './panel-message.ts';
