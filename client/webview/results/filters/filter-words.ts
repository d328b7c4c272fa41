/** Describes filters in words, and problems with typed values. */
import {
  type CompareOperator,
  type FilterRule,
  type TextOperator,
  epochMicroseconds,
} from '../../../../panel-protocol/rows.ts';
import type { ShownColumn } from '../../../../panel-protocol/messages.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';

export const textOperators: readonly (readonly [TextOperator, string])[] = [
  ['contains', t('contains')],
  ['does-not-contain', t('does not contain')],
  ['equals', t('is')],
  ['starts-with', t('starts with')],
  ['ends-with', t('ends with')],
];

const symbols: Readonly<Record<CompareOperator, string>> = {
  '=': '=',
  '<>': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
};

/** Returns the comparison operators for a column, worded for its type. */
export function compareOperators({ kind }: ShownColumn): readonly (readonly [CompareOperator, string])[] {
  if (kind === 'time') {
    return [
      ['>=', t('on or after')],
      ['>', t('after')],
      ['<=', t('on or before')],
      ['<', t('before')],
      ['=', t('is exactly')],
      ['<>', t('is not')],
    ];
  }
  return (['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => [operator, symbols[operator]]);
}

const valueCharsMax = 24;
const valuesNamed = 3;

export function filterWords(column: string, rule: FilterRule): string {
  switch (rule.kind) {
    case 'null':
      return rule.isNull ? t('{0} is NULL', column) : t('{0} is not NULL', column);
    case 'compare':
      return `${column} ${symbols[rule.operator]} ${rule.text}`;
    case 'text': {
      const words = textOperators.find(([operator]) => operator === rule.operator)?.[1] ?? rule.operator;
      const said = `${column} ${words} “${cut(rule.text)}”`;
      return rule.matchCase ? t('{0} (match case)', said) : said;
    }
    case 'values': {
      const named = rule.values.slice(0, valuesNamed).map(valueWords);
      const more = rule.values.length - named.length;
      return more > 0
        ? t('{0} is {1} or {2} more', column, named.join(', '), number(more))
        : t('{0} is {1}', column, named.join(', '));
    }
    default:
      return rule satisfies never;
  }
}

export function valueWords(value: string | null): string {
  return value === null ? 'NULL' : value === '' ? t('(empty)') : cut(value);
}

function cut(text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}

/** Returns the problem with a typed value; undefined if the column can be compared with it. */
export function comparisonProblem({ kind, name }: ShownColumn, text: string): string | undefined {
  const value = text.trim();
  if (kind === 'number' && !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) {
    return t('{0} contains numbers: enter one, for example 42 or 1.5.', name);
  }
  if (kind === 'time' && Number.isNaN(epochMicroseconds(value))) {
    return t('{0} contains times: enter one, for example 2026-01-31 or 2026-01-31 08:30:00+01.', name);
  }
  return undefined;
}
