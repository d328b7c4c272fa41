/** One tab per result, if the panel holds several, and a list of all results if the tabs do not fit. */
import type { PanelCommand, ResultTab } from '#panel-protocol/messages.ts';
import { clockText } from '#panel-protocol/panel-texts.ts';
import { element, holdsFocus, icon } from '../ui/dom.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';
import { openMenu } from '../ui/menu.ts';
import { titleParts, type TitleParts } from '../ui/short-title.ts';
import { versionWords } from '../ui/version-label.ts';

const statusWords: Readonly<Record<ResultTab['status'], string>> = {
  busy: t('running'),
  ok: t('finished'),
  failed: t('not finished'),
  cancelled: t('cancelled'),
  waiting: t('waiting for you'),
};

export function drawTabs(
  place: HTMLElement,
  options: {
    readonly tabs: readonly ResultTab[];
    readonly shown: string | undefined;
    readonly send: (message: PanelCommand) => void;
  },
): void {
  const { tabs, shown, send } = options;
  place.hidden = tabs.length < 2;
  if (place.hidden) {
    place.replaceChildren();
    return;
  }
  const known = place.querySelector('.tabs');
  const hadFocus = known instanceof HTMLElement && holdsFocus(known);
  const list = element('div', {
    class: 'tabs',
    role: 'tablist',
    aria: { label: t('Open results') },
    // A plain mouse wheel scrolls only vertically.
    on: { wheel: (event) => (list.scrollLeft += event.deltaX === 0 ? event.deltaY : 0) },
  });
  const names = tabs.map(({ name, summarized }) => titleParts(name, summarized));
  const titles = titlesOf(tabs);
  for (const [index, tab] of tabs.entries()) {
    const { title, time } = titles[index] ?? { title: tab.title };
    const { before, name, after, folder } = names[index] ?? titleParts(tab.name, tab.summarized);
    const version = versionWords(tab);
    const isAmbiguous =
      folder !== '' &&
      names.some(
        (other) =>
          other.folder !== folder &&
          `${other.before}${other.name}${other.after}` === `${before}${name}${after}`,
      );
    const isShown = tab.id === shown;
    const face = element(
      'div',
      {
        class: 'tab',
        role: 'tab',
        tabIndex: isShown ? 0 : -1,
        title: `${title}, ${statusWords[tab.status]}`,
        aria: { label: title, selected: String(isShown), keyshortcuts: 'Delete' },
        data: { status: tab.status },
        on: {
          click: () => send({ kind: 'select', result: tab.id }),
          auxclick: (event) => {
            if (event.button === 1) send({ kind: 'close', result: tab.id });
          },
          keydown: (event) => onTabKey(event, tabs, { tab, send }),
        },
      },
      element('span', { class: 'tab-status', aria: { hidden: 'true' } }),
      ...titleSpans({ before, name, after }, 'tab-title'),
      version !== '' && element('span', { class: 'tab-version' }, ` ${version}`),
      tab.part !== undefined && element('span', { class: 'tab-title tab-part' }, `· ${tab.part}`),
      isAmbiguous && element('span', { class: 'tab-folder' }, folder),
      tab.isClosed && element('span', { class: 'tab-closed' }, ` ${t('(closed)')}`),
      time !== undefined && element('span', { class: 'tab-time' }, ` ${time}`),
      tab.isPinned && icon('pin'),
      closeIcon(() => send({ kind: 'close', result: tab.id })),
    );
    list.append(face);
  }
  if (known === null) place.replaceChildren(list, allButton());
  else known.replaceWith(list);
  const all = place.querySelector<HTMLButtonElement>('.tabs-all');
  if (all !== null) {
    // The button stays the same, since a menu returns the focus to it.
    const words = t('All Results: {0}', number(tabs.length));
    all.title = words;
    all.setAttribute('aria-label', words);
    all.replaceChildren(number(tabs.length), icon('next'));
    all.onclick = () => {
      const items = tabs.map((tab, index) => ({
        label: `${titles[index]?.title ?? tab.title}${tab.status === 'ok' ? '' : `, ${statusWords[tab.status]}`}`,
        isChecked: tab.id === shown,
        act: () => send({ kind: 'select', result: tab.id }),
      }));
      openMenu(t('Open results'), [items], all.getBoundingClientRect());
    };
  }
  if (hadFocus) selectedIn(place)?.focus({ preventScroll: true });
  fit(place);
}

