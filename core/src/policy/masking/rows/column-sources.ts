/** Finds the column of a table that an expression has its values from. */
import { child, constantOf, list, named, type Node, strings } from '#server/language/tree/parse-tree.ts';
import { callName, pathOperators } from '../fixed-sizes.ts';
import { lookupIn, type Scope } from './parts.ts';

/** A column of a table. */
interface Column {
  /** As `schema.table.column`, with what leads to a part of it. */
  readonly source: string;
  /** The relation that the expression names. */
  readonly relation: string | undefined;
}

/** Returns the column of a table that has the values of an expression; undefined if the query makes them. */
export function columnOf(expression: unknown, scope: Scope): Column | undefined {
  const { kind, body = {} } = named(expression) ?? {};
  switch (kind) {
    case 'ColumnRef': {
      const fields = strings(body.fields);
      const source = sourceOf(fields, scope);
      return source === '' ? undefined : { source, relation: fields.at(-2) ?? functionOf(fields, scope) };
    }
    case 'CollateClause':
      return columnOf(body.arg, scope);
    case 'TypeCast':
      return isCutBy(child(body, 'typeName')) ? undefined : columnOf(body.arg, scope);
    case 'A_Indirection':
      return elementOf(columnOf(body.arg, scope), list(body.indirection));
    case 'A_Expr': {
      const path = pathOperators.test(strings(body.name).at(-1) ?? '') ? stepOf(body.rexpr) : undefined;
      return path === undefined ? undefined : partOf(columnOf(body.lexpr, scope), path);
    }
    case 'CoalesceExpr': {
      const columns = list(body.args).map((each) => columnOf(each, scope));
      const [first] = columns;
      const isOne = columns.every((each) => each !== undefined && each.relation === first?.relation);
      return isOne ? partOf(first, anyPart) : undefined;
    }
    case 'FuncCall': {
      const given = list(body.args);
      const keeps = /^(?:min|max|lower|upper|btrim)$/.test(callName(expression));
      return keeps && given.length === 1 ? columnOf(given[0], scope) : undefined;
    }
    default:
      return undefined;
  }
}

const partOf = (column: Column | undefined, path: string): Column | undefined =>
  column && { ...column, source: path === '' ? column.source : `${column.source}.${path}` };

/** Stands for what the values of a query choose, so that two of them may be the same. */
export const anyPart = '?';

/** A part of an array or of JSON. A slice has elements of the whole array. */
function elementOf(column: Column | undefined, subscripts: readonly unknown[]): Column | undefined {
  if (subscripts.some((each) => child(each, 'A_Indices')?.is_slice === true)) return column;
  return subscripts.reduce<Column | undefined>((found, each) => {
    const indices = child(each, 'A_Indices');
    const [field = ''] = strings([each]);
    return partOf(found, indices === undefined ? field : (stepOf(indices.uidx) ?? anyPart));
  }, column);
}

/** Returns what leads to a part, however it is written; undefined unless it is a constant or a parameter. */
function stepOf(expression: unknown): string | undefined {
  const constant = constantOf(child(expression, 'TypeCast')?.arg ?? expression);
  if (constant?.kind === 'placeholder') return anyPart;
  if (constant === undefined || !('value' in constant)) return undefined;
  // As in `{a,"b",0}`. Elements are counted from either end.
  const steps = String(constant.value)
    .replaceAll(/[{}"\\\s]/g, '')
    .split(',');
  return steps
    .filter((step) => step !== '')
    .map((step) => (/^[+-]?\d+$/.test(step) ? '#' : step))
    .join('.');
}

/** The function of a FROM that a name stands for. A column of that name beside it would be ambiguous. */
const functionOf = ([name, ...others]: readonly string[], { parts }: Scope): string | undefined =>
  others.length > 0
    ? undefined
    : parts.find((part) => part.name === name && part.lookup(part.name) !== undefined)?.name;

/** Whether a cast leaves few values: `::varchar(1)`, `::boolean`. */
function isCutBy(type: Node | undefined): boolean {
  const name = strings(type?.names).at(-1) ?? '';
  const lengths = list(type?.typmods);
  const [length] = lengths.map(constantOf);
  const isLong = length?.kind === 'number' && Number(length.value) >= idLength;
  if (isLong && /^(?:varchar|bpchar)$/.test(name)) return false;
  return lengths.length > 0 || /^(?:bool|char|bpchar|bit)$/.test(name);
}

/** The length of a UUID. */
const idLength = 36;

/** Returns '' if the query makes its values. */
export function sourceOf(fields: readonly string[], scope: Scope): string {
  const name = fields.at(-1) ?? '';
  const relation = fields.at(-2);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const parts = relation === undefined ? at.parts : at.parts.filter((part) => part.name === relation);
    const found = lookupIn(parts)(name);
    if (found !== undefined || (relation !== undefined && parts.length > 0)) return found ?? '';
  }
  return '';
}
