/**
 * The columns that agents must not see, selected by name patterns. A pattern is `column` or `table.column`, with `*` as
 * a wildcard; a leading `!` makes it an exception. The last matching pattern wins.
 */
import type { MaskedOrigin } from './origin.ts';

/** Emails, phone numbers, addresses, names of people and accounts, and identifiers of people in other systems. */
export const defaultSensitiveColumns: readonly string[] = [
  '*email*',
  '*e_mail*',
  'mail',
  '*_mail',
  '*phone*',
  '*mobile*',
  '*fax*',
  '*display_name',
  'full_name',
  'first_name',
  'last_name',
  'middle_name',
  'maiden_name',
  'given_name',
  'family_name',
  'surname',
  'nick_name',
  'nickname',
  'preferred_name',
  '*person_name*',
  '*employee_name*',
  '*manager_name*',
  '*owner_name*',
  '*user_name*',
  '*username*',
  '*login_name*',
  '*account_name*',
  '*account_alias*',
  '*object_name*',
  'accounts.name',
  'accounts.alias',
  'account.name',
  'people.name',
  'person*.name',
  'employees.name',
  'employee.name',
  'users.name',
  'users.alias',
  'analytics_owners',
  '*employee_number*',
  '*ip_address*',
  '*street*',
  '*postal*',
  '*zip_code*',
  '*home_address*',
  '*mailing_address*',
  'address*',
  '*birth*',
  '*ssn*',
  '*social_security*',
  '*national_id*',
  '*passport*',
  '*iban*',
  // Group names are not names of people.
  '!account_roles.display_name',
  '!account_role_display_name',
  '!roles.*name',
];

export interface ColumnInTable {
  readonly table: string;
  readonly column: string;
  /** The type as reported by the models. */
  readonly type: string;
}

/** Returns undefined if the column is public. */
export type SensitivityOf = (column: ColumnInTable) => MaskedOrigin | undefined;

/** Types that can hold any value, regardless of the column name. */
const containers = /^(?:json|jsonb|xml|hstore|record|bytea|USER-DEFINED|unknown)(?:\[\])?$/i;

/** @param patterns in the syntax of the defaults; an invalid pattern matches nothing. */
export function sensitivityBy(patterns: readonly string[]): SensitivityOf {
  const rules = patterns.map(readPattern);
  return ({ table, column, type }) => {
    const rule = rules.findLast(({ matches }) => matches(table, column));
    const isContainer = containers.test(type);
    if (rule === undefined ? !isContainer : rule.isOpen) return undefined;
    return {
      kind: isContainer ? 'json' : kindOf(column),
      column: `${table}.${column}`,
      isExact: true,
    };
  };
}

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
