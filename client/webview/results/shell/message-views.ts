/** Views that consist of text and buttons: running, refused, a question, failed, cancelled, disconnected. */
import type { PanelCommand, ResultState, ResultView, RunFailure } from '#panel-protocol/messages.ts';
import { exactMomentText } from '#panel-protocol/panel-texts.ts';
import { button, element, icon, type IconName } from '../ui/dom.ts';
import { fittingButtons } from '../ui/fitting-buttons.ts';
import { duration, elapsedWords, number, rowCountWords } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';
import { shownText } from '../ui/shown-text.ts';
import type { Body } from './body.ts';

type MessageState = Exclude<ResultState, { kind: 'rows' | 'parameters' }>;
type Send = (message: PanelCommand) => void;

export function drawMessage(view: ResultView, state: MessageState, send: Send): Body {
  if (state.kind === 'running' || state.kind === 'checking') return runningBody(view, state, send);
  const section = element('section', { class: 'message', data: { state: state.kind } });
  const { words, buttons } = partsOf(view, state, send);
  const earlier =
    view.earlier === undefined
      ? undefined
      : earlierRows(view.earlier, (kind) => send({ kind, result: view.id }));
  section.append(
    ...words,
    ...(earlier?.words ?? []),
    fittingButtons(...buttons, ...(earlier?.buttons ?? [])),
  );
  const drawn = JSON.stringify(state);
  const title = section.querySelector('h2')?.textContent;
  const hasAlert = section.querySelector('[role=alert]') !== null;
  return {
    element: section,
    update: (next) => JSON.stringify(next.state) === drawn,
    focus: () => section.querySelector<HTMLElement>('button')?.focus(),
    ...(title === undefined || hasAlert ? {} : { announcement: title }),
    dispose: () => undefined,
  };
}

/** What a message says, and what can be done: the most important first. */
interface MessageParts {
  readonly words: readonly HTMLElement[];
  readonly buttons: readonly HTMLButtonElement[];
}

/** A run that has ended without rows need not hide those of the run before. */
function earlierRows(
  { rowCount, finishedAt, laterRun, connection }: NonNullable<ResultView['earlier']>,
  act: (kind: 'showEarlier' | 'compareText') => void,
): MessageParts {
  const isOfOtherText = laterRun === 'other-text';
  let words = t('Earlier run of {0}: {1}', exactMomentText(finishedAt), rowCountWords(rowCount));
  if (connection !== undefined) words += ` · ${t('Connection: {0}', connection)}`;
  if (isOfOtherText) words += ` · ${t('The text of the query was different.')}`;
  const show = button(t('Show Earlier Rows'), () => act('showEarlier'));
  show.setAttribute('aria-describedby', 'earlier-rows');
  return {
    words: [element('p', { class: 'facts', id: 'earlier-rows' }, words)],
    buttons: [show, ...(isOfOtherText ? [button(t('Compare Texts...'), () => act('compareText'))] : [])],
  };
}

function runningBody(view: ResultView, state: MessageState, send: Send): Body {
  const elapsed = element('span', { class: 'elapsed', role: 'timer' });
  const start = performance.now() - (state.kind === 'running' ? state.elapsedMs : 0);
  const tick = () => (elapsed.textContent = elapsedWords(performance.now() - start));
  tick();
  const timer = window.setInterval(tick, 100);
  const cancel = button(t('Cancel'), () => send({ kind: 'cancel', result: view.id }));
  const words =
    noteOf(state) ??
    (state.kind === 'checking'
      ? t('Checking the query...')
      : view.header.origin === 'rows'
        ? t('Reading...')
        : t('Running...'));
  const section = element(
    'section',
    { class: 'message is-running', data: { state: state.kind } },
    element('div', { class: 'progress', role: 'progressbar', aria: { label: t('Running') } }),
    element('p', { class: 'running-line' }, element('span', {}, words), state.kind === 'running' && elapsed),
    element('div', { class: 'buttons' }, cancel),
  );
  const columns = columnsOf(state);
  return {
    element:
      columns.length === 0
        ? section
        : element('div', { class: 'running-result' }, expectedHeader(columns), section),
    update: (next) =>
      next.state.kind === state.kind &&
      noteOf(next.state) === noteOf(state) &&
      JSON.stringify(columnsOf(next.state)) === JSON.stringify(columns),
    focus: () => cancel.focus(),
    announcement: words,
    dispose: () => window.clearInterval(timer),
  };
}

