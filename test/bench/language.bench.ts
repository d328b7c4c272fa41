/**
 * The language server over standard streams: from an edit to the diagnostics for it, beside a server that does
 * nothing (the floor below which this machine cannot go). Prints JSON lines.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { startLanguageClient, type LanguageClient } from '../unit/server/language-client.ts';
import { shapes } from './sql-shapes.ts';
import { percentile, print } from './statistics.ts';

const uri = 'file:///bench.identity.sql';
const editCount = 200;
const startCount = 5;

/** Answers each change at once with no diagnostics. */
const idleServer = `
  import { createConnection, ProposedFeatures, TextDocuments } from 'vscode-languageserver/node';
  import { TextDocument } from 'vscode-languageserver-textdocument';
  const connection = createConnection(ProposedFeatures.all);
  const documents = new TextDocuments(TextDocument);
  connection.onInitialize(() => ({ capabilities: { textDocumentSync: 2 } }));
  documents.onDidChangeContent(({ document: { uri, version } }) => {
    connection.sendDiagnostics({ uri, version, diagnostics: [] });
  });
  documents.listen(connection);
  connection.listen();
`;

type Command = readonly [string, ...string[]];

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
  try {
    const idle = path.join(folder, 'idle.cjs');
    await esbuild.build({
      stdin: { contents: idleServer, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      outfile: idle,
      logLevel: 'error',
    });
    const ours = path.join(import.meta.dirname, '../../dist/server.cjs');
    const servers: Readonly<Record<string, Command>> = {
      floor: [process.execPath, idle, '--stdio'],
      ours: [process.execPath, ours, '--stdio'],
    };
    await measureStarts(servers);
    await measureEdits(servers);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureStarts(servers: Readonly<Record<string, Command>>): Promise<void> {
  const medians = new Map<string, number>();
  for (const [server, command] of Object.entries(servers)) {
    const times: number[] = [];
    for (let n = 0; n < startCount; n++) {
      const started = performance.now();
      const client = await startLanguageClient(command);
      await client.open(uri, shapes.cteChain(1_024));
      await client.diagnostics(uri, 1);
      times.push(performance.now() - started);
      await client.stop();
    }
    medians.set(server, percentile(times, 0.5));
    print({ bench: 'start to first diagnostics', server, medianMs: percentile(times, 0.5) });
  }
  print({
    bench: 'start to first diagnostics',
    ratioToFloor: ratio(medians.get('ours'), medians.get('floor')),
  });
}

async function measureEdits(servers: Readonly<Record<string, Command>>): Promise<void> {
  for (const [shape, make] of Object.entries(shapes)) {
    for (const sizeKb of [1, 10, 100]) {
      const medians = new Map<string, number>();
      for (const [server, command] of Object.entries(servers)) {
        const client = await startLanguageClient(command);
        const times = await timeEdits(client, make(sizeKb * 980));
        const p50Ms = percentile(times, 0.5);
        const p95Ms = percentile(times, 0.95);
        const memoryMb = await residentMb(client.pid);
        await client.stop();
        medians.set(server, p50Ms);
        print({ bench: 'keystroke to diagnostics', shape, sizeKb, server, p50Ms, p95Ms, memoryMb });
      }
      const ratioToFloor = ratio(medians.get('ours'), medians.get('floor'));
      print({ bench: 'keystroke to diagnostics', shape, sizeKb, ratioToFloor });
    }
  }
}

/** Changes the last `1` of the text to another number each time: the query stays valid and was never seen before. */
async function timeEdits(client: LanguageClient, text: string): Promise<readonly number[]> {
  await client.open(uri, text);
  const first = await client.diagnostics(uri, 1);
  if (first.diagnostics.length > 0) {
    throw new Error('The benchmark query must be free of findings.');
  }
  const before = text.slice(0, text.lastIndexOf('1')).split('\n');
  const line = before.length - 1;
  const character = before.at(-1)?.length ?? 0;
  const times: number[] = [];
  for (let n = 0; n < editCount; n++) {
    const version = n + 2;
    const end = { line, character: character + (n === 0 ? 1 : 4) };
    const started = performance.now();
    await client.change(uri, version, String(2_000 + n), { start: { line, character }, end });
    await client.diagnostics(uri, version);
    times.push(performance.now() - started);
  }
  return times;
}

/** Where the system tells (Linux); undefined elsewhere. */
async function residentMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
}

function ratio(ours: number | undefined, floor: number | undefined): number {
  return Math.round(((ours ?? 0) / (floor ?? 1)) * 100) / 100;
}

await main();
