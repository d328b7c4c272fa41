/** A line of buttons. Those that do not fit are in a menu at its end, so that the buttons never take a second line. */
import { element, iconButton } from './dom.ts';
import { t } from './l10n.ts';
import { openMenu } from './menu.ts';

/** @param buttons the most important first; the first one is always in sight. */
export function fittingButtons(...buttons: readonly HTMLButtonElement[]): HTMLElement {
  const more = iconButton('more', t('More...'), () => {
    const items = buttons
      .filter(({ hidden }) => hidden)
      .map((one) => ({ label: one.textContent, act: () => one.click() }));
    openMenu(t('More...'), [items], more.getBoundingClientRect());
  });
  more.setAttribute('aria-haspopup', 'menu');
  const line = element('div', { class: 'buttons is-fitting' }, ...buttons);
  new ResizeObserver(() => fit(line, buttons, more)).observe(line);
  return line;
}

function fit(line: HTMLElement, buttons: readonly HTMLButtonElement[], more: HTMLButtonElement): void {
  const focused = document.activeElement;
  for (const one of buttons) one.hidden = false;
  const wasMore = more === focused;
  more.remove();
  const isTooLong = () => line.scrollWidth > line.clientWidth;
  for (const one of buttons.slice(1).reverse()) {
    if (!isTooLong()) break;
    one.hidden = true;
    line.append(more);
  }
  const isLost = buttons.some((one) => one === focused && one.hidden);
  if (isLost || wasMore) (more.isConnected ? more : buttons[0])?.focus();
}
