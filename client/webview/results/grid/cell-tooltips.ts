/**
 * A cell's tooltip: the full text if it is truncated, or the local time of a timestamp. IDs have a card (id-links.ts).
 */
import { localTime } from '../ui/local-time.ts';

export function addCellTooltips(grid: HTMLElement): void {
  grid.addEventListener('pointerover', ({ target }) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.grid-cell') : null;
    if (cell === null) return;
    const text = cell.textContent;
    const local = cell.dataset['look'] === 'time' ? localTime(text) : undefined;
    // Cells are reused for other values, so an earlier tooltip is stale.
    if (local !== undefined) cell.title = `${text}\n${local}`;
    else if (cell.dataset['look'] !== 'id' && cell.scrollWidth > cell.clientWidth) cell.title = text;
    else cell.removeAttribute('title');
  });
}
