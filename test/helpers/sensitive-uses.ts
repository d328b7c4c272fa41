/**
 * Finds what a statement does with sensitive values, in PostgreSQL's own parse tree and without the product's analysis:
 * anything but a plain column, an alias or `::text` of one in a list of results is named. Names decide, so a statement
 * that gives a sensitive column the name of an open one, or the reverse, cannot be judged.
 */
import { loadModule, parseSync } from 'libpg-query';
import { agentCatalogue, agentSensitivity } from './agent-models.ts';

await loadModule();

const known = agentCatalogue.models.flatMap(({ name: model, tables = [] }) =>
  tables.flatMap(({ name: table, columns = [{ name: 'anything', type: 'text' }] }) =>
    columns.map(({ name, type }) => ({
      table,
      name,
      isSensitive:
        table === 'untold' ||
        agentSensitivity({ model, table, column: name, type, class: undefined }) !== undefined,
    })),
  ),
);
const sensitiveNames = new Set(known.filter((each) => each.isSensitive).map(({ name }) => name));
const openNames = new Set(known.filter((each) => !each.isSensitive).map(({ name }) => name));
const sensitiveTables = new Set(known.filter((each) => each.isSensitive).map(({ table }) => table));

/** Clauses that compare columns by their names. */
const namingClauses = new Set(['usingClause', 'search_col_list', 'cycle_col_list']);

export type Uses =
  | { readonly kind: 'judged'; readonly violations: readonly string[] }
  /** The names have more than one meaning. */
  | { readonly kind: 'ambiguous' };

type Tree = Readonly<Record<string, unknown>>;

export function sensitiveUses(sql: string): Uses {
  const tree: unknown = parseSync(sql);
  const names = new Names(tree);
  const violations: string[] = [];
  const ambiguous: string[] = [];
  const note = (what: string, name: string | undefined) => {
    if (name === undefined || !names.isTainted(name)) return;
    if (names.isOpen(name)) ambiguous.push(name);
    else violations.push(`${what}: ${name}`);
  };
  /** @param isPlain whether the value is passed on as it is. */
  const value = (node: unknown, isPlain: boolean, what: string): void => {
    const [type, inner] = typed(node);
    if (type === 'ColumnRef') {
      if (!isPlain) note(what, lastName(inner));
    } else if (type === 'TypeCast') value(inner['arg'], isPlain && isText(inner['typeName']), 'TypeCast');
    else if (type === 'SubLink') {
      const isExpression = inner['subLinkType'] === 'EXPR_SUBLINK';
      const isTest = inner['subLinkType'] === 'EXISTS_SUBLINK';
      select(inner['subselect'], isTest || (isExpression && isPlain));
      walk(inner['testexpr'], 'SubLink');
    } else walk(node, what);
  };
  const walk = (node: unknown, what: string): void => {
    if (Array.isArray(node)) for (const each of node) walk(each, what);
    if (!isTree(node) || Array.isArray(node)) return;
    const [type] = typed(node);
    if (type === 'SelectStmt') select(node, true);
    else if (type === 'ColumnRef' || type === 'SubLink' || type === 'TypeCast') value(node, false, what);
    else
      for (const [name, child] of Object.entries(node)) {
        if (namingClauses.has(name)) for (const each of list(child)) note(name, stringOf(each));
        walk(child, /^[A-Z]/.test(name) ? name : what);
      }
  };
  /** @param isPassedOn whether its results go on as they are. */
  const select = (node: unknown, isPassedOn: boolean): void => {
    const inner = isTree(node) && 'SelectStmt' in node ? (node['SelectStmt'] as Tree) : (node as Tree);
    const {
      targetList,
      valuesLists,
      distinctClause,
      sortClause,
      groupClause,
      op,
      all,
      larg,
      rarg,
      ...others
    } = inner;
    const isSet = op !== undefined && op !== 'SETOP_NONE';
    // With DISTINCT ON, only its expressions are compared.
    const isDistinct = list(distinctClause).some((one) => typed(one)[0] === '');
    const tests = isDistinct || (isSet && all !== true);
    if (isSet) for (const side of [larg, rarg]) select(side, isPassedOn && !tests);
    for (const target of list(targetList)) {
      const { val } = typed(target)[1];
      value(val, isPassedOn && !tests, tests ? 'DISTINCT' : 'SubLink');
    }
    for (const row of list(valuesLists))
      for (const each of list(typed(row)[1]['items'])) value(each, isPassedOn && !tests, 'VALUES');
    for (const clause of [sortClause, groupClause, distinctClause])
      for (const each of list(clause)) {
        const [type, sort] = typed(each);
        const by = type === 'SortBy' ? sort['node'] : each;
        const place = placeOf(by);
        const target = place === undefined ? undefined : list(targetList)[place - 1];
        if (target !== undefined) value(typed(target)[1]['val'], false, 'ORDER BY or GROUP BY');
        else walk([by], 'ORDER BY or GROUP BY');
      }
    walk(others, 'SelectStmt');
  };
  walk(tree, 'statement');
  return ambiguous.length > 0 ? { kind: 'ambiguous' } : { kind: 'judged', violations };
}

