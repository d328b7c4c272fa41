/** The context for typing an expression: its query, and functions that type its parts. */
import type { CallContext } from '../resolution/calls.ts';
import type { Operand } from '../resolution/conversions.ts';
import type { Typed } from '../typing.ts';

export interface ExpressionContext extends CallContext {
  type(node: unknown): Typed;
  operands(nodes: unknown): readonly Operand[];
  /** Marks the columns as uncertain, since an untyped relation may have any column. */
  doubt(): void;
  /** Returns the result for an expression that is not typed. */
  unread(): Typed;
}
