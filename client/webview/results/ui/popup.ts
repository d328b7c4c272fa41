/**
 * A popup at a position, which takes the focus and returns it when closed. Like a menu of the editor, it closes on a
 * press outside and when the page loses the focus, unless that would lose input.
 */
import { element } from './dom.ts';

export interface Popup {
  close(): void;
}

/** Space around the popup, and its own borders, in pixels. */
const margin = 4;
const borders = 2;

let open: Popup | undefined;

/** Closes the popup when its owner is gone. */
export function closePopup(): void {
  open?.close();
}

/**
 * @param content must take the focus in `on.opened`.
 * @param on `at` is the owner's position: the popup opens below it, or above if there is more room. `fit` may change
 *   the content once its size is known. `narrowest` is the width, in pixels, that the content can make do with.
 */
export function openPopup(
  content: HTMLElement,
  on: {
    readonly at: DOMRect;
    readonly fit?: (tallest: number) => void;
    readonly narrowest?: number;
    readonly opened: () => void;
    readonly closed?: () => void;
  },
): Popup {
  open?.close();
  const before = document.activeElement;
  const place = element('div', { class: 'popup' }, content);
  const listeners = new AbortController();
  const { signal } = listeners;
  let isOpen = true;
  let hasInput = false;
  const popup = {
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      if (open === popup) open = undefined;
      listeners.abort();
      const hadFocus = place.contains(document.activeElement);
      place.remove();
      if (hadFocus && before instanceof HTMLElement) before.focus({ preventScroll: true });
      on.closed?.();
    },
  };
  open = popup;
  // Placed inside a landmark of the page, for assistive technology.
  (document.querySelector('main') ?? document.body).append(place);
  on.fit?.(document.documentElement.clientHeight - 2 * margin - borders);
  position(place, on.at, on.narrowest);
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    popup.close();
  };
  place.addEventListener('keydown', closeOnEscape, { signal });
  // The focus may be elsewhere on the page, which has its own use for Escape.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.target instanceof Node && !place.contains(event.target)) closeOnEscape(event);
    },
    { signal, capture: true },
  );
  place.addEventListener('input', () => (hasInput = true), { signal });
  window.addEventListener(
    'blur',
    () => {
      // Going to another window for a value must not lose what was entered.
      if (hasInput) return;
      // Returning the focus would take it back from the editor.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      popup.close();
    },
    { signal },
  );
  window.addEventListener(
    'pointerdown',
    (event) => {
      if (event.target instanceof Node && !place.contains(event.target)) popup.close();
    },
    { signal, capture: true },
  );
  window.addEventListener('resize', popup.close, { signal });
  on.opened();
  return popup;
}

function position(place: HTMLElement, at: DOMRect, narrowest = Infinity): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - at.bottom - margin;
  const above = at.top - margin;
  const right = clientWidth - at.right - margin;
  const room = Math.max(right, at.left - margin);
  const { width, height } = place.getBoundingClientRect();
  const tallest = clientHeight - 2 * margin;
  let x = Math.min(at.left, clientWidth - width - margin);
  let y = height <= below || below >= above ? at.bottom : at.top - height;
  // If there is room neither below nor above, the popup takes the available height, beside the owner if it can: what it
  // is about, such as a column's rows, stays in sight.
  if (height > Math.max(below, above) && room >= Math.min(width, narrowest)) {
    const own = Math.min(width, room);
    place.style.width = `${own}px`;
    x = room === right ? at.right : at.left - own;
    y = at.top;
  }
  place.style.left = `${Math.max(margin, x)}px`;
  place.style.maxHeight = `${tallest}px`;
  place.style.top = `${Math.max(margin, Math.min(y, clientHeight - Math.min(height, tallest) - margin))}px`;
}
