/** The typing context of expressions: their query, and how subexpressions are typed. */
import type { CallContext } from '../resolution/calls.ts';
import type { Operand } from '../resolution/conversions.ts';
import type { Typed } from '../typing.ts';

export interface ExpressionContext extends CallContext {
  type(node: unknown): Typed;
  operands(nodes: unknown): readonly Operand[];
  /** A relation that was not read may have any column. */
  doubt(): void;
  /** The result for an expression that is not typed. */
  unread(): Typed;
}
