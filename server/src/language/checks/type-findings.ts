/** Converts type errors to findings, without duplicating other checks. */
import { t } from '#base/texts.ts';
import type { CatalogueColumn } from '#server/protocol.ts';
import { findModel, findTable } from '../names/catalogue.ts';
import type { KnownNames } from '../names/name-context.ts';
import type { BoundNames } from '../names/over-tree/bound-names.ts';
import type { TokenList } from '../text/lexer/tokens.ts';
import { daysAround } from '../types/literals/times.ts';
import type { StatementTypes, TypeContext, TypedTable } from '../types/type-statement.ts';
import type { Rewrite } from '../types/typing.ts';
import { finding, type Finding, type Fix } from './finding.ts';
import { aggregateFix, foreignCallFix, foreignTypeFix } from './foreign-calls.ts';
import { groupByEdit, selectListAround } from './group-by-edit.ts';
import type { DeclaredParameter } from './parameters/parameters.ts';

interface Placed {
  readonly start: number;
  readonly placeholders: readonly { readonly name: string; readonly start: number }[];
}

/** Returns the typing context of a statement: the tables it reads and its declared parameters. */
export function typeContext(
  statement: Placed,
  bound: BoundNames | undefined,
  names: KnownNames | undefined,
  parameters: readonly DeclaredParameter[],
): TypeContext {
  const tables = (bound?.tables ?? []).flatMap(({ model, table }) => {
    const owner = names && findModel(names.catalogue, model);
    const columns = owner && findTable(owner, table)?.columns;
    return columns === undefined ? [] : [typedTable(model, table, columns)];
  });
  const declared = new Map(parameters.map(({ name, type }) => [name, type]));
  return {
    model: names?.model ?? '',
    tables,
    parameters: statement.placeholders.flatMap(({ name, start }) => {
      const type = declared.get(name)?.toLowerCase();
      // Other declared types prove nothing: text may hold any type, and a list several values.
      return type === undefined || !certainTypes.has(type) ? [] : [{ start: start - statement.start, type }];
    }),
  };
}

/** Cached so that unchanged tables keep the same object, which identifies a typing context. */
const typedTables = new WeakMap<readonly CatalogueColumn[], TypedTable>();

function typedTable(model: string, table: string, columns: readonly CatalogueColumn[]): TypedTable {
  const known = typedTables.get(columns);
  if (known?.model === model && known.table === table) return known;
  const made: TypedTable = {
    model,
    table,
    columns: columns.map(({ name, type, nullable, values }) => ({
      name,
      type,
      ...(values === undefined || values.length === 0 ? {} : { hasValues: true as const }),
      ...(nullable === undefined ? {} : { nullable }),
    })),
  };
  typedTables.set(columns, made);
  return made;
}

const certainTypes = new Set(
  `integer int bigint smallint int2 int4 int8 numeric decimal real float float4 float8 boolean bool date timestamp
   timestamptz time timetz uuid interval`.split(/\s+/),
);

export function typeFindings(
  { findings }: StatementTypes,
  code: TokenList,
  base: number,
): readonly Finding[] {
  return findings.map(
    ({ code: findingCode, message, first, last, shiftLast, isLikely, rewrite, alternatives = [] }) => {
      const from = code.at(base + first);
      const to = code.at(base + last) + shiftLast;
      const unprovenFix =
        rewrite !== undefined
          ? rewriteFix(code, { from, to }, rewrite)
          : findingCode === 'FOREIGN_TYPE'
            ? foreignTypeFix(code, from)
            : foreignCalls.has(findingCode)
              ? foreignCallFix(code, from)
              : findingCode === 'AGGREGATE_MISUSE'
                ? aggregateFix(code, from)
                : undefined;
      const others =
        findingCode === 'INVALID_LITERAL'
          ? daysInstead(code, from)
          : findingCode === 'UNGROUPED_COLUMN'
            ? groupedToo(code, { from, to })
            : alternatives.flatMap((each) => rewriteFix(code, { from, to }, each) ?? []);
      const repeated = findingCode === 'INVALID_LITERAL' ? comparisonBefore(code, from) : undefined;
      if (repeated !== undefined) {
        return {
          ...finding(findingCode, repeated.text, code.start(from), code.end(from)),
          unprovenFix: repeated.fix,
        };
      }
      return {
        ...finding(findingCode, message, code.start(from), Math.max(code.end(to), code.end(from))),
        severity: isLikely === true ? 'warning' : severityOf(findingCode),
        ...(unprovenFix === undefined ? {} : { unprovenFix }),
        ...(others.length === 0 ? {} : { alternatives: others }),
      };
    },
  );
}

