/** Expands a star and qualifies a column, if all visible columns are known. */
import type { FindingCode } from '#base/finding-severities.ts';
import { t } from '#base/texts.ts';
import type { Bindings } from '../names/over-tokens/bindings.ts';
import type { OutlineRelation, OutlineSelect } from '../names/over-tokens/outline.ts';
import { isPlainName, nameAt, quoteName } from '../text/identifiers.ts';
import type { Action, ActionPlace } from './action.ts';

interface KnownRelation {
  /** The name that qualifies the columns; undefined for a subquery without an alias. */
  readonly alias: string | undefined;
  readonly columns: readonly string[];
}

const writerOf =
  ({ names }: ActionPlace) =>
  (name: string): string =>
    quoteName(name, isPlainName, names.nameQuotes);

/** Returns undefined if a relation's columns are not fully known or contain duplicates. */
function knownRelations(
  bindings: Bindings,
  relations: readonly OutlineRelation[],
): readonly KnownRelation[] | undefined {
  const known: KnownRelation[] = [];
  for (const relation of relations) {
    const { list, isOpen } = bindings.columnsOf(relation);
    const columns = list.map(({ name }) => name);
    if (isOpen || new Set(columns).size < columns.length) return undefined;
    known.push({ alias: relation.definition?.name, columns });
  }
  return known;
}

/** USING and NATURAL merge columns, which then belong to no single table. */
const hasMergedColumns = ({ isNatural, mentions }: OutlineSelect): boolean =>
  isNatural || mentions.some(({ clause }) => clause === 'using');

export function expandStar(place: ActionPlace): readonly Action[] {
  const { analysis, at } = place;
  const { code } = analysis.lexed;
  if (!code.is(at, '*')) return [];
  const bindings = place.bindings();
  for (const select of bindings.outline.selects) {
    const output = select.outputs.find(
      ({ star, last, first }) => star !== undefined && last === at && first < last + 1,
    );
    if (output?.star !== undefined && code.word(output.first) !== 'table') {
      // `(a).*` lists the fields of a value.
      if (output.star.length === 0 && code.is(at - 1, '.')) return [];
      return expanded(place, bindings, select, output.star[0]);
    }
  }
  return [];
}

function expanded(
  place: ActionPlace,
  bindings: Bindings,
  select: OutlineSelect,
  qualifier: string | undefined,
): readonly Action[] {
  const { analysis, at } = place;
  const { code } = analysis.lexed;
  const write = writerOf(place);
  const wanted = select.relations.filter(
    ({ definition }) => qualifier === undefined || definition?.name === qualifier,
  );
  const known = knownRelations(bindings, wanted) ?? [];
  const needsQualifier = qualifier !== undefined || known.length > 1;
  const isUnclear =
    (qualifier === undefined && hasMergedColumns(select)) ||
    (needsQualifier && known.some(({ alias }) => alias === undefined)) ||
    new Set(known.map(({ alias }) => alias)).size < known.length;
  const columns = known.flatMap(({ alias, columns: own }) =>
    own.map((column) => (needsQualifier ? `${write(alias ?? '')}.` : '') + write(column)),
  );
  const start = code.start(qualifier === undefined ? at : at - 2);
  const action: Action = {
    title: t('Write out the columns of *'),
    kind: 'refactor.rewrite',
    edits: [{ start, end: code.end(at), newText: columns.join(', ') }],
  };
  return isUnclear || columns.length === 0 ? [] : [action];
}

export function qualifyColumn(place: ActionPlace): readonly Action[] {
  const { analysis, at } = place;
  const { code } = analysis.lexed;
  const column = nameAt(code, at);
  if (column === undefined) return [];
  const bindings = place.bindings();
  for (const select of bindings.outline.selects) {
    const mention = select.mentions.find(({ tokens }) => tokens[0] === at);
    if (mention !== undefined) {
      const isBare = mention.tokens.length === 1 && !mention.hasStar && mention.target === undefined;
      // In ORDER BY and GROUP BY, the name may refer to an output.
      const mayBeOutput =
        (mention.clause === 'order' || mention.clause === 'group') &&
        select.outputs.some(({ definition }) => definition?.name === column);
      return isBare && mention.clause !== 'using' && !mayBeOutput
        ? qualified(place, bindings, select, column)
        : [];
    }
  }
  return [];
}

const ambiguous: FindingCode = 'AMBIGUOUS_COLUMN';

/** Resolves the name in the innermost SELECT that has the column. */
function qualified(
  place: ActionPlace,
  bindings: Bindings,
  innermost: OutlineSelect,
  column: string,
): readonly Action[] {
  const { analysis, at } = place;
  const write = writerOf(place);
  const start = analysis.lexed.code.start(at);
  const finding = analysis.findings.find((found) => found.code === ambiguous && found.start === start);
  for (let select: OutlineSelect | undefined = innermost; select !== undefined; select = select.parent) {
    const known = knownRelations(bindings, select.relations);
    if (known === undefined || hasMergedColumns(select)) return [];
    const aliases = known.flatMap(({ alias, columns }) =>
      alias !== undefined && columns.includes(column) ? [alias] : [],
    );
    if (aliases.length > 0) {
      return aliases.map((alias) => ({
        title:
          finding === undefined
            ? t('Qualify as {0}', `${write(alias)}.${write(column)}`)
            : t('Replace with {0}', `${write(alias)}.${write(column)}`),
        kind: finding === undefined ? 'refactor.rewrite' : 'quickfix',
        edits: [{ start, end: start, newText: `${write(alias)}.` }],
        ...(finding === undefined ? {} : { finding }),
      }));
    }
  }
  return [];
}
