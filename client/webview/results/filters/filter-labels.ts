/** Describes filters in the page's language, and problems with typed values. */
import type { ShownColumn } from '#panel-protocol/messages.ts';
import {
  compareSymbols,
  epochMicroseconds,
  filterWords as wordsOfFilter,
  textOperatorWords,
  valueWords as wordsOfValue,
  type CompareOperator,
  type FilterRule,
} from '#panel-protocol/rows.ts';
import { number } from '../ui/format.ts';
import { t } from '../ui/l10n.ts';

export const textOperators = textOperatorWords({ t });

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
  return (['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => [operator, compareSymbols[operator]]);
}

export function filterWords(column: string, rule: FilterRule): string {
  return wordsOfFilter(column, rule, { t, number });
}

export function valueWords(value: string | null): string {
  return wordsOfValue(value, { t });
}

/** Returns the problem with a typed value; undefined if the column can be compared with it. */
export function comparisonProblem({ kind, name }: ShownColumn, text: string): string | undefined {
  const value = text.trim();
  if (kind === 'number' && !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(value))
    return t('{0} contains numbers: enter one, for example 42 or 1.5.', name);
  if (kind === 'time' && Number.isNaN(epochMicroseconds(value)))
    return t('{0} contains times: enter one, for example 2026-01-31 or 2026-01-31 08:30:00+01.', name);
  return undefined;
}
