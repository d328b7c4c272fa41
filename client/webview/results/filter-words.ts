/** Filters in words, and what is wrong with a value that is typed. */
import type { CompareOperator, FilterRule, TextOperator } from '../../src/features/results/data/rows.ts';
import { epochMicroseconds } from '../../src/features/results/data/timestamps.ts';
import type { ShownColumn } from '../../src/features/results/messages.ts';

export const textOperators: readonly (readonly [TextOperator, string])[] = [
  ['contains', 'contains'],
  ['does-not-contain', 'does not contain'],
  ['equals', 'is'],
  ['starts-with', 'starts with'],
  ['ends-with', 'ends with'],
];

const symbols: Readonly<Record<CompareOperator, string>> = {
  '=': '=',
  '<>': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
};

/** The comparisons that a column offers, in its own words. */
export function compareOperators({ kind }: ShownColumn): readonly (readonly [CompareOperator, string])[] {
  if (kind === 'time') {
    return [
      ['>=', 'on or after'],
      ['>', 'after'],
      ['<=', 'on or before'],
      ['<', 'before'],
      ['=', 'is exactly'],
      ['<>', 'is not'],
    ];
  }
  return (['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => [operator, symbols[operator]]);
}

const valueCharsMax = 24;
const valuesNamed = 3;

export function filterWords(column: string, rule: FilterRule): string {
  switch (rule.kind) {
    case 'null':
      return `${column} is ${rule.isNull ? '' : 'not '}NULL`;
    case 'compare':
      return `${column} ${symbols[rule.operator]} ${rule.text}`;
    case 'text': {
      const words = textOperators.find(([operator]) => operator === rule.operator)?.[1] ?? rule.operator;
      return `${column} ${words} “${cut(rule.text)}”${rule.matchCase ? ' (match case)' : ''}`;
    }
    case 'values': {
      const named = rule.values.slice(0, valuesNamed).map(valueWords);
      const more = rule.values.length - named.length;
      return `${column} is ${named.join(', ')}${more > 0 ? ` or ${more} more` : ''}`;
    }
    default:
      return rule satisfies never;
  }
}

export function valueWords(value: string | null): string {
  return value === null ? 'NULL' : value === '' ? '(empty)' : cut(value);
}

function cut(text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}

/** Undefined when the column can be compared with it. */
export function comparisonProblem({ kind, name }: ShownColumn, text: string): string | undefined {
  const value = text.trim();
  if (kind === 'number' && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) {
    return `${name} holds numbers: enter one, for example 42 or 1.5.`;
  }
  if (kind === 'time' && Number.isNaN(epochMicroseconds(value))) {
    return `${name} holds times: enter one, for example 2026-01-31 or 2026-01-31 08:30:00+01.`;
  }
  return undefined;
}
