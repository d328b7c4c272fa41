/** Input and events of the grid. */
import type { SortKey } from '../../../../panel-protocol/rows.ts';
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';
import type { BlockRequest } from './block-cache.ts';
import type { LayoutMemory } from './column-layout.ts';
import type { Selection } from './selection.ts';

export interface GridSource {
  readonly columns: readonly ShownColumn[];
  /** Number of rows. */
  readonly rowCount: number;
  /** All rows of the result; undefined if unknown. */
  readonly totalRows: number | undefined;
  /** A new number means other rows at the same places. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
  /** Columns that are filtered. */
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
  readonly ask: (request: BlockRequest) => void;
  /** A header was clicked; `isAdded` refines the current sort order. */
  readonly sortBy: (column: number, isAdded: boolean) => void;
  readonly copy: (withHeaders: boolean) => void;
  readonly peek: () => void;
  /** The record that the row belongs to. */
  readonly open: () => void;
  /** The whole row was requested. */
  readonly inspect: () => void;
  /** Requests a column's menu at a position. */
  readonly menu: (place: number, at: DOMRect) => void;
  /** Finds, forwards or backwards. */
  readonly find: (backwards: boolean | undefined) => void;
  /** Escape without anything to cancel in the grid. */
  readonly leave: () => void;
  /** Selection, widths or scroll position changed. */
  readonly changed: () => void;
}
