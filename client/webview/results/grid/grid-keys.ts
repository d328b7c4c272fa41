/** Keyboard handling for the grid. */
import type { ColumnLayout } from './column-layout.ts';
import type { GridEvents } from './grid-types.ts';
import { afterKey, headerRow, selectOne, type Extent, type Selection } from './selection.ts';

export interface KeyboardGrid {
  readonly events: GridEvents;
  readonly layout: ColumnLayout;
  readonly selection: () => Selection;
  readonly extent: () => Extent;
  /** `isWhole` keeps the scroll position, since whole rows or columns were selected. */
  readonly select: (selection: Selection, isWhole: boolean) => void;
  readonly openMenu: (place: number) => void;
  readonly moveColumn: (place: number, to: number) => void;
  readonly setWidth: (place: number, width: number) => void;
}

const widthStep = 16;

/** Handles a key press; keys that have a meaning here do not reach the browser or the editor's shortcuts. */
export function onGridKey(event: KeyboardEvent, grid: KeyboardGrid): void {
  const isHandled = event.altKey ? changesColumn(event, grid) : asks(event, grid) || moves(event, grid);
  if (!isHandled) return;
  event.preventDefault();
  event.stopPropagation();
}

function asks(event: KeyboardEvent, { events, layout, ...grid }: KeyboardGrid): boolean {
  const { anchor, active } = grid.selection();
  const key = event.key.toLowerCase();
  const mod = event.ctrlKey || event.metaKey;
  if (event.key === 'Escape') {
    if (anchor.row === active.row && anchor.column === active.column) events.leave();
    else grid.select(selectOne(active), false);
  } else if (mod && event.shiftKey && key === 'c') events.copy(true);
  else if (mod && !event.shiftKey && key === 'f') events.find(undefined);
  else if (event.key === 'F3') events.find(event.shiftKey);
  else if (event.key === 'Enter' || (event.key === ' ' && !mod && !event.shiftKey)) {
    if (active.row === headerRow) events.sortBy(layout.columnAt(active.column), event.shiftKey);
    else if (grid.extent().rowCount > 0) {
      if (event.shiftKey) events.inspect();
      else if (event.key === 'Enter') events.open();
      else events.peek();
    }
  } else return false;
  return true;
}

function moves(event: KeyboardEvent, grid: KeyboardGrid): boolean {
  const mod = event.ctrlKey || event.metaKey;
  const key = { key: event.key, mod, shift: event.shiftKey };
  const next = afterKey(grid.selection(), key, grid.extent());
  if (next === undefined) return false;
  grid.select(next, event.key === ' ' || (mod && event.key.toLowerCase() === 'a'));
  return true;
}

/**
 * Alt+Down opens the column's menu. On a column header, Alt+Left and Alt+Right change the width or, with Shift, the
 * place.
 */
function changesColumn(event: KeyboardEvent, grid: KeyboardGrid): boolean {
  const { active } = grid.selection();
  if (event.key === 'ArrowDown') {
    grid.openMenu(active.column);
    return true;
  }
  const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (step === 0 || active.row !== headerRow) return false;
  if (event.shiftKey) grid.moveColumn(active.column, active.column + step);
  else grid.setWidth(active.column, grid.layout.widthOf(active.column) + step * widthStep);
  return true;
}
