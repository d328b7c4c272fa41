/** What each directive is for, in the words of completion and hover. */
import { aggregates, controlSeverities, type DirectiveName } from './control-directives.ts';

export interface DirectiveWords {
  /** What is written behind the name. */
  readonly form: string;
  readonly description: string;
  /** What may be typed behind it, where that is a short list. */
  readonly values?: readonly string[];
}

const measures = ['rows', ...aggregates.map((name) => `${name}(column)`)];

export const directiveWords: Readonly<Record<DirectiveName, DirectiveWords>> = {
  model: { form: '@model platform_governance', description: 'The model that the query is for.' },
  param: {
    form: '@param since date = 2026-01-01 Only events after this day',
    description: 'A parameter with its type, its default and what it is for.',
  },
  control: {
    form: '@control AC-07 Admins without MFA',
    description: 'Makes the query a control, which passes or fails: an id without blanks, then a title.',
  },
  expect: {
    form: '@expect no rows',
    description:
      'What the answer must be: no rows, one row, rows, or a column in which each row says how it stands.',
    values: ['no rows', 'one row', 'rows', 'column status'],
  },
  warn_if: {
    form: '@warn_if rows > 0',
    description:
      'The control warns where this holds: rows or an aggregate of a column, a comparison, a number.',
    values: measures.map((measure) => `${measure} > 0`),
  },
  error_if: {
    form: '@error_if rows > 5',
    description: 'The control fails where this holds. It takes the place of the rule of @expect.',
    values: measures.map((measure) => `${measure} > 0`),
  },
  severity: {
    form: '@severity high',
    description: 'How much a failure matters. It stands in reports and changes no outcome.',
    values: controlSeverities,
  },
  key: {
    form: '@key account_id',
    description: 'The columns that name a row over time. Waivers and the baseline know rows by them.',
  },
  owner: { form: '@owner iam-team', description: 'Who looks after the control.' },
  tags: {
    form: '@tags soc2=CC6.1 iso27001=A.8.2',
    description: 'What the control belongs to. Benchmarks and --tag choose by it.',
  },
};
