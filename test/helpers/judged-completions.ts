/** Takes tokens out of the corpora's queries, completes there, and asks PostgreSQL's grammar about each suggestion. */
import { complete } from '#server/language/editing/completion.ts';
import { FunctionKinds } from '#server/language/editing/function-kinds.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { replacePlaceholders, splitStatements } from '#server/language/text/statements.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { corpora, readCorpus } from './corpora.ts';

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
      if (isSuggested && !words.has(taken)) report.lost.push(`${where} ${taken}`);
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
