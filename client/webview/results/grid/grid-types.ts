/** The grid's input and events. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import type { SortKey, WindowRequest } from '#panel-protocol/rows.ts';
import type { LayoutMemory } from './column-layout.ts';
import type { Selection } from './selection.ts';

export interface GridSource {
  readonly columns: readonly ShownColumn[];
  /** Number of rows that match the filters. */
  readonly rowCount: number;
  /** Total number of rows in the result; undefined if unknown. */
  readonly totalRows: number | undefined;
  /** Changes when different rows take the same positions. */
  readonly generation: number;
  /** Where the active row of the generation before is in this one. */
  readonly moved: { readonly from: number; readonly to: number | undefined } | undefined;
  readonly sort: readonly SortKey[];
  /** Indexes of the filtered columns. */
  readonly filtered: ReadonlySet<number>;
  /** Whether rows have a mark before their number. */
  readonly hasSigns: boolean;
}

export interface GridLook {
  /** Undefined for all columns in the service's order. */
  readonly layout: LayoutMemory | undefined;
  readonly top: number;
  readonly left: number;
  readonly selection: Selection | undefined;
}

export interface GridEvents {
  readonly ask: (request: WindowRequest) => void;
  /** Called when a header is activated; `isAdded` adds the column to the current sort order. */
  readonly sortBy: (column: number, isAdded: boolean) => void;
  readonly copy: (withHeaders: boolean) => void;
  readonly peek: () => void;
  /** Opens the record of the active row. */
  readonly open: () => void;
  /** Shows the whole active row. */
  readonly inspect: () => void;
  /** Opens a column's menu at a position. */
  readonly menu: (place: number, at: DOMRect) => void;
  /** Opens a column's filter at a position. */
  readonly filter: (place: number, at: DOMRect) => void;
  /** Finds the next or previous match; undefined opens the search. */
  readonly find: (backwards: boolean | undefined) => void;
  /** Called on Escape if there is nothing to cancel in the grid. */
  readonly leave: () => void;
  /** Called after the selection, widths or scroll position changed. */
  readonly changed: () => void;
}
