/** One tab per result, if the panel holds several. */
import type { PanelCommand, ResultTab } from '../../../../panel-protocol/messages.ts';
import { element, holdsFocus, icon } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { titleParts, type TitleParts } from '../ui/short-title.ts';
import { versionWords } from '../ui/version-words.ts';

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
  const hadFocus = holdsFocus(place);
  const list = element('div', {
    class: 'tabs',
    role: 'tablist',
    aria: { label: t('Open results') },
    // A plain mouse wheel scrolls only vertically.
    on: { wheel: (event) => (list.scrollLeft += event.deltaX === 0 ? event.deltaY : 0) },
  });
  const names = tabs.map(({ name, summarized }) => titleParts(name, summarized));
  for (const [index, tab] of tabs.entries()) {
    const title = tab.isClosed ? `${tab.title} ${t('(closed)')}` : tab.title;
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
      tab.isPinned && icon('pin'),
      closeIcon(() => send({ kind: 'close', result: tab.id })),
    );
    list.append(face);
  }
  place.replaceChildren(list);
  if (hadFocus) selectedIn(place)?.focus({ preventScroll: true });
  showSelected(place);
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

/** Keeps the selected tab in view when the width changes. To be called once. */
export function followWidth(place: HTMLElement): void {
  new ResizeObserver(() => showSelected(place)).observe(place);
}

function showSelected(place: HTMLElement): void {
  selectedIn(place)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
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
