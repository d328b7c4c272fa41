/**
 * Compares what language servers offer and what formatters change, on queries of public test suites and without a
 * schema for any of them. A token is taken out: is it among the first 1, 5 and 20 suggestions, and how many suggestions
 * does PostgreSQL's grammar refuse there? Ours is asked with the tables of TPC-H, too. A query is formatted, also with a comment between two tokens: is it refused,
 * are its tokens the same, and does a second run change nothing? Then the time of quick fixes and renames at 100 KB. Prints JSON lines.
 *
 *   node test/bench/edits.bench.ts [--quick]      --quick: a tenth of the samples
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { CompletionItem, CompletionList } from 'vscode-languageserver-protocol';
import { complete } from '#server/language/editing/completion.ts';
import { hasSameTokens } from '#server/language/editing/format-guard.ts';
import { formatText } from '#server/language/editing/format-text.ts';
import { FunctionKinds } from '#server/language/editing/function-kinds.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { ServerParser } from '#server/parser/server-parser.ts';
import { loadTypeCatalogue } from '#server/parser/type-catalogue.ts';
import { corpora, readCorpus } from '../helpers/corpora.ts';
import { tpch } from '../helpers/tpch.ts';
import { bundledServer, startLanguageClient, type LanguageClient } from '../unit/server/language-client.ts';
import { installPeer, installPeers, type Command } from './language-peers.ts';
import { shapes } from './sql-shapes.ts';
import { percentile, print } from './statistics.ts';

const isQuick = process.argv.includes('--quick');
const holeEvery = isQuick ? 4_001 : 401;
const queryEvery = isQuick ? 101 : 11;
const lengthMax = 3_000;
const patienceMs = 3_000;
/** After so many requests without an answer in time, a server is left out. */
const unansweredMax = 5;

const queries = corpora.flatMap((file) =>
  readCorpus(file).flatMap(({ sql }) => (sql.length <= lengthMax ? [sql] : [])),
);

interface Hole {
  readonly text: string;
  readonly offset: number;
  readonly taken: string;
}

function readHoles(): readonly Hole[] {
  const holes: Hole[] = [];
  let count = 0;
  for (const sql of queries) {
    const { code } = lex(sql);
    for (let token = 1; token < code.length; token++) {
      if (code.word(token) === '' || count++ % holeEvery !== 0) continue;
      const offset = code.start(token);
      holes.push({
        text: `${sql.slice(0, offset)}${sql.slice(code.end(token))}`,
        offset,
        taken: code.word(token),
      });
    }
  }
  return holes;
}

const insertedBy = ({ label, insertText, textEdit, insertTextFormat }: CompletionItem): string => {
  const text = textEdit?.newText ?? insertText ?? label;
  return insertTextFormat === 2 ? text.replaceAll(/\$\{\d+:?([^}]*)\}|\$\d+/g, '$1') : text;
};

