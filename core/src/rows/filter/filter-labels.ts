/** Describes filters in words, in the language of the caller: the page above the rows, or the extension. */
import type { Translate } from '#base/translate.ts';
import type { CompareOperator, FilterRule, TextOperator } from '../rows.ts';

/** The caller's language. */
export interface FilterTexts {
  readonly t: Translate;
  readonly number: (value: number) => string;
}

/** Returns the operators for text, in the order of the form. */
export function textOperatorWords({
  t,
}: Pick<FilterTexts, 't'>): readonly (readonly [TextOperator, string])[] {
  return [
    ['contains', t('contains')],
    ['does-not-contain', t('does not contain')],
    ['equals', t('is')],
    ['starts-with', t('starts with')],
    ['ends-with', t('ends with')],
  ];
}

export const compareSymbols: Readonly<Record<CompareOperator, string>> = {
  '=': '=',
  '<>': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
};

const valueCharsMax = 24;
const valuesNamed = 3;

export function filterWords(column: string, rule: FilterRule, texts: FilterTexts): string {
  const { t } = texts;
  switch (rule.kind) {
    case 'null':
      return rule.isNull ? t('{0} is NULL', column) : t('{0} is not NULL', column);
    case 'compare':
      return `${column} ${compareSymbols[rule.operator]} ${rule.text}`;
    case 'text': {
      const words = textOperatorWords(texts).find(([operator]) => operator === rule.operator)?.[1];
      const said = `${column} ${words ?? rule.operator} “${cut(rule.text)}”`;
      return rule.matchCase ? t('{0} (match case)', said) : said;
    }
    case 'values': {
      const named = rule.values.slice(0, valuesNamed).map((value) => valueWords(value, texts));
      const more = rule.values.length - named.length;
      return more > 0
        ? t('{0} is {1} or {2} more', column, named.join(', '), texts.number(more))
        : t('{0} is {1}', column, named.join(', '));
    }
    default:
      return rule satisfies never;
  }
}

export function valueWords(value: string | null, { t }: Pick<FilterTexts, 't'>): string {
  return value === null ? 'NULL' : value === '' ? t('(empty)') : cut(value);
}

function cut(text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}
