/**
 * Completes the read-only proof with the models: `NULL::accounts` is a cast to the row type of a table. It runs nothing
 * unknown if the columns have PostgreSQL's own types. A cast of another value may run a function that was made for it.
 */
import { findModel, findTable } from '#server/language/names/catalogue.ts';
import type { KnownNames } from '#server/language/names/name-context.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { familyOf } from '../inspections/types.ts';
import { isKnownType } from './side-effects.ts';
import { withoutCalls } from './without-calls.ts';

/** @param text the statement as it was parsed */
export function withRowTypes(
  statement: AnalysedStatement,
  text: string,
  names: KnownNames | undefined,
): AnalysedStatement {
  const { verdict, calls = [] } = statement;
  if (names === undefined || verdict !== 'unknown-function') return statement;
  const rows = calls.filter(({ isOfNull, name }) => isOfNull === true && isRow(name, names));
  return withoutCalls(statement, text, rows);
}

function isRow(written: string, { catalogue, model }: KnownNames): boolean {
  const dot = written.lastIndexOf('.');
  const owner = findModel(catalogue, dot < 0 ? model : written.slice(0, dot));
  const columns = owner && findTable(owner, written.slice(dot + 1))?.columns;
  return columns !== undefined && columns.length > 0 && columns.every(({ type }) => isOwnType(type));
}

/** Returns whether the type is one of PostgreSQL's own. */
function isOwnType(type: string): boolean {
  const word = /^[a-z0-9_]+/i.exec(type.trim())?.[0].toLowerCase() ?? '';
  return familyOf(word) !== 'other' || isKnownType(word);
}
