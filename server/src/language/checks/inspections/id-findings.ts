/** Reports joins of two tables on their own IDs, which never match, and suggests the likely intended condition. */
import { t } from '#base/texts.ts';
import { findModel, findTable } from '#server/language/names/catalogue.ts';
import { declaredReferences } from '#server/language/names/declared-references.ts';
import type { KnownNames } from '#server/language/names/name-context.ts';
import type { MergedPair, MergedSide } from '#server/language/names/over-tree/bound-names.ts';
import { isPlainName, quoteName } from '#server/language/text/identifiers.ts';
import type { TokenList } from '#server/language/text/lexer/tokens.ts';
import type { CatalogueColumn } from '#server/protocol.ts';
import { finding, type Finding } from '../finding.ts';
import type { IdFact, IdSide } from './model.ts';

type Range = Pick<Finding, 'start' | 'end'>;

/** Returns undefined unless each column is the ID of a different table. */
export function judgeIds(
  { left, right, isCondition }: Omit<IdFact, 'run'>,
  { start, end }: Range,
  names: KnownNames | undefined,
): Finding | undefined {
  if (names === undefined || keyOf(left, names) === keyOf(right, names)) return undefined;
  const [columns, others] = [columnsOf(left, names), columnsOf(right, names)];
  const isOwnId = (own: readonly CatalogueColumn[], { column }: IdSide): boolean =>
    own.some((each) => each.name === column && each.isOwnId === true);
  if (!isOwnId(columns, left) || !isOwnId(others, right)) return undefined;
  const meant = meantInstead([left, columns], [right, others], names);
  const name = (side: IdSide): string => write(side.alias, side.column);
  const message = t(
    '"{0}" and "{1}" are IDs of different records, so they are never equal. {2}',
    name(left),
    name(right),
    meant === undefined
      ? t('Join by a column that refers to the other record.')
      : t('Did you mean "{0}"?', meant),
  );
  const found = finding('UNRELATED_IDS', message, start, end);
  return meant === undefined || !isCondition
    ? found
    : { ...found, fix: { title: t('Replace with {0}', meant), edits: [{ start, end, newText: meant }] } };
}

/** Reports the same of joins by USING and NATURAL, once a join. */
export function mergedIdFindings(
  merged: readonly MergedPair[],
  code: TokenList,
  base: number,
  names: KnownNames,
): readonly Finding[] {
  const found = new Map<number, Finding>();
  for (const { left, right, start } of merged) {
    if (found.has(start)) continue;
    const first = code.at(base + start);
    const last = code.is(first + 1, '.') ? first + 2 : first;
    const fact = { left: sideOf(left), right: sideOf(right), isCondition: false };
    const own = judgeIds(fact, { start: code.start(first), end: code.end(last) }, names);
    if (own !== undefined) found.set(start, own);
  }
  return [...found.values()];
}

const sideOf = ({ alias, origin: { model, table, column } }: MergedSide): IdSide => ({
  alias,
  table: { schema: model, name: table },
  column,
});

/** Returns the likeliest condition that compares a reference on one side with the other side, as completion does. */
function meantInstead(
  one: readonly [IdSide, readonly CatalogueColumn[]],
  other: readonly [IdSide, readonly CatalogueColumn[]],
  names: KnownNames,
): string | undefined {
  const [best] = [...referencesTo(one, other[0], names), ...referencesTo(other, one[0], names)].sort(
    (a, b) => a.rank - b.rank,
  );
  if (best === undefined) return undefined;
  const { reference, target } = best;
  return best.isList ? `${target} = ANY (${reference})` : `${reference} = ${target}`;
}

function referencesTo(
  [from, columns]: readonly [IdSide, readonly CatalogueColumn[]],
  to: IdSide,
  names: KnownNames,
) {
  const place = { model: modelOf(to, names), table: to.table.name };
  return declaredReferences(columns, modelOf(from, names), place).map(({ name, column, isList, rank }) => ({
    rank,
    reference: write(from.alias, name),
    target: write(to.alias, column),
    isList,
  }));
}

const write = (alias: string, column: string): string =>
  [alias, column].map((name) => quoteName(name, isPlainName)).join('.');

const modelOf = ({ table }: IdSide, { model }: KnownNames): string => table.schema ?? model;

const keyOf = (side: IdSide, names: KnownNames): string => `${modelOf(side, names)}.${side.table.name}`;

function columnsOf(side: IdSide, names: KnownNames): readonly CatalogueColumn[] {
  const owner = findModel(names.catalogue, modelOf(side, names));
  return (owner && findTable(owner, side.table.name)?.columns) ?? [];
}
