/** A connection test's report, step by step. */
import {
  statusSymbols,
  type ConnectionTestState,
  type PageLink,
  type TestedStep,
} from '#panel-protocol/connection-form.ts';
import { element } from '../results/ui/dom.ts';
import { t } from '../results/ui/l10n.ts';

export function reportChildren(test: ConnectionTestState): readonly HTMLElement[] {
  switch (test.kind) {
    case 'none':
      return [];
    case 'running':
      return [
        element(
          'p',
          {},
          test.last === undefined
            ? t('Testing the connection')
            : t('Step {0} done: {1}', test.done, test.last),
        ),
      ];
    case 'failed':
      return [element('p', { class: 'report-failure' }, test.message)];
    case 'done':
      return [
        element('h2', { class: isPassed(test.steps) ? 'report-summary ok' : 'report-summary' }, test.summary),
        ...(test.isStale ? [element('p', {}, t('The form has changed since this test.'))] : []),
        element('p', {}, `${t('Client secret')}: ${test.secretOrigin}`),
        element('ol', {}, ...test.steps.map(stepItem)),
        element('p', {}, link(test.copy)),
      ];
    default:
      return test satisfies never;
  }
}

function isPassed(steps: readonly TestedStep[]): boolean {
  return steps.every(({ status }) => status === 'ok' || status === 'skipped');
}

function stepItem({ status, word, title, target, text, ms, actions }: TestedStep): HTMLElement {
  return element(
    'li',
    { class: status },
    element('span', { class: 'symbol', role: 'img', aria: { label: word } }, statusSymbols[status]),
    element(
      'div',
      {},
      element(
        'h3',
        {},
        `${title} `,
        element('span', { class: 'target' }, ms === undefined ? target : `${target} · ${t('{0} ms', ms)}`),
      ),
      element('p', {}, text === '' ? word : text),
      actions.length > 0 && element('p', {}, ...actions.map(link)),
    ),
  );
}

function link({ title, href }: PageLink): HTMLAnchorElement {
  const made = element('a', {}, title);
  made.href = href;
  return made;
}
