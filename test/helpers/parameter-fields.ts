/** Form fields for tests of the parameter page. */
import type { ParameterField } from '#core/parameters/parameter-field.ts';

export function field(name: string, change: Partial<ParameterField> = {}): ParameterField {
  return {
    name,
    type: 'text',
    typeFrom: 'declared',
    control: 'text',
    choices: [],
    isClosed: false,
    isSecret: false,
    mayBeEmpty: change.control === undefined || change.control === 'list',
    text: '',
    isNull: false,
    isEmpty: false,
    recent: [],
    ...change,
  };
}

export const parameterFields: readonly ParameterField[] = [
  field('since', {
    ...{ type: 'date', control: 'date', text: 'today - 30 days', recent: ['2026-01-01'] },
    ...{ description: 'Only events after this day', defaultText: 'today - 90 days' },
  }),
  field('min_score', {
    ...{ type: 'int4', control: 'number', text: '4.5' },
    problem: 'Enter a whole number, for example 42.',
  }),
  field('enabled', { type: 'bool', control: 'boolean', text: 'false' }),
  field('kind', {
    ...{ typeFrom: 'compared', comparedWith: 'roles.type', choices: ['Custom', 'Modeled', 'Standard'] },
    text: 'Custom',
  }),
  field('teams', {
    type: 'text[]',
    control: 'list',
    text: 'Sales\nLegal',
    recent: ['Sales\nLegal', 'People'],
  }),
  field('manager', { isNull: true }),
];
