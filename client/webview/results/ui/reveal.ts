/** Space between the revealed element and the buttons, in pixels. */
const gap = 6;

/**
 * Scrolls a form so that a focused element is visible, with its whole field if that fits. The buttons stay in place
 * while fields scroll under them.
 */
export function revealInForm(form: HTMLElement, target: EventTarget | null): void {
  const buttons = form.querySelector('.buttons');
  if (!(target instanceof HTMLElement) || buttons === null || buttons.contains(target)) return;
  const end = buttons.getBoundingClientRect().top - gap;
  // A header above the form covers what scrolls under it.
  const start = Math.max(0, form.getBoundingClientRect().top);
  const field = target.closest('.field')?.getBoundingClientRect();
  const { top, bottom } =
    field !== undefined && field.height <= end - start ? field : target.getBoundingClientRect();
  form.scrollTop += top < start ? top - start : Math.max(0, Math.min(bottom - end, top - start));
}