const columnsOf = (state: ResultState) => (state.kind === 'running' ? (state.columns ?? []) : []);

/** Shows names and types where the grid's header will be; the service's columns replace them. */
function expectedHeader(columns: ReturnType<typeof columnsOf>): HTMLElement {
  return element(
    'div',
    { class: 'expected-columns', role: 'list', aria: { label: t('Columns') } },
    ...columns.map(({ name = '?', type }) =>
      element(
        'span',
        { class: 'expected-column', role: 'listitem' },
        element('span', { class: 'grid-name' }, shownText(name)),
        type !== undefined && element('span', { class: 'grid-type' }, shownText(type)),
      ),
    ),
  );
}

function noteOf(state: ResultState): string | undefined {
  return state.kind === 'running' ? state.note : undefined;
}

function partsOf(
  view: ResultView,
  state: Exclude<MessageState, { kind: 'running' | 'checking' }>,
  send: Send,
): MessageParts {
  const act = (kind: Extract<PanelCommand, { result: string }>['kind'] & ActionKind) => () =>
    send({ kind, result: view.id });
  const isQuery = view.header.origin !== 'rows';
  const again = (isPrimary = true) =>
    button(isQuery ? t('Run Again') : t('Read Again'), act('runAgain'), {
      kind: isPrimary ? 'primary' : 'secondary',
    });
  const goTo = (failure: RunFailure, isPrimary = false) =>
    failure.place === undefined
      ? []
      : [button(t('Go to Error'), act('goToError'), { kind: isPrimary ? 'primary' : 'secondary' })];
  const nextStep = ({ nextStep: step }: RunFailure, isPrimary = false) =>
    step === undefined
      ? []
      : [button(step.title, act('nextStep'), { kind: isPrimary ? 'primary' : 'secondary' })];
  const showDetails = (failure: RunFailure) =>
    failure.details === undefined ? [] : [button(t('Show Details'), act('showDetails'))];
  switch (state.kind) {
    case 'failed': {
      const { failure } = state;
      // Without a sign-in, another run is refused, too.
      const isLasting = failure.fault === 'sign-in' || failure.isLasting === true;
      const stepsFirst = isLasting && failure.nextStep !== undefined && state.isBack !== true;
      return {
        words: [
          heading('error', failedTitle(state, isQuery)),
          ...explain(failure),
          ...(state.isBack === true
            ? [element('p', { role: 'status' }, t('The service is available again.'))]
            : []),
        ],
        buttons: [
          ...goTo(failure, true),
          ...(stepsFirst ? nextStep(failure, true) : []),
          again(failure.place === undefined && !stepsFirst),
          ...(stepsFirst || state.isBack === true ? [] : nextStep(failure)),
          ...showDetails(failure),
        ],
      };
    }
    case 'refused':
      return {
        words: [
          heading(
            'shield',
            state.changes === undefined
              ? t('Not sent: not proven to be read-only')
              : t('Not sent: {0} changes data', state.changes),
          ),
          ...explain(state.failure),
        ],
        buttons: [
          ...goTo(state.failure, true),
          ...(state.changes === undefined
            ? [
                button(t('Change the Setting...'), act('openProofSetting'), {
                  title: t('Setting: let the service decide'),
                }),
              ]
            : []),
        ],
      };
    case 'question':
      return {
        words: [
          heading('question', questionTitle(state.reason)),
          ...explain(state.failure),
          element('p', {}, questionAdvice(state.reason)),
        ],
        buttons: [
          ...goTo(state.failure, true),
          ...nextStep(state.failure, true),
          button(
            state.reason === 'elsewhere' && view.header.connection !== undefined
              ? t('Run on {0}', view.header.connection)
              : t('Run Anyway'),
            act('runAnyway'),
          ),
        ],
      };
    case 'cancelled':
      return {
        words: [
          heading('cancelled', t('Cancelled')),
          element(
            'p',
            {},
            state.elapsedMs === 0
              ? t('You cancelled this before the query was sent.')
              : t('You cancelled this after {0}.', duration(state.elapsedMs)),
          ),
        ],
        buttons: [again()],
      };
    case 'restored': {
      const rows = rowCountWords(state.rowCount);
      return {
        words: [
          heading('again', t('Results from before reload')),
          element(
            'p',
            {},
            state.isComplete
              ? t(
                  'The run of {0} had {1}. Rows are kept in memory only.',
                  exactMomentText(state.finishedAt),
                  rows,
                )
              : t(
                  'The run of {0} had at least {1}. Rows are kept in memory only.',
                  exactMomentText(state.finishedAt),
                  rows,
                ),
          ),
        ],
        buttons: [again()],
      };
    }
    case 'disconnected': {
      const isBack = state.isBack === true;
      return {
        words: [
          heading('plug', isBack ? t('Connected') : t('Not connected')),
          element('p', { role: 'alert' }, state.message),
        ],
        buttons: [
          ...(isBack ? [] : [button(state.remedy ?? t('Connect...'), act('nextStep'), { kind: 'primary' })]),
          again(isBack),
        ],
      };
    }
    default:
      return state satisfies never;
  }
}

