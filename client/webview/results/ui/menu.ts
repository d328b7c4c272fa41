/** A menu for keyboard and mouse (ARIA menu pattern). */
import { element } from './dom.ts';
import { openPopup, type Popup } from './popup.ts';

export interface MenuItem {
  readonly label: string;
  /** The equivalent shortcut, shown next to the label. */
  readonly key?: string;
  readonly isDisabled?: boolean;
  /** Set for toggles. */
  readonly isChecked?: boolean;
  readonly act: () => void;
}

/** Opens a menu with lines between the groups. */
export function openMenu(label: string, groups: readonly (readonly MenuItem[])[], at: DOMRect): void {
  const menu = element('div', { class: 'menu', role: 'menu', aria: { label } });
  const rows: HTMLElement[] = [];
  const opened: { popup?: Popup } = {};
  const close = () => opened.popup?.close();
  groups
    .filter((group) => group.length > 0)
    .forEach((group, index) => {
      if (index > 0) menu.append(element('div', { class: 'menu-line', role: 'separator' }));
      for (const item of group) {
        const row = rowOf(item, close);
        rows.push(row);
        menu.append(row);
      }
    });
  const enabled = () => rows.filter((row) => row.getAttribute('aria-disabled') !== 'true');
  menu.addEventListener('keydown', (event) => {
    const choices = enabled();
    const now = choices.findIndex((row) => row === document.activeElement);
    const next = nextIndex(event.key, now, choices);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choices[(next + choices.length) % choices.length]?.focus();
  });
  opened.popup = openPopup(menu, { at, opened: () => enabled()[0]?.focus() });
}

function rowOf(item: MenuItem, close: () => void): HTMLElement {
  const isSwitch = item.isChecked !== undefined;
  const row = element(
    'div',
    {
      class: 'menu-item',
      role: isSwitch ? 'menuitemcheckbox' : 'menuitem',
      tabIndex: -1,
      aria: {
        ...(item.isDisabled === true ? { disabled: 'true' } : {}),
        ...(isSwitch ? { checked: String(item.isChecked) } : {}),
      },
    },
    element('span', { class: 'menu-check', aria: { hidden: 'true' } }, item.isChecked === true ? '✓' : ''),
    element('span', { class: 'menu-label' }, item.label),
    item.key !== undefined && element('span', { class: 'menu-key' }, item.key),
  );
  const choose = () => {
    if (item.isDisabled === true) return;
    // Closes first, so that the item's target gets the focus.
    close();
    item.act();
  };
  row.addEventListener('click', choose);
  row.addEventListener('pointermove', () => {
    if (item.isDisabled !== true) row.focus({ preventScroll: true });
  });
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    choose();
  });
  return row;
}

function nextIndex(key: string, now: number, choices: readonly HTMLElement[]): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'Tab':
      return now + 1;
    case 'ArrowUp':
      return now < 0 ? -1 : now - 1;
    case 'Home':
      return 0;
    case 'End':
      return choices.length - 1;
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      // Typing a letter moves to the next item that starts with it.
      const order = choices.map((_, index) => (now + 1 + index) % choices.length);
      return order.find((index) =>
        choices[index]?.querySelector('.menu-label')?.textContent.toLowerCase().startsWith(key.toLowerCase()),
      );
    }
  }
}
