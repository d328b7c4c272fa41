/** The query and its connection, with actions on the whole result. */
import type { PanelCommand, ResultView, RunHeader } from '#panel-protocol/messages.ts';
import { connectionPlace } from '#panel-protocol/panel-texts.ts';
import { button, element, holdsFocus, icon, iconButton } from '../ui/dom.ts';
import { momentWords } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';
import { openMenu } from '../ui/menu.ts';
import { openPopup } from '../ui/popup.ts';
import { titleParts, type TitleParts } from '../ui/short-title.ts';
import { versionWords } from '../ui/version-words.ts';
import { titleSpans } from './tabs.ts';

/** Longer values are truncated here; the tooltip has the whole value. */
const parameterCharsMax = 24;

export function drawHeader(
  place: HTMLElement,
  view: ResultView | undefined,
  send: (message: PanelCommand) => void,
): void {
  place.hidden = view === undefined;
  if (view === undefined) {
    place.replaceChildren();
    return;
  }
  const { header, state } = view;
  // A button with the same name keeps the focus: pressing Enter twice must not press a different button.
  const focused = holdsFocus(place) ? nameOf(document.activeElement) : null;
  const act = (kind: 'runAgain' | 'editParameters' | 'pin' | 'cancel' | 'whatChanged') => () =>
    send({ kind, result: view.id });
  const isBusy = state.kind === 'running' || state.kind === 'checking';
  const actions = element('div', { class: 'header-actions', role: 'toolbar', aria: { label: t('Result') } });
  const chips = chipsOf(header);
  actions.append(hiddenFacts(chips));
  const steps = (header.steps ?? []).map(({ title }, step) => ({
    label: title,
    act: () => send({ kind: 'step', result: view.id, step }),
  }));
  if (steps.length > 0) actions.append(...stepsAndMenu(steps));
  const isQuery = header.origin !== 'rows';
  // Tabs hide the title, so this button takes its place.
  const goTo = iconButton('query', goToLabel(header), () => send({ kind: 'goToQuery', result: view.id }));
  goTo.classList.add('go-to-query');
  actions.append(goTo);
  if (isBusy) actions.append(iconButton('stop', t('Cancel'), act('cancel')));
  else actions.append(iconButton('again', againLabel(view, isQuery), act('runAgain')));
  if (view.before !== undefined && state.kind === 'rows') {
    const since = t('What Changed since {0}', momentWords(view.before));
    actions.append(iconButton('compare', since, act('whatChanged')));
  }
  if (isQuery && header.parameters.length > 0 && state.kind !== 'parameters') {
    actions.append(iconButton('edit', t('Change Parameters'), act('editParameters')));
  }
  const pin = iconButton(
    'pin',
    view.isPinned ? t('Unpin: let the next run replace this') : t('Pin: keep this result'),
    act('pin'),
  );
  pin.setAttribute('aria-pressed', String(view.isPinned));
  actions.append(pin);
  place.replaceChildren(element('div', { class: 'header-facts' }, titleOf(view, send), ...chips), actions);
  countHiddenFacts(place);
  if (focused !== null && focused !== undefined) {
    const buttons = [...actions.querySelectorAll('button')].filter((one) => one.checkVisibility());
    (buttons.find((one) => nameOf(one) === focused) ?? buttons[0])?.focus();
  }
}

/** Keeps the number of facts that do not fit. To be called once. */
export function followFacts(place: HTMLElement): void {
  new ResizeObserver(() => countHiddenFacts(place)).observe(place);
}

/** Returns a button with the number of facts that do not fit, which shows all facts. */
function hiddenFacts(chips: readonly HTMLElement[]): HTMLElement {
  const more = element('button', { class: 'chip facts-more', title: t('About This Result') });
  more.type = 'button';
  more.setAttribute('aria-haspopup', 'dialog');
  more.addEventListener('click', () => {
    const facts = chips.map(({ title }) => element('li', {}, title));
    const list = element('ul', { class: 'facts-list' }, ...facts);
    const dialog = element(
      'div',
      { role: 'dialog', class: 'facts-popup', aria: { label: t('About This Result') } },
      list,
    );
    dialog.tabIndex = -1;
    const closed = () => {
      // A new state has drawn another button.
      if (!more.isConnected && document.hasFocus() && document.activeElement === document.body)
        document.querySelector<HTMLElement>('.facts-more')?.focus();
    };
    openPopup(dialog, { at: more.getBoundingClientRect(), opened: () => dialog.focus(), closed });
  });
  return more;
}