/** Handles `name = 'a' OR 'b'`, whose second text is not a condition. */
function comparisonBefore(
  code: TokenList,
  at: number,
): { readonly text: string; readonly fix: Fix } | undefined {
  const word = code.word(at - 1);
  const operator = code.textOf(at - 3);
  const isComparison = /^(?:=|<>|!=|i?like)$/i.test(operator) && code.textOf(at - 2).startsWith("'");
  let first = at - 4;
  while (code.is(first - 1, '.')) first -= 2;
  const name = code.text.slice(code.start(first), code.end(at - 4));
  if ((word !== 'or' && word !== 'and') || !isComparison || !/^[\w.]+$/.test(name)) return undefined;
  const newText = `${name} ${operator} `;
  const written = `${newText}${code.textOf(at)}`;
  return {
    text: t('{0} needs a whole condition after it. Write {1}.', word.toUpperCase(), written),
    fix: { title: t('Write {0}', written), edits: [{ start: code.start(at), end: code.start(at), newText }] },
  };
}

/** Replaces a day that does not exist with those around it. */
function daysInstead(code: TokenList, at: number): readonly Fix[] {
  const text = /^'(.*)'$/s.exec(code.textOf(at))?.[1];
  return (text === undefined ? [] : daysAround(text)).map((day) => ({
    title: t('Write {0}', `'${day}'`),
    edits: [{ start: code.start(at), end: code.end(at), newText: `'${day}'` }],
  }));
}

/** Adds a column to GROUP BY, which also mends ORDER BY and windows. */
function groupedToo(
  code: TokenList,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Fix[] {
  const first = selectListAround(code, from);
  const name = code.text.slice(code.start(from), code.end(to));
  const shown = name.replaceAll('"', '');
  return first === undefined || !/^(?:"[^"]+"|[\p{L}\w$.])+$/u.test(name)
    ? []
    : [{ title: t('Add "{0}" to GROUP BY', shown), edits: [groupByEdit(code, first, [name])] }];
}

/** A call of a function that has another meaning elsewhere is a mismatch. */
const foreignCalls: ReadonlySet<Finding['code']> = new Set(['FOREIGN_FUNCTION', 'TYPE_MISMATCH']);

/** Returns undefined unless the token is certain. */
function rewriteFix(
  code: TokenList,
  { from, to }: { readonly from: number; readonly to: number },
  { token, newText }: Rewrite,
): Fix | undefined {
  // A date without quotes is several tokens, and one of them begins it.
  const found = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((index) =>
    token.includes('-') ? code.text.startsWith(token, code.start(index)) : code.textOf(index) === token,
  );
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const start = code.start(only);
  return { title: t('Write {0}', newText), edits: [{ start, end: start + token.length, newText }] };
}

/** Type errors are certain, so they are errors rather than warnings. */
const severityOf = (code: Finding['code']): Finding['severity'] =>
  code === 'FOREIGN_FUNCTION' || code === 'FOREIGN_TYPE' || code === 'ORDINAL_OUT_OF_RANGE'
    ? 'warning'
    : 'error';

/** For each code, the codes from other checks that describe the same problem, often with a fix. */
const sameThing: Readonly<Partial<Record<Finding['code'], readonly Finding['code'][]>>> = {
  TYPE_MISMATCH: ['STRING_NUMBER_COMPARISON', 'PARAMETER_TYPE', 'UNKNOWN_OPERATOR', 'SET_OPERATION_COLUMNS'],
  INVALID_LITERAL: ['STRING_NUMBER_COMPARISON'],
  AGGREGATE_MISUSE: ['AGGREGATE_IN_WHERE'],
  AGGREGATE_IN_WHERE: ['AGGREGATE_IN_WHERE'],
  UNGROUPED_COLUMN: ['UNGROUPED_COLUMN'],
  SET_OPERATION_COLUMNS: ['SET_OPERATION_COLUMNS'],
};

/** Drops findings that another check also reports at the same position. */
export function besides(own: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  const byCode = new Map(
    [...Map.groupBy(others, ({ code }) => code)].map(([code, found]) => [code, overlapsWith(found)] as const),
  );
  return own.filter(
    (found) =>
      sameThing[found.code]?.some(
        (code) =>
          byCode.has(code) && (code === 'SET_OPERATION_COLUMNS' || byCode.get(code)?.(found) === true),
      ) !== true,
  );
}

/** Returns whether a place overlaps any of the findings, of which there may be thousands. */
function overlapsWith(findings: readonly Finding[]): (place: Pick<Finding, 'start' | 'end'>) => boolean {
  const sorted = findings.toSorted((a, b) => a.start - b.start);
  let furthest = -1;
  const furthestEnds = sorted.map(({ end }) => (furthest = Math.max(furthest, end)));
  return ({ start, end }) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? end) < end) low = middle + 1;
      else high = middle;
    }
    return (furthestEnds[low - 1] ?? -1) > start;
  };
}
