/**
 * Completes the read-only proof with the models: `NULL::accounts` is a cast to the row type of a table. It runs nothing
 * unknown if the columns have PostgreSQL's own types. A cast of another value may run a function that was made for it.
 */
import { findModel, findTable } from '#server/language/names/catalogue.ts';
import type { KnownNames } from '#server/language/names/name-context.ts';
import type { AnalysedStatement } from '../analysis.ts';
import { familyOf } from '../inspections/types.ts';
import { isKnownType } from './side-effects.ts';

/** @param text the statement as it was parsed */
export function withRowTypes(
  statement: AnalysedStatement,
  text: string,
  names: KnownNames | undefined,
): AnalysedStatement {
  const { verdict, calls = [], findings, start } = statement;
  if (names === undefined || verdict !== 'unknown-function') return statement;
  const rows = new Set(calls.filter(({ isOfNull, name }) => isOfNull === true && isRow(name, names)));
  if (rows.size === 0) return statement;
  const left = calls.filter((call) => !rows.has(call));
  const written = new Set([...rows].map(({ name }) => name.slice(name.lastIndexOf('.') + 1)));
  const isOfRow = (finding: { readonly start: number; readonly end: number }): boolean => {
    const own = text.slice(finding.start - start, finding.end - start);
    return written.has(own.startsWith('"') ? own.slice(1, -1).replaceAll('""', '"') : own.toLowerCase());
  };
  return {
    ...statement,
    verdict: left.length === 0 ? 'read-only' : verdict,
    calls: left,
    findings: findings.filter((found) => found.code !== 'UNKNOWN_FUNCTION' || !isOfRow(found)),
  };
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
