/** Types CASE and COALESCE. */
import { t } from '#base/texts.ts';
import { child, list, number, type Node } from '#server/language/tree/parse-tree.ts';
import { unify, wantBoolean, type Operand } from '../resolution/conversions.ts';
import { operationType } from '../resolution/operators.ts';
import { perhaps, typed, type Typed } from '../typing.ts';
import type { ExpressionContext } from './expression-context.ts';

export function caseType(context: ExpressionContext, node: Node): Typed {
  const session = context.session;
  const { sets } = context.level;
  const subject = 'arg' in node ? context.operand(node.arg) : undefined;
  const whens = list(node.args).map((entry) => child(entry, 'CaseWhen') ?? {});
  const results: Operand[] = [];
  for (const [index, when] of whens.entries()) {
    const condition = index === 0 ? context.operand(when.expr) : perhapsOperand(context, when.expr);
    if (subject === undefined) {
      wantBoolean(session, condition, 'CASE/WHEN');
    } else {
      const asText = subject.typed.type === 'unknown' ? { node: undefined, typed: typed('text') } : subject;
      operationType(session, {
        operator: '=',
        left: asText,
        right: condition,
        node: { A_Expr: { lexpr: node.arg, rexpr: when.expr } },
        location: number(when.location),
      });
    }
    results.push(perhapsOperand(context, when.result));
  }
  const other: Operand =
    'defresult' in node
      ? perhapsOperand(context, node.defresult)
      : { node: undefined, typed: { type: 'unknown', text: null, origins: [], nullable: true } };
  noSets(context, node, 'CASE', sets);
  const all = [other, ...results];
  const isNeverNull = all.every(({ typed: { nullable } }) => nullable === false);
  return { ...unify(session, all, 'CASE'), ...(isNeverNull ? { nullable: false } : {}) };
}

const perhapsOperand = (context: ExpressionContext, node: unknown): Operand =>
  perhaps(context.session, () => context.operand(node));

export function coalesceType(context: ExpressionContext, node: Node): Typed {
  const { sets } = context.level;
  const operands = firstSurely(context, node.args);
  noSets(context, node, 'COALESCE', sets);
  const isNeverNull = operands.some(({ typed: { nullable } }) => nullable === false);
  return { ...unify(context.session, operands, 'COALESCE'), ...(isNeverNull ? { nullable: false } : {}) };
}

/** Types operands of which PostgreSQL evaluates only the first in any case. */
export const firstSurely = (context: ExpressionContext, nodes: unknown): readonly Operand[] =>
  list(nodes).map((node, index) => (index === 0 ? context.operand(node) : perhapsOperand(context, node)));

/** Reports set-returning functions in a conditional expression, where they are not allowed. */
function noSets({ session, level }: ExpressionContext, node: Node, what: string, before: number): void {
  if (level.sets > before) {
    session.report({
      code: 'AGGREGATE_MISUSE',
      message: `set-returning functions are not allowed in ${what}. ${t('Move it into a LATERAL item of FROM.')}`,
      at: what === 'CASE' ? { CaseExpr: node } : { CoalesceExpr: node },
      location: number(node.location),
    });
  }
}