/** Shows the facts that fit, and counts the others. */
function countHiddenFacts(place: HTMLElement): void {
  const facts = place.querySelector<HTMLElement>('.header-facts');
  const more = place.querySelector<HTMLElement>('.facts-more');
  if (facts === null || more === null) return;
  const chips = [...facts.querySelectorAll<HTMLElement>('.chip')];
  const isFocused = document.activeElement === more;
  for (const chip of chips) chip.classList.remove('is-out');
  more.hidden = true;
  // Gives the connection its whole width at first.
  facts.classList.add('is-measured');
  const firstOut = (): number => {
    const edge = facts.getBoundingClientRect().right;
    // The first is the connection, which is cut rather than hidden.
    const found = chips.findIndex(
      (chip, index) => index > 0 && chip.getBoundingClientRect().right > edge + 1,
    );
    return found < 0 ? chips.length : found;
  };
  if (firstOut() === chips.length) {
    facts.classList.remove('is-measured');
    if (isFocused) more.parentElement?.querySelector<HTMLElement>('.icon-button')?.focus();
    return;
  }
  // The button needs space itself.
  more.textContent = `+${chips.length}`;
  more.hidden = false;
  if (isFocused) more.focus();
  const shown = firstOut();
  facts.classList.remove('is-measured');
  for (const chip of chips.slice(shown)) chip.classList.add('is-out');
  const count = `+${chips.length - shown}`;
  more.textContent = count;
  more.setAttribute('aria-label', `${t('About This Result')}: ${count}`);
}

/** Returns links, and a menu for when they do not fit; the style sheet shows one of the two. */
function stepsAndMenu(steps: readonly { readonly label: string; readonly act: () => void }[]): HTMLElement[] {
  const links = steps.map(({ label, act }) => button(label, act, { kind: 'link' }));
  const more = iconButton('more', t('More...'), () =>
    openMenu(t('More...'), [steps], more.getBoundingClientRect()),
  );
  more.classList.add('steps-menu');
  more.setAttribute('aria-haspopup', 'menu');
  return [element('span', { class: 'steps' }, ...links), more];
}

function againLabel({ state }: ResultView, isQuery: boolean): string {
  if (state.kind === 'rows' && state.comparison !== undefined) return t('Compare Again');
  return isQuery ? t('Run Again') : t('Read Again');
}

const goToLabel = ({ origin }: RunHeader): string =>
  origin === 'rows' ? t('Go to Source') : t('Go to the query (Ctrl+F6)');

function nameOf(element: Element | null): string | null | undefined {
  return element?.getAttribute('aria-label') ?? element?.textContent;
}

function titleOf(view: ResultView, send: (message: PanelCommand) => void): HTMLElement {
  const { header } = view;
  const version = [versionWords(header), view.isClosed ? t('(closed)') : '']
    .filter((words) => words !== '')
    .join(' ');
  const title = element(
    'button',
    {
      class: 'header-title',
      title: goToLabel(header),
    },
    ...titleSpans(partsOf(header), 'title-part'),
  );
  title.type = 'button';
  title.addEventListener('click', () => send({ kind: 'goToQuery', result: view.id }));
  return element(
    'h1',
    {},
    title,
    element('span', { class: 'header-name' }, header.title),
    version !== '' && element('span', { class: 'header-version' }, ` ${version}`),
  );
}

/** The title with its folders. */
function partsOf({ title, summarized }: RunHeader): Omit<TitleParts, 'folder'> {
  if (summarized === undefined) return { before: '', name: title, after: '' };
  const { before, after } = titleParts(title, summarized);
  return { before, name: title.slice(before.length, title.length - after.length), after };
}

function chipsOf(header: RunHeader): HTMLElement[] {
  const chips: HTMLElement[] = [];
  if (header.connection !== undefined) {
    const place = connectionPlace(header.label, header.environment);
    const words = place === '' ? header.connection : `${header.connection} (${place})`;
    const chip = element('span', { class: 'chip', title: t('Connection: {0}', words) }, words);
    if (header.colour !== undefined) chip.dataset['colour'] = header.colour;
    if (header.isProtected === true) {
      chip.prepend(icon('shield'));
      chip.title = t('Connection, marked as protected: {0}', words);
      chip.classList.add('is-protected');
    }
    chips.push(chip);
  }
  if (header.model !== undefined)
    chips.push(element('span', { class: 'chip', title: t('Model: {0}', header.model) }, header.model));
  if (header.part !== undefined)
    chips.push(
      element('span', { class: 'chip', title: t('One of several runs: {0}', header.part) }, header.part),
    );
  if (header.lines !== undefined) {
    const { first, last } = header.lines;
    const words = first === last ? t('line {0}', first) : t('lines {0} to {1}', first, last);
    chips.push(
      element('span', { class: 'chip', title: t('Executed part of the document: {0}', words) }, words),
    );
  }
  for (const { label, text } of header.facts ?? []) {
    chips.push(element('span', { class: 'chip', title: `${label}: ${text}` }, text));
  }
  for (const { name, text, isNull, isEmpty, isSecret } of header.parameters) {
    const whole = isSecret === true ? '•••' : isNull ? 'NULL' : isEmpty === true ? t('(empty)') : text;
    const value = whole.length > parameterCharsMax ? `${whole.slice(0, parameterCharsMax)}…` : whole;
    chips.push(
      element(
        'span',
        { class: 'chip parameter', title: t('Parameter {0}: {1}', name, whole) },
        element('span', { class: 'parameter-name' }, `:${name}`),
        ' ',
        element('span', { class: isNull || isEmpty === true ? 'null' : 'parameter-value' }, value),
      ),
    );
  }
  return chips;
}
