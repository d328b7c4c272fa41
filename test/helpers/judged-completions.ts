/** Takes tokens out of the corpora's queries, completes there, and asks PostgreSQL's grammar about each suggestion. */
import type { PGlite } from '@electric-sql/pglite';
import { complete } from '#server/language/editing/completion.ts';
import { FunctionKinds } from '#server/language/editing/function-kinds.ts';
import { bindStatement } from '#server/language/names/over-tokens/bindings.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { replacePlaceholders, splitStatements } from '#server/language/text/statements.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { corpora, readCorpus } from './corpora.ts';
import { judge, queryCatalogue, writeQuery } from './edited-queries.ts';

export interface CompletionReport {
  holes: number;
  suggestions: number;
  /** Suggestions that the grammar refuses. */
  readonly refused: string[];
  /** Key words that stood there and that the grammar's answer took away. */
  readonly lost: string[];
}

/** Longer statements are completed without the grammar's answer. */
const sizeMax = 3_000;

/** @param every tries one in so many tokens, from `first` on */
export async function judgeCompletions({
  every,
  first,
}: {
  readonly every: number;
  readonly first: number;
}): Promise<CompletionReport> {
  const parser = new ServerParser();
  await parser.parse(['SELECT 1']); // loads the grammar
  const judge = await createParserInstance();
  const isRead = (sql: string): boolean => (judge.errorAt(sql) ?? sql.length) >= sql.length;
  const context = {
    catalogue: { models: [] },
    model: 'm',
    functions: new FunctionKinds(loadTypeCatalogue),
  };
  const report: CompletionReport = { holes: 0, suggestions: 0, refused: [], lost: [] };
  let count = first;
  for (const sql of corpora.flatMap((file) => readCorpus(file).map((query) => query.sql))) {
    const { code } = lex(sql);
    for (let token = 0; token < code.length && sql.length <= sizeMax; token++) {
      if (count++ % every !== 0) continue;
      const start = code.start(token);
      const rest = lex(`${sql.slice(0, start)}${sql.slice(code.end(token))}`);
      const offered = complete(rest, start, { ...context, probe: parser.probe });
      const span = splitStatements(rest).findLast((statement) => statement.start <= offered.start);
      const beginning =
        span === undefined
          ? ''
          : replacePlaceholders(rest, { ...span, end: Math.max(span.start, offered.start) });
      if (!isRead(beginning.trimEnd())) continue;
      report.holes++;
      report.suggestions += offered.suggestions.length;
      const where = `${beginning.slice(-60)}|`;
      const words = new Set<string>();
      for (const { kind, insertText } of offered.suggestions) {
        const word = kind === 'keyword' ? insertText.toLowerCase() : 'x';
        if (words.has(word)) continue;
        words.add(word);
        const written = withNext[word] ?? [word];
        if (!written.some((text) => isRead(`${beginning} ${text}`))) report.refused.push(`${where} ${word}`);
      }
      const taken = code.word(token);
      const isSuggested = complete(rest, start, context).suggestions.some(
        ({ kind, insertText }) => kind === 'keyword' && insertText.toLowerCase() === taken,
      );
      // Where any name may stand in its place, it is one.
      const isName = isRead(`${sql.slice(0, start)}x${sql.slice(code.end(token))}`);
      // `FETCH FIRST ROWS`, without a number, reads like the name of one as far as it goes.
      const isCount = taken === 'rows' && /\bfirst$/i.test(beginning.trimEnd());
      if (isSuggested && !words.has(taken) && !isName && !isCount) report.lost.push(`${where} ${taken}`);
    }
  }
  await parser.dispose();
  return report;
}

/** Words that PostgreSQL reads together with the next one. */
const withNext: Readonly<Record<string, readonly string[]>> = {
  not: ['not', 'not in'],
  nulls: ['nulls last'],
  with: ['with', 'with ordinality'],
};

export interface NamesReport {
  places: number;
  names: number;
  /** Queries with a name that PostgreSQL takes for two columns. */
  readonly faults: string[];
}

/** Takes names out of random queries, and asks PostgreSQL whether each column or alias that is offered is clear there. */
export async function judgeNames(
  database: PGlite,
  random: (below: number) => number,
  wanted: number,
): Promise<NamesReport> {
  const parser = new ServerParser();
  await parser.parse(['SELECT 1']); // loads the grammar
  const names = { catalogue: queryCatalogue, model: 'public' };
  const context = { ...names, functions: new FunctionKinds(loadTypeCatalogue), probe: parser.probe };
  const report: NamesReport = { places: 0, names: 0, faults: [] };
  while (report.places < wanted) {
    const sql = writeQuery(random);
    if ('refusal' in (await judge(database, sql))) continue;
    const lexed = lex(sql);
    const { code } = lexed;
    const { mentioned, definitions } = bindStatement(lexed, 0, names) ?? {};
    for (let token = 1; token < code.length && report.places < wanted; token++) {
      const isName = mentioned?.has(token) === true && definitions?.has(token) !== true;
      if (!isName || code.is(token + 1, '.') || random(3) > 0) continue;
      const rest = `${sql.slice(0, code.start(token))}${sql.slice(code.end(token))}`;
      const { start, end, suggestions } = complete(lex(rest), code.start(token), context);
      report.places++;
      for (const { kind, label, insertText } of suggestions) {
        if (kind !== 'column' && kind !== 'alias') continue;
        report.names++;
        const whole = `${rest.slice(0, start)}${insertText}${rest.slice(end)}`;
        const answer = await judge(database, `EXPLAIN ${whole}`);
        const isUnclear =
          'refusal' in answer &&
          [`column reference "${label}" is ambiguous`, `ORDER BY "${label}" is ambiguous`].includes(
            answer.refusal,
          );
        if (isUnclear) report.faults.push(`${rest.slice(0, start)}<${insertText}>${rest.slice(end)}`);
      }
    }
  }
  await parser.dispose();
  return report;
}

/** Completes at `|`, and asks PostgreSQL which columns of the tables in the text it would read there. */
export async function judgeColumns(
  database: PGlite,
  marked: string,
): Promise<{ readonly refused: readonly string[]; readonly missing: readonly string[] }> {
  const offset = marked.indexOf('|');
  const [before, behind] = [marked.slice(0, offset), marked.slice(offset + 1)];
  const { suggestions } = complete(lex(before + behind), offset, {
    catalogue: queryCatalogue,
    model: 'public',
    functions: new FunctionKinds(loadTypeCatalogue),
  });
  const columns = suggestions.filter(({ kind }) => kind === 'column');
  const isRead = async (name: string): Promise<boolean> =>
    !('refusal' in (await judge(database, `EXPLAIN ${before}${name}${behind}`)));
  const refused: string[] = [];
  for (const { insertText } of columns) if (!(await isRead(insertText))) refused.push(insertText);
  const missing: string[] = [];
  const names = new Set(
    queryCatalogue.models.flatMap(({ tables }) =>
      (tables ?? []).flatMap((table) => (table.columns ?? []).map(({ name }) => name)),
    ),
  );
  const isUsing = before.endsWith('(') && /using \($/i.test(before);
  for (const alias of isUsing ? [''] : new Set(marked.match(/\b[f-s]\b/g))) {
    for (const name of names) {
      const isOffered = columns.some(({ label, detail }) => label === name && (isUsing || detail === alias));
      const written = isUsing ? name : `${alias}.${name}`;
      if (!isOffered && (await isRead(written))) missing.push(written);
    }
  }
  return { refused, missing };
}
