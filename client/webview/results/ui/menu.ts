/** A menu for keyboard and mouse (ARIA menu pattern). */
import { element } from './dom.ts';
import { openPopup, type Popup } from './popup.ts';
import { TypedText } from './typed-text.ts';

export interface MenuItem {
  readonly label: string;
  /** The equivalent shortcut, shown next to the label. */
  readonly key?: string;
  readonly isDisabled?: boolean;
  /** Set for toggles. */
  readonly isChecked?: boolean;
  readonly act: () => void;
}

/** Opens a menu with lines between the groups. In a page that is too low for it, the menu has two columns. */
export function openMenu(label: string, groups: readonly (readonly MenuItem[])[], at: DOMRect): void {
  const menu = element('div', { class: 'menu', role: 'menu', aria: { label } });
  const opened: { popup?: Popup } = {};
  const close = () => opened.popup?.close();
  const filled = groups
    .filter((group) => group.length > 0)
    .map((group) => group.map((item) => rowOf(item, close)));
  menu.append(...withLines(filled));
  const rows = filled.flat();
  const typed = new TypedText((row) => row.querySelector('.menu-label')?.textContent ?? '');
  const enabled = () => rows.filter((row) => row.getAttribute('aria-disabled') !== 'true');
  const onKey = (event: KeyboardEvent) => {
    const choices = enabled();
    const now = choices.findIndex((row) => row === document.activeElement);
    const next =
      indexBeside(event.key, now, choices) ??
      nextIndex(event.key, now, choices) ??
      typed.find(event, now, choices);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choices[(next + choices.length) % choices.length]?.focus();
  };
  // Before the item, which a space chooses unless it belongs to a text that is typed.
  menu.addEventListener('keydown', onKey, { capture: true });
  opened.popup = openPopup(menu, {
    at,
    fit: (tallest) => {
      if (menu.offsetHeight > tallest) splitInTwo(menu, filled);
    },
    opened: () => enabled()[0]?.focus(),
  });
}

type Groups = readonly (readonly HTMLElement[])[];

function withLines(groups: Groups): HTMLElement[] {
  return groups.flatMap((group, index) =>
    index === 0 ? group : [element('div', { class: 'menu-line', role: 'separator' }), ...group],
  );
}

/** Puts whole groups side by side, in columns of similar height, unless the page is too narrow as well. */
function splitInTwo(menu: HTMLElement, groups: Groups): void {
  const sizeOf = (some: Groups) => some.flat().length;
  const tallerOf = (at: number) => Math.max(sizeOf(groups.slice(0, at)), sizeOf(groups.slice(at)));
  const [at] = groups.map((_, index) => index).sort((a, b) => tallerOf(a) - tallerOf(b));
  if (at === undefined || at === 0) return;
  menu.classList.add('is-split');
  menu.replaceChildren(
    ...[groups.slice(0, at), groups.slice(at)].map((some) =>
      element('div', { class: 'menu-column', role: 'none' }, ...withLines(some)),
    ),
  );
  if (menu.scrollWidth <= menu.clientWidth) return;
  menu.classList.remove('is-split');
  menu.replaceChildren(...withLines(groups));
}

/** Returns the nearest item in the other column, if there are two. */
function indexBeside(key: string, now: number, choices: readonly HTMLElement[]): number | undefined {
  const from = choices[now];
  if (from === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return undefined;
  const distance = (row: HTMLElement) => Math.abs(row.offsetTop - from.offsetTop);
  const [nearest] = choices
    .filter((row) => row.parentElement !== from.parentElement)
    .sort((a, b) => distance(a) - distance(b));
  return nearest === undefined ? undefined : choices.indexOf(nearest);
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
    default:
      return undefined;
  }
}
