/**
 * All messages between the extension host and the result panel, one union per direction. Questions and answers are in
 * panel-questions.ts. Panel messages are validated against the schemas of panel-message.ts on receipt.
 */
import type { RunFailure } from '#core/failures/run-failure.ts';
import type { AnswerMessage } from '#core/questions/line-messages.ts';
import type { RowsProgress, RunState } from '#core/reading/rows-writer.ts';
import type { ColumnKind } from '#core/rows/column-kind.ts';
import type { DiffCounts } from '#core/rows/compare/diff.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import type { ParameterFormState } from './form-messages.ts';
import type { Subject } from './panel-questions.ts';
import type { CellWindow, ColumnFilter, CopyFormat, SortKey } from './rows.ts';

export type { RunFailure } from '#core/failures/run-failure.ts';
export type { RunHeader } from '#core/runs/run-header.ts';
export type { FormRequest, ParameterFormState } from './form-messages.ts';

export interface ShownColumn {
  readonly name: string;
  readonly type: string;
  readonly kind: ColumnKind;
  readonly description?: string | undefined;
}

/** One side of a comparison, as described above the rows. */
export interface ComparedSide {
  /** The query with its version, or the file. */
  readonly title: string;
  /** Connection, parameters, time, number of rows. */
  readonly facts: readonly string[];
  /** Why rows are missing. */
  readonly warning?: string | undefined;
}

/** The state of rows that compare one result with another. */
export interface ComparisonState {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly counts: DiffCounts;
  /** Indexes of the key columns in these rows; empty if whole rows are compared. */
  readonly keys: readonly number[];
  /** For each column with changes, the index of the column with its earlier values. */
  readonly beforeColumns: Readonly<Record<number, number>>;
  /** Notes needed to interpret the rows correctly. */
  readonly notes: readonly string[];
}

export interface RowsState extends RowsProgress {
  readonly kind: 'rows';
  readonly columns: readonly ShownColumn[];
  readonly rowCount: number;
  /** Number of visible rows, which are the loaded rows that match the filters. */
  readonly viewRowCount: number;
  /** Changes when rows move: caches from earlier generations are stale. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
  readonly filters: readonly ColumnFilter[];
  /** Whether the source sorts and filters, so that the loaded rows are the first ones that match. */
  readonly isArrangedBySource?: boolean | undefined;
  readonly isSortingOrFiltering: boolean;
  /** Where the active row is since the rows were sorted or filtered; `to` is undefined if it is not visible. */
  readonly moved?: { readonly from: number; readonly to: number | undefined } | undefined;
  readonly comparison?: ComparisonState | undefined;
  /** Whether a change to the data ended after the rows were read. */
  readonly isOlderThanChange?: boolean | undefined;
  /** The text of a later run in this result that has no rows, compared with that of these rows. */
  readonly laterRun?: 'same-text' | 'other-text' | undefined;
}

export type ResultState =
  | ParameterFormState
  | { readonly kind: 'checking' }
  /**
   * The query was not sent because it does more than read. `changes` is the command that certainly changes data, such as
   * UPDATE; no setting lets it pass.
   */
  | { readonly kind: 'refused'; readonly failure: RunFailure; readonly changes?: string | undefined }
  /** The query has not been sent yet: the user decides. */
  | {
      readonly kind: 'question';
      readonly reason:
        | 'syntax-error'
        | 'unverified'
        | 'side-effects'
        | 'unknown-function'
        | 'unknown-column'
        | 'elsewhere';
      readonly failure: RunFailure;
    }
  | RunState
  | RowsState
  /** A run without a connection. `isBack` if there is one by now. `remedy` is the title of its next step. */
  | {
      readonly kind: 'disconnected';
      readonly message: string;
      readonly isBack?: true;
      readonly remedy?: string | undefined;
    }
  /** A result from before a window reload: its query is known, but its rows are not. */
  | {
      readonly kind: 'restored';
      readonly rowCount: number;
      readonly isComplete: boolean;
      readonly finishedAt: number;
    };

export interface ResultView {
  readonly id: string;
  /** This result's run counter: state from an earlier run does not apply. */
  readonly run: number;
  readonly isPinned: boolean;
  /** Whether the draft that was run is closed. A new draft may have the same name. */
  readonly isClosed: boolean;
  readonly header: RunHeader;
  readonly state: ResultState;
  /** The rows that this run has replaced, if it has ended without any. They can be shown again. */
  readonly earlier?: EarlierRows | undefined;
  /** When the rows of the run before were read, if these rows can be compared with them. */
  readonly before?: number | undefined;
  /** What an earlier page sent as `look`, if this page does not know it. */
  readonly look?: string | undefined;
}

export interface EarlierRows extends Pick<RowsState, 'rowCount' | 'finishedAt' | 'laterRun'> {
  /** The connection that these rows come from, if it is another one than that of the run that replaced them. */
  readonly connection?: string | undefined;
}

export interface ResultTab extends Pick<RunHeader, 'summarized' | 'version' | 'isModified' | 'part'> {
  readonly id: string;
  /** The name with its version and part. */
  readonly title: string;
  readonly name: string;
  /** When the run started, or ended if its rows are from before a reload. */
  readonly time: number;
  readonly status: 'busy' | 'ok' | 'failed' | 'cancelled' | 'waiting';
  readonly isPinned: boolean;
  readonly isClosed: boolean;
}

/** The part of the page that a command opens. */
export type PanelTool =
  /** The rows themselves, in place of a chart. */
  | 'rows'
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
  /** All results of this panel and the visible one; `view` is undefined if there is none. */
  | {
      readonly kind: 'show';
      readonly tabs: readonly ResultTab[];
      readonly view: ResultView | undefined;
      /** Whether the editor's tab already has the result's name. */
      readonly isNamed?: boolean | undefined;
    }
  /** The first rows, sent unsolicited so that the page can draw them without asking. */
  | { readonly kind: 'first-rows'; readonly of: Subject; readonly window: CellWindow }
  /** A command: show a part of the page. */
  | {
      readonly kind: 'show-tool';
      readonly tool: PanelTool;
      /** The result whose groups the tool changes; undefined for groups beside the present ones. */
      readonly replaces?: string | undefined;
    }
  /** Announced to screen readers and shown briefly. */
  | { readonly kind: 'notice'; readonly text: string }
  /** A command: copy the cells selected in the page. */
  | { readonly kind: 'copySelection'; readonly format: CopyFormat; readonly withHeaders: boolean }
  | { readonly kind: 'focus' }
  | AnswerMessage;

export type { PanelCommand, PanelMessage } from './panel-message.ts';
