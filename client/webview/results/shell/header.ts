/** What was run and where, with the actions on the whole result. */
import type { PanelCommand, ResultView, RowsState, RunHeader } from '../../../../panel-protocol/messages.ts';
import { button, element, holdsFocus, icon, iconButton } from '../ui/dom.ts';
import { duration, momentWords, number, timeWords } from '../ui/format.ts';
import { rowsWords } from './rows-footer.ts';
import { t } from '../ui/l10n.ts';

/** Longer values are cut here; the tooltip has them whole. */
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
  // A button that keeps its name keeps the focus: pressing Enter twice must not land anywhere else.
  const focused = holdsFocus(place) ? nameOf(document.activeElement) : null;
  const act = (kind: 'runAgain' | 'editParameters' | 'pin' | 'cancel') => () =>
    send({ kind, result: view.id });
  const isBusy = state.kind === 'running' || state.kind === 'checking';
  const actions = element('div', { class: 'header-actions', role: 'toolbar', aria: { label: t('Result') } });
  for (const [step, { title }] of (header.steps ?? []).entries()) {
    actions.append(button(title, () => send({ kind: 'step', result: view.id, step }), { kind: 'link' }));
  }
  const isQuery = header.origin !== 'rows';
  if (isBusy) actions.append(iconButton('stop', t('Cancel'), act('cancel')));
  else actions.append(iconButton('again', againLabel(view, isQuery), act('runAgain')));
  if (header.parameters.length > 0 && state.kind !== 'parameters') {
    actions.append(iconButton('edit', t('Change Parameters'), act('editParameters')));
  }
  const pin = iconButton(
    'pin',
    view.isPinned ? t('Unpin: let the next run replace this') : t('Pin: keep this result'),
    act('pin'),
  );
  pin.setAttribute('aria-pressed', String(view.isPinned));
  actions.append(pin);
  place.replaceChildren(
    element(
      'div',
      { class: 'header-facts' },
      titleOf(view, send),
      ...chipsOf(header),
      ...(state.kind === 'rows' ? outcomeChips(state) : []),
    ),
    actions,
  );
  if (focused !== null && focused !== undefined) {
    const buttons = [...actions.querySelectorAll('button')];
    (buttons.find((one) => nameOf(one) === focused) ?? buttons[0])?.focus();
  }
}

function againLabel({ state }: ResultView, isQuery: boolean): string {
  if (state.kind === 'rows' && state.comparison !== undefined) return t('Compare Again');
  return isQuery ? t('Run Again') : t('Read Again');
}

function nameOf(element: Element | null): string | null | undefined {
  return element?.getAttribute('aria-label') ?? element?.textContent;
}

function titleOf(view: ResultView, send: (message: PanelCommand) => void): HTMLElement {
  const { header } = view;
  const version = header.version === undefined ? '' : ` v${header.version}`;
  const edited = header.isModified === true ? ` ${t('(edited)')}` : '';
  const title = element(
    'button',
    {
      class: 'header-title',
      title: header.origin === 'rows' ? t('Go to Source') : t('Go to the query'),
    },
    header.title,
  );
  title.type = 'button';
  title.addEventListener('click', () => send({ kind: 'goToQuery', result: view.id }));
  return element(
    'h1',
    {},
    title,
    version + edited !== '' && element('span', { class: 'header-version' }, version + edited),
  );
}

function chipsOf(header: RunHeader): HTMLElement[] {
  const chips: HTMLElement[] = [];
  if (header.connection !== undefined) {
    const place = [header.label, header.environment].filter((text) => text !== undefined).join(' · ');
    const words = place === '' ? header.connection : `${header.connection} (${place})`;
    const chip = element('span', { class: 'chip', title: t('Connection') }, words);
    if (header.colour !== undefined) chip.dataset['colour'] = header.colour;
    if (header.isProtected === true) {
      chip.prepend(icon('shield'));
      chip.title = t('Connection, marked as protected');
      chip.classList.add('is-protected');
    }
    chips.push(chip);
  }
  if (header.model !== undefined)
    chips.push(element('span', { class: 'chip', title: t('Model') }, header.model));
  if (header.part !== undefined)
    chips.push(element('span', { class: 'chip', title: t('Which of several runs') }, header.part));
  if (header.lines !== undefined) {
    const { first, last } = header.lines;
    const words = first === last ? t('line {0}', first) : t('lines {0} to {1}', first, last);
    chips.push(element('span', { class: 'chip', title: t('Executed part of the document') }, words));
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

/** How many rows, whether all, and when: what evidence of the run says too. */
function outcomeChips(state: RowsState): HTMLElement[] {
  const { rowCount, totalRows, isComplete, firstRowsMs, totalMs } = state;
  const words = isComplete
    ? t('all {0} here', number(rowCount))
    : totalRows === undefined
      ? t('truncated: {0}', number(rowCount))
      : t('truncated: {0} of {1}', number(rowCount), number(totalRows));
  const rows = element('span', { class: 'chip outcome', title: rowsWords(state) }, words);
  if (!isComplete) rows.classList.add('is-truncated');
  const title = t(
    'First rows after {0}, all loaded rows after {1}, finished {2}',
    ...[duration(firstRowsMs), duration(totalMs), momentWords(state.finishedAt)],
  );
  return [
    rows,
    element(
      'span',
      { class: 'chip outcome', title },
      t('{0}, finished {1}', duration(totalMs), timeWords(state.finishedAt)),
    ),
  ];
}
