/** How often a row has the same column of a table, and how many values a query makes: what makes rows wide. */
import {
  child,
  constantOf,
  list,
  named,
  type Node,
  strings,
  walk,
} from '#server/language/tree/parse-tree.ts';
import { isOfFixedSize, pathOperators } from '../fixed-sizes.ts';
import { nameOf, starOf } from './outputs.ts';
import { type Holds, type Part, remembered, type Scope, type Uses } from './parts.ts';

/** How often a row may have the same column of a table, as in a chain of managers; and how many values a query may make. */
const usesMax = 5;

const madeMax = 20;

export const once = (columns: readonly string[]): Uses => new Map(columns.map((column) => [column, 1]));

export const aMade = once(['']);

export const sumOf = (all: readonly Uses[]): Uses => merged(all, (one, other) => one + other);

export const mostOf = (all: readonly Uses[]): Uses => merged(all, Math.max);

function merged(all: readonly Uses[], of: (one: number, other: number) => number): Uses {
  const found = new Map<string, number>();
  for (const uses of all)
    for (const [column, count] of uses) found.set(column, of(found.get(column) ?? 0, count));
  return found;
}

/** Returns what makes rows as wide as the writer likes, so that few of them fill the memory. */
export function wideIn(uses: Uses): string | undefined {
  if ((uses.get('') ?? 0) > madeMax) return `more than ${madeMax} columns that the query makes`;
  for (const [column, count] of uses)
    if (column !== '' && count > usesMax)
      return `${column.replace(/^\./, '')}, more than ${usesMax} times in a row`;
  return undefined;
}

/** How often a query's rows have columns of tables, whole or in what is made from them. */
export function usesOf(
  targets: readonly unknown[],
  scope: Scope,
  inner: ReadonlyMap<Node, Uses>,
): Pick<Part, 'uses' | 'holds'> {
  const outputs = targets.map((target) => {
    const fields = starOf(target);
    if (fields !== undefined) {
      const parts = partsOf(strings(fields).at(-2), scope);
      return { uses: sumOf(parts.map(({ uses }) => uses)), holds: holdsIn(parts) };
    }
    const name = nameOf(target);
    const uses = heldIn(child(target, 'ResTarget')?.val, scope, inner);
    return { uses, holds: (column: string) => (column === name ? uses : undefined) };
  });
  return { uses: sumOf(outputs.map(({ uses }) => uses)), holds: remembered(holdsIn(outputs)) };
}

/** Looks in several relations. */
export const holdsIn =
  (parts: readonly Pick<Part, 'holds'>[]): Holds =>
  (column) => {
    const found = parts.flatMap((part) => part.holds(column) ?? []);
    return found.length === 0 ? undefined : mostOf(found);
  };

/** The relations of a name, in the query or around it; all of the query without one. */
function partsOf(relation: string | undefined, scope: Scope): readonly Part[] {
  if (relation === undefined) return scope.parts;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const parts = at.parts.filter(({ name }) => name === relation);
    if (parts.length > 0) return parts;
  }
  return [];
}

/** What a name stands for: a column, also one that no model has, or the whole row of a relation. */
function heldBy(fields: readonly string[], scope: Scope): Uses {
  const name = fields.at(-1) ?? '';
  const relation = fields.at(-2);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = holdsIn(relation === undefined ? at.parts : partsOf(relation, at))(name);
    if (found !== undefined) return found;
    const row = relation === undefined ? at.parts.find((part) => part.name === name) : undefined;
    if (row !== undefined) return row.uses;
  }
  return once([`.${name}`]);
}

/** What an expression is made from, except what has a fixed size. */
export function heldIn(expression: unknown, scope: Scope, inner: ReadonlyMap<Node, Uses>): Uses {
  const found: Uses[] = [];
  const written: Uses[] = [];
  const visit = (kind: string, node: Node): boolean => {
    const member = memberOf({ [kind]: node });
    const read = kind === 'SelectStmt' ? inner.get(node) : undefined;
    if (member !== undefined) {
      const columns = heldBy(member.fields, scope);
      found.push(new Map([...columns].map(([column, count]) => [column && column + member.path, count])));
    } else if (read !== undefined) found.push(read);
    else if (kind === 'A_Const' || kind === 'ParamRef') written.push(aMade);
    else if (kind === 'CaseExpr')
      walk([list(node.args).map((each) => child(each, 'CaseWhen')?.result), node.defresult], visit);
    else return !isOfFixedSize(kind, node);
    return false;
  };
  walk([expression], visit);
  const uses = mostOf(found);
  return uses.size === 0 ? mostOf(written) : uses;
}

/** A column, or a part of one: parts by different paths that are written out have nothing in common, unless one leads on. */
function memberOf(expression: unknown): { fields: readonly string[]; path: string } | undefined {
  const { kind, body = {} } = named(expression) ?? {};
  if (kind === 'ColumnRef') return { fields: strings(body.fields), path: '' };
  if (kind === 'TypeCast')
    return /^jsonb?$/.test(strings(child(body, 'typeName')?.names).at(-1) ?? '')
      ? memberOf(body.arg)
      : undefined;
  const operator = strings(body.name).at(-1) ?? '';
  if (kind !== 'A_Expr' || !pathOperators.test(operator)) return undefined;
  const of = memberOf(body.lexpr);
  const key = keyOf(operator, body.rexpr);
  return of && key !== undefined ? { ...of, path: `${of.path}.${key}` } : undefined;
}

/** Returns undefined if the same part has other keys, too, such as `-1` or `{ 0}`. */
function keyOf(operator: string, expression: unknown): string | undefined {
  const constant = constantOf(expression);
  if (constant?.kind === 'number') return /^\d+$/.test(constant.value) ? `[${constant.value}]` : undefined;
  if (constant?.kind !== 'string') return undefined;
  if (!operator.startsWith('#')) return constant.value;
  const path = /^\{([a-z_]\w*(?:,[a-z_]\w*)*)\}$/i.exec(constant.value)?.[1];
  return path?.replaceAll(',', '.');
}
