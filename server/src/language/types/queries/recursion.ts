/** Checks the form of WITH RECURSIVE: where a query may read itself (parse_cte.c). */
import { t } from '#base/texts.ts';
import { child, isNode, list, number, strings, text, type Node } from '#server/language/tree/parse-tree.ts';
import type { Column, Session } from '../typing.ts';

/** Where a reference stands; `here` is the only place where a query may read itself. */
type Place = 'here' | 'its non-recursive term' | 'a subquery' | 'an outer join' | 'INTERSECT' | 'EXCEPT';

interface Reference {
  readonly name: string;
  readonly place: Place;
  readonly location: number;
}

type Found = (reference: Reference) => void;

/** @param entries the CommonTableExpr nodes of one WITH */
export function checkRecursion(session: Session, entries: readonly Node[], isRecursive: boolean): void {
  const names = new Set(entries.map(({ ctename }) => text(ctename)));
  const reads = new Map<string, ReadonlySet<string>>();
  for (const entry of entries) {
    const name = text(entry.ctename);
    const query = child(child(entry, 'ctequery'), 'SelectStmt');
    if (query === undefined) continue;
    const found = isRecursive ? referencesIn(query, names) : [];
    const own = found.filter((reference) => reference.name === name);
    reads.set(name, new Set(found.flatMap((reference) => (reference.name === name ? [] : [reference.name]))));
    if (own.length > 0) checkForm(session, query, { name, own, location: number(entry.location) });
    checkAddedColumns(session, entry, query, own.length > 0);
  }
  const circle = entries.find((entry) => reaches(reads, text(entry.ctename)));
  if (circle !== undefined) {
    const message = 'mutual recursion between WITH items is not implemented.';
    session.report({ code: 'INVALID_CLAUSE', message, at: undefined, location: number(circle.location) });
  }
}