/** Error codes for the service's time limit and the extension's own. */
const timeLimitCodes = new Set(['QUERY_TIMEOUT', 'RUN_TIME_LIMIT']);

function failedTitle(
  { failure, elapsedMs }: Extract<ResultState, { kind: 'failed' }>,
  isQuery: boolean,
): string {
  if (timeLimitCodes.has(failure.code ?? ''))
    return t('Timed out after {0} s', number(Math.max(1, Math.round(elapsedMs / 1_000))));
  switch (failure.fault) {
    case 'unavailable':
      return t('The service is not available');
    case 'unreachable':
      return t("The service can't be reached");
    case 'failed':
      return t('The service failed');
    case 'sign-in':
      return t('Sign-in was refused');
    case undefined:
      return isQuery ? t('The query failed') : t('The rows could not be read');
    default:
      return failure.fault satisfies never;
  }
}

type ActionKind = 'runAgain' | 'runAnyway' | 'goToError' | 'nextStep' | 'showDetails' | 'openProofSetting';

function heading(name: IconName, text: string): HTMLElement {
  return element('h2', {}, icon(name), text);
}

function explain(failure: RunFailure): HTMLElement[] {
  const parts: HTMLElement[] = [element('p', { class: 'failure', role: 'alert' }, failure.message)];
  if (failure.hint !== undefined)
    parts.push(element('p', {}, element('strong', {}, t('Hint:')), ' ', failure.hint));
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
    failure.place && t('Line {0}, column {1}', failure.place.line, failure.place.column),
    failure.code && t('Code {0}', failure.code),
    // The service's own faults name it in their sentence.
    failure.requestId && !failure.message.includes(failure.requestId) && t('Request {0}', failure.requestId),
  ].filter((fact) => fact !== undefined && fact !== '' && fact !== false);
  if (facts.length > 0) parts.push(element('p', { class: 'facts' }, facts.join(' · ')));
  return parts;
}

type Reason = Extract<ResultState, { kind: 'question' }>['reason'];

function questionTitle(reason: Reason): string {
  return {
    'syntax-error': t('The query does not parse'),
    unverified: t('The query could not be checked'),
    'side-effects': t('The query may have side effects'),
    'unknown-function': t('The query calls an unknown function'),
    'unknown-column': t('The query names an unknown column'),
    elsewhere: t('This query belongs to another connection'),
  }[reason];
}

function questionAdvice(reason: Reason): string {
  switch (reason) {
    case 'syntax-error':
    case 'unverified':
      return t('It has not been sent. The service may still accept it.');
    case 'side-effects':
      return t('It has not been sent. You are asked before each run.');
    case 'unknown-function':
    case 'unknown-column':
      return t("It has not been sent. If you run it, you won't be asked again on this connection.");
    case 'elsewhere':
      return t(
        "It has not been sent. If you run it here, you won't be asked again for these two connections.",
      );
    default:
      return reason satisfies never;
  }
}