/** @returns undefined if the server does not answer in time */
async function suggestionsAt(
  client: LanguageClient,
  uri: string,
  { text, offset }: Hole,
): Promise<readonly CompletionItem[] | undefined> {
  await client.open(uri, text);
  const asked = client.connection.sendRequest<CompletionItem[] | CompletionList | null>(
    'textDocument/completion',
    { textDocument: { uri }, position: new LineIndex(text).positionAt(offset) },
  );
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), patienceMs);
  });
  const answer = await Promise.race([asked.catch(() => null), late]);
  if (answer === 'late') return undefined;
  const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
  return items.toSorted((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
}

async function measureServer(server: string, command: Command, holes: readonly Hole[]): Promise<void> {
  const parser = await createParserInstance();
  const isRead = (sql: string): boolean => (parser.errorAt(sql) ?? sql.length) >= sql.length;
  const client = await startLanguageClient(command, 'sql');
  const found = { 1: 0, 5: 0, 20: 0 };
  let [asked, items, refused, unanswered] = [0, 0, 0, 0];
  for (const [index, hole] of holes.entries()) {
    const beginning = hole.text.slice(0, hole.offset);
    if (!isRead(beginning.trimEnd())) continue;
    const offered = await suggestionsAt(client, `file:///hole-${index}.sql`, hole);
    if (offered === undefined) {
      if (++unanswered > unansweredMax) break;
      continue;
    }
    asked++;
    const texts = offered.map((item) => insertedBy(item));
    const rank = texts.findIndex((text) => text.toLowerCase().replaceAll('"', '') === hole.taken) + 1;
    for (const top of [1, 5, 20] as const) if (rank > 0 && rank <= top) found[top]++;
    for (const text of texts) {
      items++;
      // PostgreSQL reads NOT, NULLS and WITH together with the next word.
      const isWithNext = /^(?:not|nulls|with)$/i.test(text);
      if (!isWithNext && !isRead(`${beginning} ${text}`)) refused++;
    }
  }
  const share = (count: number, of: number): number =>
    of === 0 ? 0 : Math.round((1_000 * count) / of) / 1_000;
  print({
    bench: 'completion in place of a token',
    server,
    asked,
    unanswered,
    ...Object.fromEntries(Object.entries(found).map(([top, count]) => [`first ${top}`, share(count, asked)])),
    'items each': Math.round(items / Math.max(1, asked)),
    'refused by the grammar': share(refused, items),
  });
  await Promise.race([client.stop(), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}

/**
 * With the tables of TPC-H, of which PostgreSQL judges each name that is offered: ours alone, since the other servers
 * read tables from a database.
 */
async function measureWithTables(): Promise<void> {
  const database = new PGlite();
  for (const { name, columns = [] } of tpch.models.flatMap(({ tables = [] }) => tables))
    await database.exec(
      `CREATE TABLE ${name} (${columns.map((one) => `${one.name} ${one.type}`).join(', ')})`,
    );
  const parser = new ServerParser();
  await parser.parse(['SELECT 1']);
  const functions = new FunctionKinds(loadTypeCatalogue);
  const context = { catalogue: tpch, model: 'platform_identity', functions, probe: parser.probe };
  const found = { 1: 0, 5: 0, 20: 0 };
  const counts = { places: 0, items: 0, ambiguous: 0 };
  let token = 0;
  for (const { sql } of readCorpus('tpch_duckdb.jsonl')) {
    const { code } = lex(sql);
    for (let index = 1; index < code.length; index++) {
      if (code.word(index) === '' || token++ % (isQuick ? 20 : 2) !== 0) continue;
      const [start, end] = [code.start(index), code.end(index)];
      const text = `${sql.slice(0, start)}${sql.slice(end)}`;
      const offered = complete(lex(text), start, context);
      const items = offered.suggestions.toSorted(
        (a, b) => a.rank - b.rank || (a.order ?? 1_000) - (b.order ?? 1_000),
      );
      counts.places++;
      const rank = items.findIndex(({ insertText }) => insertText.toLowerCase() === code.word(index)) + 1;
      for (const top of [1, 5, 20] as const) if (rank > 0 && rank <= top) found[top]++;
      for (const { kind, insertText } of items) {
        if (kind === 'function' || kind === 'keyword' || kind === 'type') continue;
        counts.items++;
        const whole = `${text.slice(0, offered.start)}${insertText}${text.slice(offered.end)}`;
        const error = await database.query(`EXPLAIN ${whole}`).then(
          () => '',
          (problem: unknown) => String(problem),
        );
        if (error.includes('ambiguous')) counts.ambiguous++;
      }
    }
  }
  const shares = Object.entries(found).map(
    ([top, count]) => [`first ${top}`, Math.round((1_000 * count) / counts.places) / 1_000] as const,
  );
  print({ bench: 'completion with tables', ...counts, ...Object.fromEntries(shares) });
  await parser.dispose();
  await database.close();
}

/** What makes the shapes of large queries have mistakes in their last line. */
const mistakes: Readonly<Record<keyof typeof shapes, string>> = {
  cteChain: ' AND id = NULL AND nvl(id, 1) = 2 AND id BETWEEN 9 AND 1',
  unionAll: ' FROM accounts WHERE id = NULL AND nvl(id, 1) = 2 AND id BETWEEN 9 AND 1',
  inList: ' AND id = NULL AND nvl(id, 1) = 2 AND id BETWEEN 9 AND 1',
  manyColumns: ' WHERE a.id = NULL AND nvl(a.id, 1) = 2 AND a.id BETWEEN 9 AND 1',
  nested50: ' AND id = NULL AND nvl(id, 1) = 2 AND id BETWEEN 9 AND 1',
  twentyStatements: ' AND id = NULL AND nvl(id, 1) = 2 AND id BETWEEN 9 AND 1',
};

/**
 * How long a person waits for quick fixes, each proven, of a line with three mistakes, and for a rename, in 100 KB. The
 * text is changed before each request, so that nothing is known from the last one.
 */
async function measureChanges(): Promise<void> {
  const rounds = isQuick ? 5 : 40;
  const client = await startLanguageClient([process.execPath, bundledServer, '--stdio'], 'sql');
  for (const [shape, make] of Object.entries(shapes) as [keyof typeof shapes, (size: number) => string][]) {
    const uri = `file:///changes-${shape}.sql`;
    const whole = `${make(97_000)}${mistakes[shape]}`;
    await client.open(uri, whole);
    await client.diagnostics(uri, 1);
    const lines = new LineIndex(whole);
    const { code } = lex(whole);
    const names = Array.from({ length: code.length }, (_, index) => index).filter((index) =>
      /^(?:id|name|[acp]\d*|t)$/.test(code.word(index)),
    );
    const [fixMs, renameMs]: [number[], number[]] = [[], []];
    let [fixes, renames] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const version = round + 2;
      const end = lines.positionAt(whole.length);
      const text = '9'.repeat(1 + (round % 2));
      await client.change(uri, version, ` AND ${text} > 0`, {
        start: end,
        end:
          round === 0
            ? end
            : {
                line: end.line,
                character: end.character + ` AND ${'9'.repeat(1 + ((round - 1) % 2))} > 0`.length,
              },
      });
      await client.diagnostics(uri, version);
      const started = performance.now();
      const actions = await client.connection.sendRequest<readonly unknown[] | null>(
        'textDocument/codeAction',
        {
          textDocument: { uri },
          range: { start: { line: end.line, character: 0 }, end },
          context: { diagnostics: [] },
        },
      );
      fixMs.push(performance.now() - started);
      fixes += actions?.length ?? 0;
      const name = names[Math.floor((round * names.length) / rounds)] ?? 0;
      const asked = performance.now();
      const edit = await client.connection
        .sendRequest('textDocument/rename', {
          textDocument: { uri },
          position: lines.positionAt(code.start(name)),
          newName: 'renamed',
        })
        .catch(() => undefined);
      renameMs.push(performance.now() - asked);
      if (edit !== undefined && edit !== null) renames++;
    }
    print({
      bench: 'changes proven at 100 KB',
      shape,
      rounds,
      actions: Math.round(fixes / rounds),
      actionsP50Ms: percentile(fixMs, 0.5),
      actionsP95Ms: percentile(fixMs, 0.95),
      renames,
      renameP50Ms: percentile(renameMs, 0.5),
      renameP95Ms: percentile(renameMs, 0.95),
    });
  }
  await client.stop();
}

/** Returns undefined if the formatter refuses the text. */
type Format = (text: string) => string | undefined;

async function readFormatters(): Promise<ReadonlyMap<string, Format | undefined>> {
  const style = { indent: '  ', lineEnd: '\n', width: 50, keywordCase: 'preserve' } as const;
  const formatters = new Map<string, Format | undefined>();
  formatters.set('ours', (text) => {
    const { text: formatted, refused } = formatText(lex(text), style, lex);
    return refused === undefined ? formatted : undefined;
  });
  const ofNode = await installPeer('sql-formatter', '15.9.0');
  const { format } =
    ofNode === undefined
      ? {}
      : // The package's documented function.
        (createRequire(path.join(ofNode, 'package.json'))('sql-formatter') as {
          readonly format?: (text: string, options: object) => string;
        });
  formatters.set(
    'sql-formatter 15.9.0',
    format && ((text) => attempt(() => format(text, { language: 'postgresql' }))),
  );
  const ofPerl = await installPeer('psqlformat', '1.21.0');
  const program = ofPerl && path.join(ofPerl, 'node_modules/psqlformat/vendor/pgFormatter/pg_format');
  const runs = program !== undefined && spawnSync('perl', [program, '--version']).status === 0;
  formatters.set(
    'pgFormatter in psqlformat 1.21.0',
    runs
      ? (text) => {
          const { status, stdout } = spawnSync('perl', [program, '-'], { input: text, encoding: 'utf8' });
          return status === 0 && stdout !== '' ? stdout : undefined;
        }
      : undefined,
  );
  return formatters;
}

function attempt(run: () => string): string | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function measureFormatter(formatter: string, format: Format): void {
  const counts = { texts: 0, refused: 0, 'other tokens': 0, 'twice differs': 0 };
  const judge = (text: string): void => {
    counts.texts++;
    const once = format(text);
    if (once === undefined) counts.refused++;
    else if (!hasSameTokens(lex(text.trim()), lex(once.trim()), true)) counts['other tokens']++;
    else if (format(once)?.trim() !== once.trim()) counts['twice differs']++;
  };
  const comments = ['/* c */', '-- c\n', '\n-- c\n'];
  for (const [index, sql] of queries.entries()) {
    if (index % queryEvery !== 0) continue;
    judge(sql);
    const { code } = lex(sql);
    const at = code.start((index * 7) % Math.max(1, code.length));
    judge(`${sql.slice(0, at)} ${comments[index % comments.length] ?? ''} ${sql.slice(at)}`);
  }
  print({ bench: 'formatting', formatter, ...counts });
}

for (const [formatter, format] of await readFormatters()) {
  if (format === undefined)
    print({ bench: 'formatting', formatter, problem: 'cannot be installed here, left out' });
  else measureFormatter(formatter, format);
}
await measureWithTables();
await measureChanges();
const holes = readHoles();
await measureServer('ours', [process.execPath, bundledServer, '--stdio'], holes);
for (const { name, version, command } of await installPeers()) {
  const server = `${name} ${version}`;
  if (command === undefined) print({ bench: 'peer', server, problem: 'cannot be installed here, left out' });
  else
    await measureServer(server, command, holes).catch(() =>
      print({ bench: 'peer', server, problem: 'failed' }),
    );
}
process.exit();