/** Returns whether the query reads itself through other ones. */
function reaches(reads: ReadonlyMap<string, ReadonlySet<string>>, name: string): boolean {
  const seen = new Set<string>();
  const open = [...(reads.get(name) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    for (const other of reads.get(next) ?? []) open.push(other);
  }
  return false;
}

interface Recursive {
  readonly name: string;
  readonly own: readonly Reference[];
  readonly location: number;
}

/** The clauses that PostgreSQL does not implement after a recursive UNION. */
const clausesAfter = [
  ['sortClause', 'ORDER BY'],
  ['limitOffset', 'OFFSET'],
  ['limitCount', 'LIMIT'],
] as const;

function checkForm(session: Session, query: Node, { name, own, location }: Recursive): void {
  const say = (message: string, at: number): void => {
    session.report({ code: 'INVALID_CLAUSE', message, at: undefined, location: at });
  };
  if (query.op !== 'SETOP_UNION') {
    say(
      `recursive query "${name}" does not have the form non-recursive-term UNION [ALL] recursive-term.`,
      location,
    );
    return;
  }
  const clause = clausesAfter.find(([key]) => key in query);
  const misplaced = own.find(({ place }) => place !== 'here');
  if (misplaced?.place === 'a subquery' && misplaced === own[0] && clause === undefined) {
    say(`recursive reference to query "${name}" must not appear within a subquery.`, misplaced.location);
  } else if (clause !== undefined) {
    say(`${clause[1]} in a recursive query is not implemented. ${t('Leave {0} out.', clause[1])}`, location);
  } else if (misplaced !== undefined) {
    say(
      `recursive reference to query "${name}" must not appear within ${misplaced.place}.`,
      misplaced.location,
    );
  } else if (own[1] !== undefined) {
    say(`recursive reference to query "${name}" must not appear more than once.`, own[1].location);
  }
}

/** Checks SEARCH and CYCLE, which need a recursive query of two SELECTs. */
function checkAddedColumns(session: Session, entry: Node, query: Node, isRecursive: boolean): void {
  const search = child(entry, 'search_clause');
  const cycle = child(entry, 'cycle_clause');
  if (search === undefined && cycle === undefined) return;
  const say = (message: string): void => {
    session.report({
      code: 'INVALID_CLAUSE',
      message,
      at: undefined,
      location: number((search ?? cycle)?.location),
    });
  };
  if (!isRecursive) {
    say('WITH query is not recursive.');
    return;
  }
  if (query.op !== 'SETOP_UNION') return;
  const isSelect = (side: Node | undefined): boolean => side !== undefined && !('larg' in side);
  for (const [side, word] of [
    [child(query, 'larg'), 'left'],
    [child(query, 'rarg'), 'right'],
  ] as const) {
    if (!isSelect(side)) {
      say(`with a SEARCH or CYCLE clause, the ${word} side of the UNION must be a SELECT.`);
      return;
    }
  }
}

/**
 * Checks the columns that SEARCH and CYCLE name and add.
 * @param own the query's columns, without the added ones
 */
export function checkAddedNames(session: Session, entry: Node, own: readonly Column[]): void {
  const search = child(entry, 'search_clause');
  const cycle = child(entry, 'cycle_clause');
  const say = (message: string, clause: Node | undefined): void => {
    session.report({ code: 'INVALID_CLAUSE', message, at: undefined, location: number(clause?.location) });
  };
  const columns = own.map(({ name }) => name);
  // The name of a column may depend on PostgreSQL's version.
  const isWhole = !columns.includes(undefined);
  for (const [clause, what, names] of [
    [search, 'search', strings(search?.search_col_list)],
    [cycle, 'cycle', strings(cycle?.cycle_col_list)],
  ] as const) {
    const missing = isWhole ? names.find((name) => !columns.includes(name)) : undefined;
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (missing !== undefined) say(`${what} column "${missing}" not in WITH query column list.`, clause);
    else if (twice !== undefined) say(`${what} column "${twice}" specified more than once.`, clause);
  }
  const added = [
    text(search?.search_seq_column),
    text(cycle?.cycle_mark_column),
    text(cycle?.cycle_path_column),
  ].filter((name) => name !== '');
  const taken = added.find((name, index) => columns.includes(name) || added.indexOf(name) < index);
  if (taken !== undefined) say(`column name "${taken}" specified more than once.`, search ?? cycle);
}

/** Lists the references to the names in the query, leaving out those that an inner WITH hides. */
function referencesIn(query: Node, names: ReadonlySet<string>): readonly Reference[] {
  const found: Reference[] = [];
  const add: Found = (reference) => found.push(reference);
  const isUnion = query.op === 'SETOP_UNION';
  const hidden = withIn(query, { names, place: isUnion ? 'a subquery' : 'here' }, add);
  for (const key in query) {
    if (key === 'withClause') continue;
    const inner = query[key];
    if (key !== 'larg' && key !== 'rarg') look(inner, { names: hidden, place: 'here' }, add);
    else if (isNode(inner)) {
      const place = isUnion && key === 'larg' ? 'its non-recursive term' : 'here';
      lookInQuery(inner, { names: hidden, place }, add);
    }
  }
  return found;
}

interface Looking {
  readonly names: ReadonlySet<string>;
  readonly place: Place;
}

/** Looks into the WITH of a query, and returns the names that it does not hide. */
function withIn(query: Node, { names, place }: Looking, found: Found): ReadonlySet<string> {
  const clause = child(query, 'withClause');
  if (clause === undefined) return names;
  const entries = list(clause.ctes).map((entry) => child(entry, 'CommonTableExpr') ?? {});
  const own = new Set(entries.map(({ ctename }) => text(ctename)));
  const outside = new Set([...names].filter((name) => !own.has(name)));
  let visible: ReadonlySet<string> = clause.recursive === true ? outside : names;
  for (const entry of entries) {
    look(entry.ctequery, { names: visible, place }, found);
    visible = new Set([...visible].filter((name) => name !== text(entry.ctename)));
  }
  return outside;
}

function lookInQuery(query: Node, { names, place }: Looking, found: Found): void {
  // Not recursive along the left side, since queries may have thousands of branches.
  let at: Node | undefined = query;
  let visible = names;
  let here = place;
  while (at !== undefined) {
    visible = withIn(at, { names: visible, place: here }, found);
    const isAll = at.all === true;
    const word = at.op === 'SETOP_EXCEPT' ? 'EXCEPT' : at.op === 'SETOP_INTERSECT' ? 'INTERSECT' : undefined;
    const isOpen = here === 'here' && word !== undefined;
    const right = isOpen && (word === 'EXCEPT' || isAll) ? word : here;
    const left: Place = isOpen && isAll ? word : here;
    for (const key in at) {
      const inner = at[key];
      if (key === 'rarg' && isNode(inner)) lookInQuery(inner, { names: visible, place: right }, found);
      else if (key !== 'larg' && key !== 'withClause') look(inner, { names: visible, place: here }, found);
    }
    at = child(at, 'larg');
    here = left;
  }
}

function look(value: unknown, looking: Looking, found: Found): void {
  if (Array.isArray(value)) {
    for (const entry of value) look(entry, looking, found);
    return;
  }
  if (!isNode(value)) return;
  const { names, place } = looking;
  for (const key in value) {
    const inner = value[key];
    if (!isNode(inner)) look(inner, looking, found);
    else if (key === 'SelectStmt') lookInQuery(inner, looking, found);
    else if (key === 'SubLink') {
      look(inner.testexpr, looking, found);
      look(inner.subselect, { names, place: 'a subquery' }, found);
    } else if (key === 'JoinExpr') {
      const kind = text(inner.jointype);
      const outer: Looking = { names, place: place === 'here' ? 'an outer join' : place };
      look(inner.larg, kind === 'JOIN_RIGHT' || kind === 'JOIN_FULL' ? outer : looking, found);
      look(inner.rarg, kind === 'JOIN_LEFT' || kind === 'JOIN_FULL' ? outer : looking, found);
      look(inner.quals, looking, found);
    } else if (key === 'RangeVar') {
      const name = text(inner.relname);
      if (!('schemaname' in inner) && names.has(name))
        found({ name, place, location: number(inner.location) });
    } else look(inner, looking, found);
  }
}
