/** Describes the problem with a parameter value and gives a valid example. */
import { t } from '#base/texts.ts';
import type { Problem } from '#base/values/parse-value.ts';

export function problemWords(problem: Problem): string {
  switch (problem.kind) {
    case 'empty':
      return t('Enter a value, or tick NULL.');
    case 'empty-text':
      return t('Enter a value, or tick Empty text or NULL.');
    case 'not-integer':
      return t('Enter a whole number, for example 42.');
    case 'out-of-range':
      return t('This number does not fit {0}.', problem.type);
    case 'not-number':
      return t('Enter a number, for example 0.5.');
    case 'not-boolean':
      return t('Enter true or false.');
    case 'not-date':
      return t('Enter a date such as 2026-01-31, today - 30 days or start of month.');
    case 'not-timestamp':
      return t('Enter a time such as 2026-01-31 08:00, or now - 2 hours.');
    case 'not-uuid':
      return t('Enter a UUID such as 123e4567-e89b-12d3-a456-426614174000.');
    case 'not-json':
      return t('Enter JSON, for example {"level": 2} or ["a", "b"].');
    case 'not-choice':
      return t('Choose one of: {0}.', problem.choices.join(', '));
    case 'not-storable':
      return problem.character === 'NUL'
        ? t('Remove the NUL character: PostgreSQL text cannot contain it.')
        : t('Remove the unpaired surrogate: it is not valid text.');
    case 'unclear-default':
      return problem.finding;
    case 'no-items':
      return t('Enter at least one item, or tick Empty list or NULL.');
    case 'odd-item':
      return t(
        'This begins like an array or a quoted text, but is none. Put it in quotes, and write a quote inside them twice.',
      );
    case 'in-list':
      return t('Item {0}: {1}', problem.item, problemWords(problem.problem));
    default:
      return problem satisfies never;
  }
}
