/**
 * The columns that agents must not see: those whose class is not open, and all that have no class. The service
 * gives the class if it lists its tables, otherwise the contract does. Name
 * patterns of the person decide before the class. A pattern is `column` or `table.column`, with `*` as a wildcard; a
 * leading `!` makes it an exception. The last matching pattern wins.
 */
import { classOf, isOpenClass, type ColumnClass } from '#api/contract/records/classes.ts';
import type { MaskedOrigin } from './origin.ts';

export interface ColumnInTable {
  readonly model: string;
  readonly table: string;
  readonly column: string;
  /** The type as reported by the models. */
  readonly type: string;
  /** The class that the service gives it; undefined if the service does not class columns. */
  readonly class: string | undefined;
}

/** Returns undefined if the column is public. */
export type SensitivityOf = (column: ColumnInTable) => MaskedOrigin | undefined;

/** Types that can hold any value. */
const containers = /^(?:json|jsonb|xml|hstore|record|bytea|USER-DEFINED|unknown)(?:\[\])?$/i;

/** @param patterns the person's own, in the order of their weight; an invalid pattern matches nothing. */
export function sensitivityBy(patterns: readonly string[]): SensitivityOf {
  const rules = patterns.map(readPattern);
  return (found) => {
    const { table, column, type } = found;
    const rule = rules.findLast(({ matches }) => matches(table, column));
    if (rule === undefined ? isOpen(found) : rule.isOpen) return undefined;
    return {
      kind: containers.test(type) ? 'json' : kindOf(column),
      column: `${table}.${column}`,
      isExact: true,
    };
  };
}

/** A service that classes its columns decides, but opens none that the contract closes. */
function isOpen({ model, table, column, class: given }: ColumnInTable): boolean {
  const inContract = classOf(model, table, column);
  if (given === undefined) return isOpenClass(inContract);
  const isClosed = inContract !== undefined && !isOpenClass(inContract);
  return !isClosed && openClasses.has(given);
}

const openClasses: ReadonlySet<string> = new Set<ColumnClass>(['identifier', 'harmless']);

interface Rule {
  readonly isOpen: boolean;
  readonly matches: (table: string, column: string) => boolean;
}

function readPattern(pattern: string): Rule {
  const written = pattern.trim().toLowerCase();
  const isOpen = written.startsWith('!');
  const text = isOpen ? written.slice(1).trim() : written;
  const dot = text.lastIndexOf('.');
  const table = dot < 0 ? '*' : text.slice(0, dot);
  const column = text.slice(dot + 1);
  return {
    isOpen,
    matches: (ownTable, ownColumn) =>
      fits(table, ownTable.toLowerCase()) && fits(column, ownColumn.toLowerCase()),
  };
}

/** Matches a name against a pattern with asterisks, piece by piece. User input is never compiled into a regex. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === first;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/e_?mail/, 'email'],
  [/phone|mobile|fax/, 'phone'],
  [/ip_address/, 'ip'],
  [/address|street|postal|zip/, 'address'],
  [/name|alias|owner/, 'name'],
];

function kindOf(column: string): string {
  return kinds.find(([words]) => words.test(column.toLowerCase()))?.[1] ?? 'value';
}
