/** What joins the relations of a FROM: from the row of one, that of another is found. */
import { child, conjunctsOf, list, type Node, strings } from '#server/language/tree/parse-tree.ts';
import { columnOf } from './column-sources.ts';
import { lookupIn, type Part, type Scope } from './parts.ts';

/** From the row of one relation, that of another is found: in both directions, unless a join keeps rows without one. */
export type Way = readonly [from: string, to: string];

/** What joins the relations of a FROM. */
export interface Ways {
  readonly own: readonly Way[];
  /** From relations around, to its own. */
  readonly outside: readonly Way[];
}

export const noWays: Ways = { own: [], outside: [] };

export const together = (all: readonly Ways[]): Ways => ({
  own: all.flatMap(({ own }) => own),
  outside: all.flatMap(({ outside }) => outside),
});

type Graph = ReadonlyMap<string, readonly string[]>;

function graphOf(parts: readonly Part[], ways: readonly Way[]): Graph {
  const graph = new Map<string, string[]>();
  for (const [from, to] of [
    ...ways,
    ...parts.flatMap(({ name, of }) => of.map((from): Way => [from, name])),
  ]) {
    const known = graph.get(from);
    if (known === undefined) graph.set(from, [to]);
    else known.push(to);
  }
  return graph;
}

function reach(graph: Graph, starts: readonly string[], reached = new Set<string>()): ReadonlySet<string> {
  const open = [...starts];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    for (const next of graph.get(at) ?? []) open.push(next);
  }
  return reached;
}

const namesOf = (parts: readonly Part[]): readonly string[] => parts.map(({ name }) => name);

const neededOf = (parts: readonly Part[]): readonly string[] =>
  namesOf(parts.filter(({ isCounted }) => !isCounted));

/** The relations of a FROM that no way leads to, by their names. */
export function unjoinedIn(parts: readonly Part[], ways: readonly Way[]): readonly string[] {
  const names = namesOf(parts);
  // Tables of two schemas may have one name, which then says nothing.
  if (new Set(names).size < names.length) return names.filter((name, index) => names.indexOf(name) !== index);
  const graph = graphOf(parts, ways);
  const needed = neededOf(parts);
  // If one leads to all, then the last that none before it leads to.
  const seen = new Set<string>();
  let [root = ''] = needed;
  for (const name of needed) {
    if (!seen.has(name)) root = name;
    reach(graph, [name], seen);
  }
  const isReached = (start: string) => {
    const reached = reach(graph, [start]);
    return (name: string) => reached.has(name);
  };
  return needed.every(isReached(root)) ? [] : needed.filter((name) => !isReached(needed[0] ?? '')(name));
}

/** The relations around a FROM by which all of its rows are looked up. */
export function outerOf(parts: readonly Part[], { own, outside }: Ways): readonly string[] {
  const names = new Set(namesOf(parts));
  const from = [...outside, ...parts.flatMap(({ name, of }) => of.map((outer): Way => [outer, name]))].filter(
    ([outer]) => !names.has(outer),
  );
  const reached = reach(
    graphOf(parts, own),
    from.map(([, to]) => to),
  );
  return neededOf(parts).every((name) => reached.has(name)) ? [...new Set(from.map(([outer]) => outer))] : [];
}

/** The relations whose columns a condition finds equal, in every row. */
export function waysBy(condition: unknown, scope: Scope): Ways {
  const own = new Set(namesOf(scope.parts));
  const ways = conjunctsOf(condition)
    .flatMap(sidesOf)
    .flatMap(([left, right]): readonly Way[] => {
      const [from, to] = [left, right].map((side) => columnOf(side, scope)?.relation);
      return from === undefined || to === undefined || from === to
        ? []
        : [
            [from, to],
            [to, from],
          ];
    })
    .filter(([, to]) => own.has(to));
  return {
    own: ways.filter(([from]) => own.has(from)),
    outside: ways.filter(([from]) => !own.has(from)),
  };
}

/** The sides of a condition that compares by equality. */
function sidesOf(condition: unknown): readonly (readonly [unknown, unknown])[] {
  const node = child(condition, 'A_Expr');
  if (node === undefined || strings(node.name).join('.') !== '=') return [];
  const { kind, lexpr, rexpr } = node;
  if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_OP_ANY') return [];
  const [left, right] = [lexpr, rexpr].map((side) => list(child(side, 'RowExpr')?.args));
  if (left === undefined || right === undefined || left.length === 0) return [[lexpr, rexpr]];
  return left.map((each, index) => [each, right[index]] as const);
}

/** The relations that USING joins. NATURAL may find no column that both have. */
export function usingIn(node: Node, left: readonly Part[], right: readonly Part[]): readonly Way[] {
  return strings(node.usingClause).flatMap((column): readonly Way[] => {
    const [from, to] = [left, right].map((side) =>
      lookupIn(side)(column) ? side.find((part) => part.lookup(column) !== undefined)?.name : undefined,
    );
    return from === undefined || to === undefined
      ? []
      : [
          [from, to],
          [to, from],
        ];
  });
}
