/** What a cell says when the mouse rests on it: a text that is cut whole, a moment also by the clock here. Ids have a card (id-links.ts). */
import { localTime } from '../ui/local-time.ts';

export function addCellTooltips(grid: HTMLElement): void {
  grid.addEventListener('pointerover', ({ target }) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.grid-cell') : null;
    if (cell === null) return;
    const text = cell.textContent;
    const local = cell.dataset['look'] === 'time' ? localTime(text) : undefined;
    // Cells are used again for other values: what was said before is not true any more.
    if (local !== undefined) cell.title = `${text}\n${local}`;
    else if (cell.dataset['look'] !== 'id' && cell.scrollWidth > cell.clientWidth) cell.title = text;
    else cell.removeAttribute('title');
  });
}
