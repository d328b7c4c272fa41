/** Checks the columns that USING and NATURAL compare (parse_clause.c). */
import { t } from '#base/texts.ts';
import type { Star } from '#server/language/names/relations/star.ts';
import { strings, type Node } from '#server/language/tree/parse-tree.ts';
import { chooseOperator } from '../resolution/candidates.ts';
import type { Column, Session, TypeProblem } from '../typing.ts';

/** Reports a column that USING names twice. */
export function checkUsing(session: Session, join: Node): void {
  const names = strings(join.usingClause);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  session.report({
    code: 'INVALID_CLAUSE',
    message: `column name "${twice}" appears more than once in USING clause.`,
    at: join.rarg,
  });
}

interface Merged {
  readonly name: string;
  readonly sides: readonly [left: Star<Column>, right: Star<Column>];
  readonly columns: readonly [one: Column | undefined, other: Column | undefined];
}

/** Each side has a merged column once, and `=` compares both. */
export function checkMerged(
  session: Session,
  join: Node,
  { name, sides: [left, right], columns: [one, other] }: Merged,
): void {
  const say = (code: TypeProblem['code'], message: string): void => {
    session.report({
      code,
      message: `${message}. ${t('Compare the columns with {0}.', 'ON')}`,
      at: join.rarg,
    });
  };
  const side = left.count(name) > 1 ? 'left' : right.count(name) > 1 ? 'right' : undefined;
  if (side !== undefined) {
    say('INVALID_CLAUSE', `common column name "${name}" appears more than once in ${side} table`);
    return;
  }
  const [from, to] = [one?.type, other?.type];
  if (from === undefined || to === undefined) return;
  const { catalogue, coercion } = session;
  const isKnown = [catalogue.operators('='), catalogue.extensionOperators('=')].some(
    (facts) => chooseOperator(coercion, facts, from, to) !== undefined,
  );
  if (!isKnown)
    say('TYPE_MISMATCH', `operator does not exist: ${coercion.shown(from)} = ${coercion.shown(to)}`);
}
