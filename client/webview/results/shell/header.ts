/** The query and its connection, with actions on the whole result. */
import type { PanelCommand, ResultView, RunHeader } from '#panel-protocol/messages.ts';
import { connectionPlace, exactMomentText } from '#panel-protocol/panel-texts.ts';
import { button, element, holdsFocus, icon, iconButton } from '../ui/dom.ts';
import { t } from '../ui/l10n.ts';
import { openMenu } from '../ui/menu.ts';
import { openPopup } from '../ui/popup.ts';
import { nameAndFolder, titleParts } from '../ui/short-title.ts';
import { versionWords } from '../ui/version-label.ts';
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
  const act = (kind: 'runAgain' | 'editParameters' | 'pin' | 'cancel' | 'whatChanged' | 'goToQuery') => () =>
    send({ kind, result: view.id });
  const isBusy = state.kind === 'running' || state.kind === 'checking';
  const actions = element('div', { class: 'header-actions', role: 'toolbar', aria: { label: t('Result') } });
  const facts = factsOf(header);
  actions.append(hiddenFacts(facts));
  const steps = (header.steps ?? []).map(({ title }, step) => ({
    label: title,
    act: () => send({ kind: 'step', result: view.id, step }),
  }));
  if (steps.length > 0)
    actions.append(
      element(
        'span',
        { class: 'steps' },
        ...steps.map(({ label, act: go }) => button(label, go, { kind: 'link' })),
      ),
    );
  const isQuery = header.origin !== 'rows';
  if (isBusy) actions.append(iconButton('stop', t('Cancel'), act('cancel')));
  else actions.append(iconButton('again', againLabel(view, isQuery), act('runAgain')));
  if (view.before !== undefined && state.kind === 'rows') {
    const since = t('What Changed since {0}', exactMomentText(view.before));
    actions.append(iconButton('compare', since, act('whatChanged')));
  }
  if (isQuery && header.parameters.length > 0 && state.kind !== 'parameters')
    actions.append(iconButton('edit', t('Change Parameters'), act('editParameters')));
  const more = iconButton('more', t('More Actions...'), () => {
    // The style sheet hides the steps that do not fit.
    const areStepsHidden = actions.querySelector('.steps')?.checkVisibility() === false;
    const goTo = { ...goToLabel(header), act: act('goToQuery') };
    const pin = { label: t('Pin: keep this result'), isChecked: view.isPinned, act: act('pin') };
    openMenu(t('More Actions...'), [areStepsHidden ? steps : [], [goTo, pin]], more.getBoundingClientRect());
  });
  more.setAttribute('aria-haspopup', 'menu');
  actions.append(more);
  const chips = facts.map(({ chip }) => chip);
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
function hiddenFacts(all: readonly Fact[]): HTMLElement {
  const more = element('button', { class: 'chip facts-more', title: t('About This Result') });
  more.type = 'button';
  more.setAttribute('aria-haspopup', 'dialog');
  more.addEventListener('click', () => {
    const facts = all.flatMap(({ words }) => words.map((line) => element('li', {}, line)));
    const list = element('ul', { class: 'facts-list' }, ...facts);
    const dialog = element(
      'div',
      { role: 'dialog', class: 'facts-popup', aria: { label: t('About This Result') } },
      list,
    );
    dialog.tabIndex = -1;
    const closed = () => {
      // A new state has drawn other buttons, and may have no facts to count.
      if (document.hasFocus() && document.activeElement === document.body) focusFirst(document);
    };
    openPopup(dialog, { at: more.getBoundingClientRect(), opened: () => dialog.focus(), closed });
  });
  return more;
}

function focusFirst(place: ParentNode): void {
  const actions = place.querySelectorAll<HTMLElement>('.header-actions button');
  [...actions].find((one) => one.checkVisibility())?.focus();
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
  facts.classList.remove('is-tight');
  // Tabs leave the room that the values need.
  const values = facts.querySelector<HTMLElement>('.parameters');
  place.parentElement?.style.setProperty('--values', `${values?.offsetWidth ?? 0}px`);
  const firstOut = (): number => {
    const edge = facts.getBoundingClientRect().right;
    // The connection and the values are cut rather than hidden.
    const found = chips.findIndex(
      (chip) => !chip.classList.contains('is-kept') && chip.getBoundingClientRect().right > edge + 1,
    );
    return found < 0 ? chips.length : found;
  };
  if (firstOut() === chips.length) {
    facts.classList.remove('is-measured');
    if (isFocused) focusFirst(place);
    return;
  }
  // The button needs space itself, and the folder of the query gives way.
  facts.classList.add('is-tight');
  more.textContent = `+${chips.length}`;
  more.hidden = false;
  if (isFocused) more.focus();
  const shown = firstOut();
  facts.classList.remove('is-measured');
  const hidden = chips.slice(shown);
  for (const chip of hidden) chip.classList.add('is-out');
  // Where the room is for the connection alone, its name is more than the start of the values.
  const name = facts.querySelector('.connection > span');
  if (name !== null && values !== null && name.scrollWidth > name.clientWidth) {
    values.classList.add('is-out');
    hidden.push(values);
  }
  const count = `+${hidden.length}`;
  more.textContent = count;
  more.setAttribute('aria-label', `${t('About This Result')}: ${count}`);
}

