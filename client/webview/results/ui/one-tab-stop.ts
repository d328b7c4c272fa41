/**
 * A list of check boxes as one stop of the Tab key (roving tabindex): arrow keys, Home, End, Page Up, Page Down and
 * typed text move in it. Space toggles, as in any check box.
 */
import { TypedText } from './typed-text.ts';

/**
 * @param labelOf returns the text that finds a box.
 * @returns `update`, to call for new boxes: Tab goes to the first checked one.
 */
export function makeOneTabStop(
  list: HTMLElement,
  labelOf: (box: HTMLElement) => string,
): { readonly update: () => void } {
  const typed = new TypedText(labelOf);
  const boxes = () => [...list.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  let stop = 0;
  const draw = (all: readonly HTMLInputElement[]) => {
    for (const [index, box] of all.entries()) box.tabIndex = index === stop ? 0 : -1;
  };
  list.addEventListener('focusin', ({ target }) => {
    const all = boxes();
    const found = all.findIndex((box) => box === target);
    if (found < 0 || found === stop) return;
    stop = found;
    draw(all);
  });
  const onKey = (event: KeyboardEvent) => {
    const all = boxes();
    const now = all.findIndex((box) => box === document.activeElement);
    if (now < 0) return;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const rowHeight = Math.max(1, all[now]?.parentElement?.offsetHeight ?? 1);
    const page = Math.max(1, Math.floor(list.clientHeight / rowHeight) - 1);
    const moved = isPlain ? movedTo(event.key, now, page) : undefined;
    // A space toggles the box that was typed.
    const next = moved ?? (event.key === ' ' ? undefined : typed.find(event, now, all));
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const box = all[Math.max(0, Math.min(next, all.length - 1))];
    box?.focus({ preventScroll: true });
    box?.parentElement?.scrollIntoView({ block: 'nearest' });
  };
  list.addEventListener('keydown', onKey);
  return {
    update: () => {
      const all = boxes();
      stop = Math.max(
        0,
        all.findIndex((box) => box.checked),
      );
      draw(all);
    },
  };
}

function movedTo(key: string, now: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return now + 1;
    case 'ArrowUp':
      return now - 1;
    case 'PageDown':
      return now + page;
    case 'PageUp':
      return now - page;
    case 'Home':
      return 0;
    case 'End':
      return Number.MAX_SAFE_INTEGER;
    default:
      return undefined;
  }
}
