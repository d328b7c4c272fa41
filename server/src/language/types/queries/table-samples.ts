/** Checks TABLESAMPLE (parse_clause.c). */
import { child, constantOf, list, number, strings, type Node } from '#server/language/tree/parse-tree.ts';
import { operandOf } from '../expressions/expressions.ts';
import { wantNoColumns, wantType } from '../resolution/conversions.ts';
import type { Level, Relation, Session } from '../typing.ts';

const methods: ReadonlySet<string> = new Set(['bernoulli', 'system']);

export function checkSample(
  { session, level }: { readonly session: Session; readonly level: Level },
  node: Node,
  sampled: readonly Relation[],
): void {
  const say = (message: string, at: unknown): void => {
    session.report({ code: 'INVALID_CLAUSE', message: `${message}.`, at, location: number(node.location) });
  };
  const table = child(node.relation, 'RangeVar');
  if (sampled.some(({ isTable }) => !isTable) && table !== undefined)
    say('TABLESAMPLE clause can only be applied to tables and materialized views', { RangeVar: table });
  const method = strings(node.method).at(-1) ?? '';
  const args = list(node.args);
  // Extensions add methods with arguments of their own.
  if (!methods.has(method)) return;
  if (args.length !== 1)
    say(`tablesample method ${method} requires 1 argument, not ${args.length}`, { RangeVar: table });
  const inside: Level = { ...level, relations: [...level.relations, ...sampled], clause: 'FROM' };
  const read = (value: unknown, what: string, type: string): void => {
    const sets = inside.sets;
    const operand = operandOf(session, inside, value);
    wantType(session, operand, { type, what });
    // In a subquery, a name may be that of a column outside.
    if (level.parent === undefined) wantNoColumns(session, inside, operand, what);
    if (inside.sets > sets) say(`argument of ${what} must not return a set`, value);
    if (constantOf(value)?.kind === 'null')
      say(`TABLESAMPLE ${what === 'REPEATABLE' ? 'REPEATABLE ' : ''}parameter cannot be null`, value);
  };
  for (const arg of args) {
    read(arg, 'TABLESAMPLE', 'float4');
    const constant = constantOf(arg);
    if (constant?.kind === 'number' && !(Number(constant.value) >= 0 && Number(constant.value) <= 100))
      say('sample percentage must be between 0 and 100', arg);
  }
  if (node.repeatable !== undefined) read(node.repeatable, 'REPEATABLE', 'float8');
}