/** What the names in a statement may mean. */
class Names {
  readonly #tainted = new Set<string>();
  readonly #open = new Set<string>(openNames);

  constructor(tree: unknown) {
    const aliases: (readonly [string, unknown])[] = [];
    each(tree, (type, inner) => {
      if (type === 'ResTarget' && typeof inner['name'] === 'string')
        aliases.push([inner['name'], inner['val']]);
      if (type === 'RangeVar' && sensitiveTables.has(String(inner['relname']))) {
        const alias = inner['alias'];
        this.#tainted.add(isTree(alias) ? String(alias['aliasname']) : String(inner['relname']));
      }
      // Names by position may mean anything.
      for (const listed of ['colnames', 'aliascolnames', 'ctecolnames'])
        for (const one of list(inner[listed])) {
          this.#tainted.add(stringOf(one) ?? '');
          this.#open.add(stringOf(one) ?? '');
        }
      if (type === 'RangeSubselect' || type === 'RangeFunction' || type === 'CommonTableExpr') {
        const alias = inner['alias'];
        this.#open.add(isTree(alias) ? String(alias['aliasname']) : String(inner['ctename']));
      }
    });
    for (let size = -1; size !== this.#tainted.size;) {
      size = this.#tainted.size;
      for (const [alias, val] of aliases) {
        each(val, (type, inner) => {
          if (type === 'ColumnRef' && this.isTainted(lastName(inner) ?? '')) this.#tainted.add(alias);
        });
      }
    }
    for (const [alias, val] of aliases) {
      const [type, inner] = typed(val);
      if (type !== 'ColumnRef' || !this.isTainted(lastName(inner) ?? '')) this.#open.add(alias);
    }
  }

  isTainted(name: string): boolean {
    return sensitiveNames.has(name) || this.#tainted.has(name);
  }

  isOpen(name: string): boolean {
    return this.#open.has(name);
  }
}

function each(node: unknown, visit: (type: string, inner: Tree) => void): void {
  if (Array.isArray(node)) for (const one of node) each(one, visit);
  else if (isTree(node))
    for (const [name, child] of Object.entries(node)) {
      if (isTree(child) && !Array.isArray(child)) visit(name, child);
      each(child, visit);
    }
}

function typed(node: unknown): readonly [string, Tree] {
  const [found] = isTree(node) ? Object.entries(node) : [];
  return found !== undefined && isTree(found[1]) ? [found[0], found[1]] : ['', {}];
}

function lastName(columnRef: Tree): string | undefined {
  return stringOf(list(columnRef['fields']).at(-1)); // a star has no name
}

function isText(typeName: unknown): boolean {
  const { names, arrayBounds } = typeName as { readonly names?: unknown; readonly arrayBounds?: unknown };
  return arrayBounds === undefined && stringOf(list(names).at(-1)) === 'text';
}

function placeOf(node: unknown): number | undefined {
  const [type, inner] = typed(node);
  const { ival } = inner as { readonly ival?: { readonly ival?: number } };
  return type === 'A_Const' && ival !== undefined ? (ival.ival ?? 0) : undefined;
}

function stringOf(node: unknown): string | undefined {
  const [type, inner] = typed(node);
  return type === 'String' && typeof inner['sval'] === 'string' ? inner['sval'] : undefined;
}

function list(node: unknown): readonly unknown[] {
  return Array.isArray(node) ? node : [];
}

function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null;
}
