/** What the grid shows and what it says to whoever holds it. */
import type { SortKey } from '../../../../panel-protocol/rows.ts';
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';
import type { BlockRequest } from './block-cache.ts';
import type { LayoutMemory } from './column-layout.ts';
import type { Selection } from './selection.ts';

export interface GridSource {
  readonly columns: readonly ShownColumn[];
  /** Rows that can be shown. */
  readonly rowCount: number;
  /** All rows of the result; undefined when nobody knows. */
  readonly totalRows: number | undefined;
  /** Another number means other rows in the same places. */
  readonly generation: number;
  readonly sort: readonly SortKey[];
  /** Columns that are filtered. */
  readonly filtered: ReadonlySet<number>;
  /** Rows have a sign in front of their number. */
  readonly hasSigns: boolean;
}

export interface GridLook {
  /** Undefined for all columns as they come. */
  readonly layout: LayoutMemory | undefined;
  readonly top: number;
  readonly left: number;
  readonly selection: Selection | undefined;
}

export interface GridEvents {
  readonly ask: (request: BlockRequest) => void;
  /** A header was chosen; `isAdded` when the order so far is to be refined. */
  readonly sortBy: (column: number, isAdded: boolean) => void;
  readonly copy: (withHeaders: boolean) => void;
  readonly peek: () => void;
  /** The whole row is asked for. */
  readonly inspect: () => void;
  /** The menu of a column is asked for, at a place of the page. */
  readonly menu: (place: number, at: DOMRect) => void;
  /** Find, or go on finding: forwards or backwards. */
  readonly find: (backwards: boolean | undefined) => void;
  /** Escape with nothing left to undo in the grid. */
  readonly leave: () => void;
  /** Selection, widths or scroll position changed. */
  readonly changed: () => void;
}
