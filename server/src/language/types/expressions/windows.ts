/** Types the windows of window functions: OVER and the WINDOW clause (parse_agg.c, parse_clause.c). */
import { t } from '#base/texts.ts';
import { child, constantOf, list, number, text, type Node } from '#server/language/tree/parse-tree.ts';
import { give, wantNoColumns, wantType, type Operand } from '../resolution/conversions.ts';
import { orderable } from '../resolution/orderable.ts';
import type { Level } from '../typing.ts';
import type { ExpressionContext } from './expression-context.ts';

export function windowType(context: ExpressionContext, node: Node): void {
  const { level } = context;
  const { clause } = level;
  if (clause === 'SELECT' || clause === 'ORDER BY') level.clause = 'WINDOW';
  for (const entry of list(node.partitionClause))
    orderable(context.session, entry, context.type(entry).type, 'equality');
  const sorts = list(node.orderClause).map((entry) => context.sortBy(entry));
  const base = baseOf(context, node);
  const inherited = list(base?.orderClause);
  const count = sorts.length > 0 ? sorts.length : inherited.length;
  const first = (): Operand => sorts[0] ?? context.operand(child(inherited[0], 'SortBy')?.node);
  frame(context, node, { count, first });
  level.clause = clause;
}

/** Returns the item of the WINDOW clause that the window refers to or extends. */
function baseOf({ session, level }: ExpressionContext, node: Node): Node | undefined {
  // An item of the WINDOW clause defines its own name rather than referring to one.
  const isEntry = level.windows.get(text(node.name)) === node;
  const name = typeof node.refname === 'string' ? node.refname : isEntry ? undefined : node.name;
  if (typeof name !== 'string' || name === '') return undefined;
  const base = level.windows.get(name);
  const say = (message: string): void => {
    session.report({
      code: 'AGGREGATE_MISUSE',
      message,
      at: { WindowDef: node },
      location: number(node.location),
    });
  };
  if (base === undefined) {
    say(`window "${name}" does not exist. ${t('Define it: {0}.', `WINDOW ${name} AS (...)`)}`);
  } else if (typeof node.refname === 'string' && isLater(level, node, base)) {
    say(`window "${name}" does not exist. ${t('Define it before this one.')}`);
  } else if (typeof node.refname === 'string' && (number(base.frameOptions) & isNotDefault) !== 0) {
    say(`cannot copy window "${name}" because it has a frame clause. ${t('Write {0}.', `OVER ${name}`)}`);
  } else if (typeof node.refname === 'string' && list(node.partitionClause).length > 0) {
    say(`cannot override PARTITION BY clause of window "${name}". ${t('Leave it out here.')}`);
  } else if (list(node.orderClause).length > 0 && list(base.orderClause).length > 0) {
    say(`cannot override ORDER BY clause of window "${name}". ${t('Leave it out here.')}`);
  }
  return base;
}

/** Returns whether the base of an item of the WINDOW clause is that item or a later one. */
function isLater(level: Level, node: Node, base: Node): boolean {
  const items = [...level.windows.values()];
  const own = items.indexOf(node);
  return own >= 0 && items.indexOf(base) >= own;
}

/** Bits of frameOptions (parsenodes.h). */
const isNotDefault = 0x1;
const isRange = 0x2;
const isGroups = 0x8;
const hasOffset = 0x800 | 0x1000 | 0x2000 | 0x4000;

/** The sort expressions of a window: their number, and the first one, typed on demand. */
interface Sorts {
  readonly count: number;
  first(): Operand;
}

function frame(context: ExpressionContext, node: Node, sorts: Sorts): void {
  const options = number(node.frameOptions);
  const offsets = [node.startOffset, node.endOffset]
    .filter((offset) => offset !== undefined)
    .map((offset) => context.operand(offset));
  const say = (message: string): void => {
    context.session.report({
      code: 'AGGREGATE_MISUSE',
      message,
      at: { WindowDef: node },
      location: number(node.location),
    });
  };
  if ((options & isGroups) !== 0 && sorts.count === 0)
    say(`GROUPS mode requires an ORDER BY clause. ${t('Write {0} in the window.', 'ORDER BY')}`);
  if ((options & hasOffset) === 0) return;
  for (const [offset, side] of [
    [node.startOffset, 'starting'],
    [node.endOffset, 'ending'],
  ] as const) {
    const constant = constantOf(offset);
    if (constant?.kind === 'number' && Number(constant.value) < 0)
      say(`frame ${side} offset must not be negative.`);
  }
  const what = (options & isRange) !== 0 ? 'RANGE' : (options & isGroups) === 0 ? 'ROWS' : 'GROUPS';
  for (const offset of offsets) wantNoColumns(context.session, context.level, offset, what);
  if ((options & isRange) === 0) {
    for (const offset of offsets) wantType(context.session, offset, { type: 'int8', what });
    return;
  }
  if (sorts.count !== 1) {
    say(
      `RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column. ${t('Write ROWS, or sort by one.')}`,
    );
    return;
  }
  const sort = sorts.first();
  for (const offset of offsets) rangeOffset(context, sort, offset, say);
}

/** Checks a RANGE offset, whose type depends on the type of the sort expression. */
function rangeOffset(
  { session }: ExpressionContext,
  sort: Operand,
  offset: Operand,
  say: (message: string) => void,
): void {
  const { type } = sort.typed;
  const given = offset.typed.type;
  if (type === undefined || given === undefined) return;
  const { coercion } = session;
  const category = coercion.category(type);
  const isMoment = category === 'D' || category === 'T';
  if (given === 'unknown') {
    if (isMoment || category === 'N') give(session, offset, isMoment ? 'interval' : type);
  } else if ((isMoment && coercion.category(given) === 'N') || category === 'S' || category === 'B') {
    const remedy = isMoment ? ` ${t('Write {0}.', "INTERVAL '1 day'")}` : '';
    say(
      `RANGE with offset PRECEDING/FOLLOWING is not supported for column type ${coercion.shown(type)} and offset type ${coercion.shown(given)}.${remedy}`,
    );
  }
}
