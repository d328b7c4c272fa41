/**
 * Compares what language servers offer and what formatters change, on queries of public test suites and without a
 * schema for any of them. A token is taken out: is it among the first 1, 5 and 20 suggestions, and how many suggestions
 * does PostgreSQL's grammar refuse there? A query is formatted, also with a comment between two tokens: is it refused,
 * are its tokens the same, and does a second run change nothing? Prints JSON lines.
 *
 *   node test/bench/edits.bench.ts [--quick]      --quick: a tenth of the samples
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { CompletionItem, CompletionList } from 'vscode-languageserver-protocol';
import { hasSameTokens } from '#server/language/editing/format-guard.ts';
import { formatText } from '#server/language/editing/format-text.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { LineIndex } from '#server/language/text/lines.ts';
import { createParserInstance } from '#server/parser/instance.ts';
import { corpora, readCorpus } from '../helpers/corpora.ts';
import { bundledServer, startLanguageClient, type LanguageClient } from '../unit/server/language-client.ts';
import { installPeer, installPeers, type Command } from './language-peers.ts';
import { print } from './statistics.ts';

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
