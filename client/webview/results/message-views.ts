/** Every state that is words and buttons: running, refused, a question, failed, cancelled, disconnected. */
import type {
  PanelMessage,
  ResultState,
  ResultView,
  RunFailure,
} from '../../src/features/results/messages.ts';
import type { Body } from './body.ts';
import { button, element, icon, type IconName } from './dom.ts';
import { count, duration, elapsedWords } from './format.ts';

type MessageState = Exclude<ResultState, { kind: 'rows' | 'parameters' }>;
type Send = (message: PanelMessage) => void;

export function drawMessage(view: ResultView, state: MessageState, send: Send): Body {
  if (state.kind === 'running' || state.kind === 'checking') return runningBody(view, state, send);
  const section = element('section', { class: 'message', data: { state: state.kind } });
  section.append(...partsOf(view, state, send));
  const drawn = JSON.stringify(state);
  return {
    element: section,
    update: (next) => JSON.stringify(next.state) === drawn,
    focus: () => section.querySelector<HTMLElement>('button')?.focus(),
    dispose: () => undefined,
  };
}

function runningBody(view: ResultView, state: MessageState, send: Send): Body {
  const elapsed = element('span', { class: 'elapsed', role: 'timer' });
  const start = performance.now() - (state.kind === 'running' ? state.elapsedMs : 0);
  const tick = () => (elapsed.textContent = elapsedWords(performance.now() - start));
  tick();
  const timer = window.setInterval(tick, 100);
  const cancel = button('Cancel', () => send({ kind: 'cancel', result: view.id }));
  const section = element(
    'section',
    { class: 'message is-running', data: { state: state.kind } },
    element('div', { class: 'progress', role: 'progressbar', aria: { label: 'Running' } }),
    element(
      'p',
      { class: 'running-line' },
      element(
        'span',
        { role: 'status' },
        noteOf(state) ??
          (state.kind === 'checking'
            ? 'Checking the query…'
            : view.header.origin === 'rows'
              ? 'Reading…'
              : 'Running…'),
      ),
      state.kind === 'running' && elapsed,
    ),
    element('div', { class: 'buttons' }, cancel),
  );
  return {
    element: section,
    update: (next) => next.state.kind === state.kind && noteOf(next.state) === noteOf(state),
    focus: () => cancel.focus(),
    dispose: () => window.clearInterval(timer),
  };
}

function noteOf(state: ResultState): string | undefined {
  return state.kind === 'running' ? state.note : undefined;
}

function partsOf(
  view: ResultView,
  state: Exclude<MessageState, { kind: 'running' | 'checking' }>,
  send: Send,
): HTMLElement[] {
  const act = (kind: Extract<PanelMessage, { result: string }>['kind'] & ActionKind) => () =>
    send({ kind, result: view.id });
  const isQuery = view.header.origin !== 'rows';
  const again = (isPrimary = true) =>
    button(isQuery ? 'Run Again' : 'Read Again', act('runAgain'), {
      kind: isPrimary ? 'primary' : 'secondary',
    });
  const goTo = (failure: RunFailure, isPrimary = false) =>
    failure.place === undefined
      ? []
      : [button('Go to Error', act('goToError'), { kind: isPrimary ? 'primary' : 'secondary' })];
  const nextStep = (failure: RunFailure) =>
    failure.nextStep === undefined ? [] : [button(failure.nextStep.title, act('nextStep'))];
  switch (state.kind) {
    case 'failed': {
      const { failure } = state;
      return [
        heading('error', isQuery ? 'The query did not run' : 'The rows could not be read'),
        ...explain(failure),
        element(
          'div',
          { class: 'buttons' },
          ...goTo(failure, true),
          again(failure.place === undefined),
          ...nextStep(failure),
        ),
      ];
    }
    case 'refused':
      return [
        heading('shield', 'Not sent: not proven to be read-only'),
        ...explain(state.failure),
        element(
          'div',
          { class: 'buttons' },
          ...goTo(state.failure, true),
          button('Change the Setting…', act('openProofSetting'), {
            title: 'The setting that lets the service decide',
          }),
        ),
      ];
    case 'question':
      return [
        heading(
          'question',
          state.reason === 'syntax-error' ? 'The query does not parse' : 'The query could not be checked',
        ),
        ...explain(state.failure),
        element('p', {}, 'It has not been sent. The service may still accept it.'),
        element(
          'div',
          { class: 'buttons' },
          ...goTo(state.failure, true),
          button('Run Anyway', act('runAnyway')),
        ),
      ];
    case 'cancelled':
      return [
        heading('cancelled', 'Cancelled'),
        element(
          'p',
          {},
          `You stopped this after ${duration(state.elapsedMs)}. Whatever still arrives is dropped.`,
        ),
        element('div', { class: 'buttons' }, again()),
      ];
    case 'restored': {
      const when = new Date(state.finishedAt).toLocaleString();
      const rows = `${state.isComplete ? '' : 'at least '}${count(state.rowCount, 'row')}`;
      return [
        heading('again', 'From before the window was loaded again'),
        element('p', {}, `The run of ${when} had ${rows}. Rows are kept in memory only.`),
        element('div', { class: 'buttons' }, again()),
      ];
    }
    case 'disconnected':
      return [
        heading('plug', 'Not connected'),
        element('p', { role: 'alert' }, state.message),
        element(
          'div',
          { class: 'buttons' },
          button('Connect…', act('nextStep'), { kind: 'primary' }),
          again(false),
        ),
      ];
    default:
      return state satisfies never;
  }
}

type ActionKind = 'runAgain' | 'runAnyway' | 'goToError' | 'nextStep' | 'openProofSetting';

function heading(name: IconName, text: string): HTMLElement {
  return element('h2', {}, icon(name), text);
}

function explain(failure: RunFailure): HTMLElement[] {
  const parts: HTMLElement[] = [element('p', { class: 'failure', role: 'alert' }, failure.message)];
  if (failure.hint !== undefined) {
    parts.push(element('p', {}, element('strong', {}, 'Hint: '), failure.hint));
  }
  if (failure.reasons.length > 0) {
    parts.push(
      element(
        'ul',
        {},
        ...failure.reasons.map((reason) =>
          element('li', {}, element('code', {}, reason.code), ` ${reason.message}`),
        ),
      ),
    );
  }
  const facts = [
    failure.place && `Line ${failure.place.line}, column ${failure.place.column}`,
    failure.code && `Code ${failure.code}`,
    failure.requestId && `Request ${failure.requestId}`,
  ].filter((fact) => fact !== undefined && fact !== '');
  if (facts.length > 0) parts.push(element('p', { class: 'facts' }, facts.join(' · ')));
  return parts;
}