function againLabel({ state }: ResultView, isQuery: boolean): string {
  if (state.kind === 'rows' && state.comparison !== undefined) return t('Compare Again');
  return isQuery ? t('Run Again') : t('Read Again');
}

const goToLabel = ({ origin }: RunHeader): { readonly label: string; readonly key?: string } =>
  origin === 'rows' ? { label: t('Go to Source') } : { label: t('Go to Query'), key: 'Ctrl+F6' };

function nameOf(element: Element | null): string | null | undefined {
  return element?.getAttribute('aria-label') ?? element?.textContent;
}

function titleOf(view: ResultView, send: (message: PanelCommand) => void): HTMLElement {
  const { header } = view;
  const version = [versionWords(header), view.isClosed ? t('(closed)') : '']
    .filter((words) => words !== '')
    .join(' ');
  const { label, key } = goToLabel(header);
  const title = element(
    'button',
    {
      class: 'header-title',
      title: key === undefined ? label : `${label} (${key})`,
      aria: { label: header.title },
    },
    ...wordsOf(header),
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

/** The title with its folders, which give way to the name. */
function wordsOf({ title, summarized }: RunHeader): readonly HTMLElement[] {
  if (summarized !== undefined) {
    const { before, after } = titleParts(title, summarized);
    const name = title.slice(before.length, title.length - after.length);
    return titleSpans({ before, name, after }, 'title-part');
  }
  const { name, folder } = nameAndFolder(title);
  if (title !== `${folder}/${name}`) return titleSpans({ before: '', name: title, after: '' }, 'title-part');
  return [
    element('span', { class: 'title-part title-folder' }, `${folder}/`),
    element('span', { class: 'title-part' }, name),
  ];
}

interface Fact {
  readonly chip: HTMLElement;
  /** The whole of it, line by line. */
  readonly words: readonly string[];
}

/** The connection and the values come first, and always keep a place. */
function factsOf(header: RunHeader): readonly Fact[] {
  const facts: Fact[] = [];
  const add = (words: string, ...shown: readonly (Node | string)[]) =>
    facts.push({ chip: element('span', { class: 'chip', title: words }, ...shown), words: [words] });
  if (header.connection !== undefined) facts.push(connectionFact(header, header.connection));
  if (header.parameters.length > 0) facts.push(valuesFact(header));
  if (header.model !== undefined) add(t('Model: {0}', header.model), header.model);
  if (header.part !== undefined) add(t('One of several runs: {0}', header.part), header.part);
  if (header.lines !== undefined) {
    const { first, last } = header.lines;
    const words = first === last ? t('line {0}', first) : t('lines {0} to {1}', first, last);
    add(t('Executed part of the document: {0}', words), words);
  }
  for (const { label, text } of header.facts ?? []) add(`${label}: ${text}`, text);
  return facts;
}

function connectionFact(header: RunHeader, connection: string): Fact {
  const { home } = header;
  const label = connectionPlace(header.label, header.environment);
  const place = label === '' ? '' : ` (${label})`;
  const named = connection + place;
  // Rows of a text that another connection keeps prove nothing there, so that is never out of sight.
  const words = home === undefined ? named : t('{0}, text of {1}', named, home);
  const whole =
    header.isProtected === true
      ? t('Connection, marked as protected: {0}', words)
      : t('Connection: {0}', words);
  const [before, after] = place === '' ? [words] : words.split(place);
  const chip = element(
    'span',
    { class: `chip connection is-kept${home === undefined ? '' : ' is-foreign'}`, title: whole },
    element('span', {}, before),
    element('span', { class: 'connection-place' }, place),
    element('span', {}, after),
  );
  if (header.colour !== undefined) chip.dataset['colour'] = header.colour;
  if (header.isProtected === true) {
    chip.prepend(icon('shield'));
    chip.classList.add('is-protected');
  }
  return { chip, words: [whole] };
}

function valuesFact({ parameters }: RunHeader): Fact {
  const words = parameters.map((one) => t('Parameter {0}: {1}', one.name, valueOf(one)));
  const chip = element(
    'span',
    { class: 'chip parameters is-kept', title: words.join('\n') },
    ...parameters.map((one) => valueSpan(one)),
  );
  return { chip, words };
}

type Parameter = RunHeader['parameters'][number];

function valueOf({ text, isNull, isEmpty, isSecret }: Parameter): string {
  return isSecret === true ? '•••' : isNull ? 'NULL' : isEmpty === true ? t('(empty)') : text;
}

/** A parameter with its value, of which a long one is cut. */
export function valueSpan(parameter: Parameter): HTMLElement {
  const { name, isNull, isEmpty } = parameter;
  const whole = valueOf(parameter);
  const value = whole.length > parameterCharsMax ? `${whole.slice(0, parameterCharsMax)}…` : whole;
  return element(
    'span',
    { class: 'parameter', title: t('Parameter {0}: {1}', name, whole) },
    element('span', { class: 'parameter-name' }, `:${name}`),
    ' ',
    element('span', { class: isNull || isEmpty === true ? 'null' : 'parameter-value' }, value),
  );
}
