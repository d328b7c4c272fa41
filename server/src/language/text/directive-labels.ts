/** Descriptions of the directives, shown by completion and hover. */
import { t } from '#base/texts.ts';
import { aggregates, controlSeverities, type DirectiveName } from './control-directives.ts';

export interface DirectiveWords {
  /** An example of the directive with its argument. */
  readonly form: string;
  readonly description: () => string;
  /** The possible arguments, if there are only a few. */
  readonly values?: readonly string[];
}

const measures = ['rows', ...aggregates.map((name) => `${name}(column)`)];

export const directiveWords: Readonly<Record<DirectiveName, DirectiveWords>> = {
  model: { form: '@model platform_governance', description: () => t('The model that the query is for.') },
  param: {
    form: '@param since date = 2026-01-01 Only events after this day',
    description: () => t('A parameter with its type, its default and its purpose.'),
  },
  control: {
    form: '@control MFA-01 Admins without MFA',
    description: () =>
      t('Makes the query a control, which passes or fails: an ID without spaces, then a title.'),
  },
  expect: {
    form: '@expect no rows',
    description: () =>
      t('The expected result: no rows, one row, rows, or a column with the status of each row.'),
    values: ['no rows', 'one row', 'rows', 'column status'],
  },
  warn_if: {
    form: '@warn_if rows > 0',
    description: () =>
      t(
        'The control warns if this condition holds: rows or an aggregate of a column, a comparison, and a number.',
      ),
    values: measures.map((measure) => `${measure} > 0`),
  },
  error_if: {
    form: '@error_if rows > 5',
    description: () => t('The control fails if this condition holds. It replaces @expect.'),
    values: measures.map((measure) => `${measure} > 0`),
  },
  severity: {
    form: '@severity high',
    description: () =>
      t('How much a failure matters. It appears in reports and does not affect the outcome.'),
    values: controlSeverities,
  },
  key: {
    form: '@key account_id',
    description: () =>
      t('The columns that identify a row over time. Waivers and the baseline use them to recognize rows.'),
  },
  owner: { form: '@owner iam-team', description: () => t('The owner of the control.') },
  tags: {
    form: '@tags soc2=CC6.1 iso27001=A.8.2',
    description: () => t('Labels of the control. Benchmarks and --tag use them to select controls.'),
  },
  population: {
    form: '@population SELECT count(*) FROM accounts WHERE enabled',
    description: () =>
      t(
        'Counts what the control looks at. The number stands in reports, and an empty population is an error unless a second line says -- @population >= 0.',
      ),
  },
  keep: {
    form: '@keep 10 runs',
    description: () =>
      t(
        'Keeps the rows of the last runs on this machine, so that What Changed Since... compares with them. Rows with sensitive columns are kept only if the line ends with: with sensitive columns.',
      ),
    values: ['10 runs', '10 runs with sensitive columns'],
  },
};
