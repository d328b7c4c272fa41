/** What is new about a control, in one line without row values. */
import { t } from '#base/texts.ts';
import { numberText } from '#base/words/number-text.ts';
import { isWorse } from './outcome-state.ts';
import type { KnownOutcome, OutcomeChange } from './outcome-state.ts';

export function changeLine(change: OutcomeChange): string {
  const one = change.after ?? change.before;
  return one === undefined ? '' : `${changeWords(change)}: ${knownName(one)}${messageOf(change)}`;
}

/** Returns a name such as `AC-07 Admins without MFA (prod-eu)`. */
export function knownName({ control, title = '', connection }: KnownOutcome): string {
  const name = title === '' || title === control ? control : `${control} ${title}`;
  return `${name} (${connection})`;
}

export function changeWords({ kind, after, added }: OutcomeChange): string {
  switch (kind) {
    case 'failed':
      return after?.outcome === 'error' ? t('In error') : t('Failed');
    case 'more-rows':
      return added === undefined
        ? t('More rows')
        : added === 1
          ? t('1 new row')
          : t('{0} new rows', numberText(added));
    case 'passed':
      // A waived failure is none that counts, but no pass either.
      return after?.outcome === 'waived'
        ? t('Waived')
        : after?.outcome === 'warn'
          ? t('Only warns now')
          : t('Back to pass');
    case 'gone':
      return t('No longer there');
    default:
      return kind satisfies never;
  }
}

/** Returns the outcome's message, which has no row values. */
function messageOf(change: OutcomeChange): string {
  const message = isWorse(change) ? change.after?.message : undefined;
  return message === undefined ? '' : `. ${message}`;
}
