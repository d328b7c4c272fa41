/** Mouse drags: selecting beyond the edges, resizing columns, and moving columns. */

interface Pointer {
  readonly clientX: number;
  readonly clientY: number;
}

/** Pixels outside the grid for each pixel of scrolling per frame. */
const slowness = 3;

/** Follows the pointer until it is released; keeps scrolling while the pointer is outside the box. */
export function dragSelect(
  box: HTMLElement,
  start: PointerEvent,
  on: { readonly move: (at: Pointer) => void; readonly scroll: (x: number, y: number) => void },
): void {
  let last: Pointer = start;
  let frame = 0;
  const follow = () => {
    const edges = box.getBoundingClientRect();
    const x = beyond(last.clientX, edges.left, edges.left + box.clientWidth) / slowness;
    const y = beyond(last.clientY, edges.top, edges.top + box.clientHeight) / slowness;
    if (x !== 0 || y !== 0) {
      on.scroll(x, y);
      on.move(last);
    }
    frame = requestAnimationFrame(follow);
  };
  const end = track(start, (event) => {
    last = event;
    on.move(event);
  });
  frame = requestAnimationFrame(follow);
  end.then(
    () => cancelAnimationFrame(frame),
    () => cancelAnimationFrame(frame),
  );
}

function beyond(value: number, low: number, high: number): number {
  return value < low ? value - low : value > high ? value - high : 0;
}

export function resizeColumn(start: PointerEvent, width: number, set: (width: number) => void): void {
  start.preventDefault();
  start.stopPropagation();
  void track(start, (event) => set(width + event.clientX - start.clientX));
}

/** Movement in pixels before a press becomes a drag. */
const dragThreshold = 5;

/** Follows a pressed column header; a press without movement is a click and reports nothing. */
export function dragColumn(
  start: PointerEvent,
  on: {
    readonly move: (x: number) => void;
    readonly drop: (x: number) => void;
    readonly cancel: () => void;
  },
): void {
  let last: number | undefined;
  const cancelling = new AbortController();
  const ended = track(start, (event) => {
    if (last === undefined && Math.abs(event.clientX - start.clientX) < dragThreshold) return;
    if (cancelling.signal.aborted) return;
    last = event.clientX;
    on.move(last);
  });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || last === undefined) return;
      cancelling.abort();
      on.cancel();
    },
    // Runs before the grid's handler, where Escape has a different meaning.
    { signal: cancelling.signal, capture: true },
  );
  void ended.then(() => {
    if (last !== undefined && !cancelling.signal.aborted) on.drop(last);
    cancelling.abort();
  });
}

/** Reports the moves of one pointer; resolves when it is released or cancelled. */
function track(start: PointerEvent, move: (event: PointerEvent) => void): Promise<void> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const { signal } = controller;
    const end = () => {
      controller.abort();
      resolve();
    };
    const mine = (handle: (event: PointerEvent) => void) => (event: PointerEvent) => {
      if (event.pointerId === start.pointerId) handle(event);
    };
    window.addEventListener('pointermove', mine(move), { signal });
    window.addEventListener('pointerup', mine(end), { signal });
    window.addEventListener('pointercancel', mine(end), { signal });
  });
}
