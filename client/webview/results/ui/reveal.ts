/** Space between the revealed element and the buttons, in pixels. */
const gap = 6;

/**
 * Scrolls a form so that a focused element is visible, with its whole field if that fits. The buttons stay in place
 * while fields scroll under them.
 */
export function revealInForm(form: HTMLElement, target: EventTarget | null): void {
  const buttons = form.querySelector('.buttons');
  if (!(target instanceof HTMLElement) || buttons === null || buttons.contains(target)) return;
  const room = buttons.getBoundingClientRect().top - gap;
  const field = target.closest('.field')?.getBoundingClientRect();
  const { top, bottom } =
    field !== undefined && field.height <= room ? field : target.getBoundingClientRect();
  form.scrollTop += top < 0 ? top : Math.max(0, Math.min(bottom - room, top));
}