/** Returns the names of tabs, which end with the time of the run if they are the same otherwise. */
function titlesOf(tabs: readonly ResultTab[]): { readonly title: string; readonly time?: string }[] {
  const titles = tabs.map(({ title, isClosed }) => (isClosed ? `${title} ${t('(closed)')}` : title));
  return tabs.map((tab, index) => {
    const title = titles[index] ?? tab.title;
    if (titles.filter((other) => other === title).length < 2) return { title };
    const time = clockText(tab.time);
    return { title: `${title} ${time}`, time };
  });
}

/** Returns the button that lists all results. */
function allButton(): HTMLButtonElement {
  const made = element('button', { class: 'tabs-all', hidden: true, aria: { haspopup: 'menu' } });
  made.type = 'button';
  return made;
}

/** Returns a title whose name gives way to the words around it. */
export function titleSpans({ before, name, after }: Omit<TitleParts, 'folder'>, kind: string): HTMLElement[] {
  const words = (text: string) => element('span', { class: `${kind} title-rest` }, text);
  return [
    ...(before === '' ? [] : [words(before)]),
    element('span', { class: before + after === '' ? kind : `${kind} title-summarized` }, name),
    ...(after === '' ? [] : [words(after)]),
  ];
}

/** Keeps the selected tab in view, and the others within reach, when the width changes. To be called once. */
export function followWidth(place: HTMLElement): void {
  new ResizeObserver(() => fit(place)).observe(place);
}

/** Shows the list of all results if the tabs do not fit. */
function fit(place: HTMLElement): void {
  const list = place.querySelector('.tabs');
  const all = place.querySelector<HTMLElement>('.tabs-all');
  if (list !== null && all !== null) {
    const isFocused = document.activeElement === all;
    list.querySelector('.tabs-end')?.remove();
    all.hidden = true;
    all.hidden = list.scrollWidth <= list.clientWidth + 1;
    if (isFocused) (all.hidden ? selectedIn(place) : all)?.focus({ preventScroll: true });
  }
  showSelected(place);
}

/** Scrolls no further than needed, but so that the first tab in view starts whole. */
function showSelected(place: HTMLElement): void {
  const list = place.querySelector<HTMLElement>('.tabs');
  const selected = selectedIn(place);
  if (list === null || selected === null) return;
  const origin = list.getBoundingClientRect().left - list.scrollLeft;
  const startOf = (tab: Element) => tab.getBoundingClientRect().left - origin;
  const least = selected.getBoundingClientRect().right - origin - list.clientWidth;
  const wanted = Math.max(least, Math.min(list.scrollLeft, startOf(selected)));
  const starts = [...list.querySelectorAll('.tab')].map(startOf);
  const start = starts.find((at) => at >= wanted - 1) ?? startOf(selected);
  // The last tabs start whole only if there is room to scroll behind them.
  const end = element('div', { class: 'tabs-end', aria: { hidden: 'true' } });
  end.style.left = `${start + list.clientWidth - 1}px`;
  if (start > 0) list.append(end);
  list.scrollLeft = start;
}

function selectedIn(place: HTMLElement): HTMLElement | null {
  return place.querySelector<HTMLElement>('[aria-selected="true"]');
}

/** Only for the mouse: a tab may not contain a button, and the Delete key closes it. */
function closeIcon(close: () => void): HTMLElement {
  return element(
    'span',
    {
      class: 'tab-close',
      title: t('Close this result'),
      aria: { hidden: 'true' },
      on: {
        click: (event) => {
          event.stopPropagation();
          close();
        },
      },
    },
    icon('close'),
  );
}

function onTabKey(
  event: KeyboardEvent,
  tabs: readonly ResultTab[],
  at: { readonly tab: ResultTab; readonly send: (message: PanelCommand) => void },
): void {
  const index = tabs.indexOf(at.tab);
  const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (event.key === 'Delete') at.send({ kind: 'close', result: at.tab.id });
  else if (event.key === 'Enter' || event.key === ' ') at.send({ kind: 'select', result: at.tab.id });
  else if (target !== undefined) {
    const next = tabs[(target + tabs.length) % tabs.length];
    if (next !== undefined) at.send({ kind: 'select', result: next.id });
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
