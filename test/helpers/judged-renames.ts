/** Renames every name of random queries and asks PostgreSQL whether the result is the same. */
import type { PGlite } from '@electric-sql/pglite';
import { applyChanges, rename, symbolAt } from '#server/language/editing/rename.ts';
import { nameAt } from '#server/language/text/identifiers.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { judge, queryCatalogue, writeQuery } from './edited-queries.ts';

export interface RenameReport {
  queries: number;
  renames: number;
  refused: number;
  readonly faults: { readonly before: string; readonly after: string; readonly why: string }[];
}

const context = { catalogue: queryCatalogue, model: 'public' };

export async function judgeRenames(
  database: PGlite,
  random: (below: number) => number,
  wanted: number,
): Promise<RenameReport> {
  const report: RenameReport = { queries: 0, renames: 0, refused: 0, faults: [] };
  while (report.renames < wanted) {
    const sql = writeQuery(random);
    const before = await judge(database, sql);
    if ('refusal' in before) continue;
    report.queries++;
    const { code } = lex(sql);
    const names = new Set<string>();
    for (let token = 0; token < code.length; token++) {
      if (nameAt(code, token) !== undefined) names.add(code.textOf(token));
    }
    const given = ['fresh', '"Odd ""n"', 'year', 'values', 'a', 'id', ...names];
    const seen = new Set<number>();
    for (let token = 0; token < code.length; token++) {
      const symbol = symbolAt(lex(sql), code.start(token), context);
      if (symbol === undefined || symbol.kind === 'table' || symbol.place.start !== code.start(token))
        continue;
      if (seen.has(symbol.definition?.start ?? -1) && random(3) > 0) continue;
      seen.add(symbol.definition?.start ?? -1);
      for (const newName of ['fresh', given[random(given.length)] ?? 'fresh']) {
        const result = rename(lex(sql), code.start(token), newName, context);
        if (result.kind === 'refused') {
          report.refused++;
          continue;
        }
        if (result.changes.length === 0) continue;
        report.renames++;
        const text = applyChanges(sql, result.changes);
        const after = await judge(database, text);
        const why =
          'refusal' in after
            ? after.refusal
            : after.rows !== before.rows
              ? 'other rows'
              : after.types.join() !== before.types.join()
                ? 'other types'
                : after.names.some(
                      (name, at) => name !== before.names[at] && before.names[at] !== symbol.name,
                    )
                  ? 'other names'
                  : undefined;
        if (why !== undefined)
          report.faults.push({ before: sql, after: text, why: `${symbol.name} to ${newName}: ${why}` });
      }
    }
  }
  return report;
}
