/** Checks array and range literals. */
import { t } from '#base/texts.ts';
import type { LiteralProblem } from './literal-problem.ts';

type Check = (text: string) => LiteralProblem | undefined;

/** Accepts `{1,2,{...}}` with optional bounds before it. */
export function checkArray(text: string, check: Check): LiteralProblem | undefined {
  const malformed = {
    message: `malformed array literal: "${text}"`,
    remedy: () => t('Write {0}.', t('{0} or {1}', "'{one,two}'", "ARRAY['one', 'two']")),
  };
  if (!/^\s*[{[]/.test(text)) return malformed;
  const body = /^\s*(?:(?:\[[^\]]*\]\s*)+=\s*)?(\{[^]*\})\s*$/.exec(text)?.[1];
  if (body === undefined) return malformed;
  const items = itemsOf(body);
  if (items === 'malformed' || isOtherSize(text, items)) return malformed;
  for (const item of items ?? []) {
    const problem = item.isQuoted || !/^null$/i.test(item.text) ? check(item.text) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns whether the bounds do not match the size of a one-dimensional array, as in `[1:3]={1,2}`. */
function isOtherSize(text: string, items: readonly Item[] | undefined): boolean {
  const [, from = '1', to] = /^\s*\[(?:([+-]?\d{1,9}):)?([+-]?\d{1,9})\]\s*=\s*\{[^{]*$/.exec(text) ?? [];
  return to !== undefined && items !== undefined && Number(to) - Number(from) + 1 !== items.length;
}

interface Item {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** An open level of braces: the number of items so far, and whether they are arrays. */
interface Nest {
  count: number;
  holds: 'items' | 'arrays' | undefined;
  /** Number of items in each nested array. */
  size: number | undefined;
}

/** PostgreSQL's MAXDIM. */
const dimensionsMax = 6;

const itemPattern = /\s*(?:(?:"((?:[^"\\]|\\[^])*)"|([^{}",\\\s](?:[^{}",\\]*[^{}",\\\s])?))\s*)?([{},])/y;

/** Returns undefined for complex literals, which are not checked. */
function itemsOf(body: string): readonly Item[] | 'malformed' | undefined {
  if (/\\/.test(body.replaceAll(/"(?:[^"\\]|\\[^])*"/g, ''))) return undefined;
  const items: Item[] = [];
  const nests: Nest[] = [];
  const pattern = itemPattern;
  pattern.lastIndex = 0;
  /** Whether an item or a nested array has just ended. */
  let isAfter = false;
  while (pattern.lastIndex < body.length) {
    const at = pattern.exec(body);
    if (at === null) return 'malformed';
    const [, quoted, plain, mark] = at;
    const nest = nests.at(-1);
    const isItem = quoted !== undefined || plain !== undefined;
    if (isItem) {
      if (nest === undefined || isAfter || nest.holds === 'arrays' || mark === '{') return 'malformed';
      nest.holds = 'items';
      nest.count++;
      items.push(
        quoted === undefined
          ? { text: plain ?? '', isQuoted: false }
          : { text: quoted.replaceAll(/\\([^])/g, '$1'), isQuoted: true },
      );
      isAfter = true;
    }
    if (mark === '{') {
      if (isAfter || nest?.holds === 'items' || (nest === undefined && at.index > 0)) return 'malformed';
      if (nests.length === dimensionsMax) return 'malformed';
      if (nest !== undefined) nest.holds = 'arrays';
      nests.push({ count: 0, holds: undefined, size: undefined });
    } else if (mark === ',') {
      if (!isAfter || nest === undefined) return 'malformed';
      isAfter = false;
    } else if (!closes(nests, isAfter)) {
      return 'malformed';
    } else {
      isAfter = true;
    }
  }
  return nests.length === 0 ? items : 'malformed';
}

/** Closes a level of braces. Returns false if it is invalid: nested arrays must have equal lengths. */
function closes(nests: Nest[], isAfter: boolean): boolean {
  const nest = nests.pop();
  const outer = nests.at(-1);
  if (nest === undefined || (!isAfter && nest.count > 0)) return false;
  if (outer !== undefined) {
    if (outer.size !== undefined && outer.size !== nest.count) return false;
    outer.size = nest.count;
    outer.count++;
  }
  return true;
}

export interface RangeChecks {
  readonly check: Check;
  /** Returns a negative number if the first bound is lower; undefined if unknown. */
  readonly compare: (one: string, other: string) => number | undefined;
}

const bound = String.raw`"(?:[^"\\]|\\[^]|"")*"|[^",\\()[\]]*`;
const rangePattern = new RegExp(String.raw`^\s*[[(](${bound}),(${bound})[\])]\s*$`);

export function checkRange(text: string, { check, compare }: RangeChecks): LiteralProblem | undefined {
  if (/^\s*empty\s*$/i.test(text)) return undefined;
  const malformed = {
    message: `malformed range literal: "${text}"`,
    remedy: () => t('Write {0}.', "'[from,to)'"),
  };
  const plain = rangePattern.exec(text);
  if (plain === null) {
    const whole = text.trim();
    const isOpen = /^[[(]/.test(whole) && /[\])]$/.test(whole) && whole.includes(',');
    return isOpen && /["\\[\](]/.test(whole.slice(1, -1)) ? undefined : malformed;
  }
  const bounds = plain.slice(1).map((own) => own.replace(/^"([^]*)"$/, '$1').replaceAll('""', '"'));
  for (const own of bounds) {
    const problem = own.trim() === '' ? undefined : check(own);
    if (problem !== undefined) return problem;
  }
  const [from = '', to = ''] = bounds.map((own) => own.trim());
  return from !== '' && to !== '' && (compare(from, to) ?? 0) > 0
    ? { message: 'range lower bound must be less than or equal to range upper bound' }
    : undefined;
}

const multirangePattern =
  /^\s*(?:(?:[[(][^[\]()]*[\])]|empty)(?:\s*,\s*(?:[[(][^[\]()]*[\])]|empty))*\s*)?$/i;

export function checkMultirange(text: string, checks: RangeChecks): LiteralProblem | undefined {
  const malformed = {
    message: `malformed multirange literal: "${text}"`,
    remedy: () => t('Write {0}.', "'{[from,to),[from,to)}'"),
  };
  const body = /^\s*\{([^]*)\}\s*$/.exec(text)?.[1];
  if (body === undefined) return malformed;
  if (body.includes('"')) return undefined;
  if (!multirangePattern.test(body)) return malformed;
  const ranges = body.match(/[[(][^[\]()]*[\])]/g) ?? [];
  for (const range of ranges) {
    const problem = checkRange(range, checks);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
