/**
 * Compares language servers over stdio in one run: a server that does nothing (this machine's lower bound), the
 * packaged one, and common alternatives. Measures the time from start to first diagnostics for 1, 10 and 100 KB, from
 * keystroke to diagnostics, completion right after a keystroke, a burst of keystrokes, and memory. Prints JSON lines.
 *
 *   node test/bench/language.bench.ts [--quick] [--shape=NAME]      --quick: 40 edits instead of 200
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import type { PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import {
  startLanguageClient,
  type ClientOptions,
  type EditRange,
  type LanguageClient,
} from '../unit/server/language-client.ts';
import { installPeers, type Command } from './language-peers.ts';
import { shapes } from './sql-shapes.ts';
import { percentile, print } from './statistics.ts';

const isQuick = process.argv.includes('--quick');
/** If set, only this shape is measured. */
const onlyShape = process.argv.find((argument) => argument.startsWith('--shape='))?.slice('--shape='.length);
const uri = 'file:///bench.identity.sql';
const editCount = isQuick ? 40 : 200;
const startCount = 7;
/** How long the first of several sessions lasts. */
const firstSessionMs = 5_000;
const completionCount = 20;
const burstCount = 100;
/** Timeout for a server's response. */
const patienceMs = 3_000;
const sizesKb = [1, 10, 100] as const;

/** Limits for the 95th percentile from a change to its diagnostics, by size in KB. */
const p95GoalsMs: Readonly<Record<number, number>> = { 1: 8, 10: 15, 100: 40 };

/** A server that responds to each change immediately, without diagnostics. */
const idleServer = `
  import { createConnection, ProposedFeatures, TextDocuments } from 'vscode-languageserver/node';
  import { TextDocument } from 'vscode-languageserver-textdocument';
  const connection = createConnection(ProposedFeatures.all);
  const documents = new TextDocuments(TextDocument);
  connection.onInitialize(() => ({ capabilities: { textDocumentSync: 2, completionProvider: {} } }));
  connection.onCompletion(() => []);
  documents.onDidChangeContent(({ document: { uri, version } }) => {
    connection.sendDiagnostics({ uri, version, diagnostics: [] });
  });
  documents.listen(connection);
  connection.listen();
`;

interface Server {
  readonly command: Command;
  /** Whether the client requests diagnostics, as Neovim, Helix and Zed do, instead of waiting for them. */
  readonly isPulled: boolean;
}

type Servers = Readonly<Record<string, Server>>;

const pushed = (command: Command): Server => ({ command, isPulled: false });
const pulled = (command: Command): Server => ({ command, isPulled: true });

async function main(): Promise<void> {
  const root = path.join(import.meta.dirname, '../..');
  const folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-bench-'));
  // Our server caches compiled code in this folder: its first start is cold, the others are warm.
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'caches');
  const ends: Command[] = [];
  try {
    spawnSync(process.execPath, ['esbuild.mjs', '--production', '--only', 'server,parser-worker'], {
      cwd: root,
      stdio: 'ignore',
    });
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
    const own: Command = [process.execPath, path.join(root, 'dist/server.cjs'), '--stdio'];
    const servers: Record<string, Server> = {
      floor: pushed([process.execPath, idle, '--stdio']),
      ours: pushed(own),
      'ours, pulled': pulled(own),
    };
    for (const { name, version, command, end } of await installPeers()) {
      if (end !== undefined) ends.push(end);
      if (command === undefined) {
        print({ bench: 'peer', server: name, version, problem: 'cannot be installed here, left out' });
      } else {
        servers[name] = pushed(command);
      }
    }
    for (const sizeKb of sizesKb) await measureStarts(servers, sizeKb);
    for (const [shape, make] of Object.entries(shapes)) {
      if (onlyShape !== undefined && shape !== onlyShape) {
        continue;
      }
      for (const sizeKb of sizesKb) {
        await measureText({ shape, sizeKb, text: make(sizeKb * 980) }, servers);
      }
    }
  } finally {
    for (const [program, ...args] of ends) spawnSync(program, args, { stdio: 'ignore' });
    await rm(folder, { recursive: true });
  }
}

/**
 * Measures the time from a new process's start to the diagnostics of its first document. Alternates between the
 * servers, so that a temporary slowdown affects all of them equally.
 */
async function measureStarts(servers: Servers, sizeKb: number): Promise<void> {
  const times = new Map<string, number[]>();
  for (let n = 0; n < startCount; n++) {
    for (const [server, how] of Object.entries(servers)) {
      const started = performance.now();
      const session = await open(how, shapes.cteChain(sizeKb * 980)).catch(() => undefined);
      if (session !== undefined) {
        times.set(server, [...(times.get(server) ?? []), performance.now() - started]);
        // As in an editor, the first session is long enough to keep compiled code for the next ones.
        if (n === 0) await pause(firstSessionMs);
        await session.stop();
      }
    }
  }
  const floor = percentile(times.get('floor') ?? [], 0.5);
  for (const server of Object.keys(servers)) {
    const own = times.get(server);
    print(
      own === undefined
        ? { bench: 'start to first diagnostics', sizeKb, server, problem: 'no diagnostics' }
        : {
            bench: 'start to first diagnostics',
            sizeKb,
            server,
            firstMs: percentile(own.slice(0, 1), 0.5),
            medianMs: percentile(own, 0.5),
            ratioToFloor: ratio(percentile(own, 0.5), floor),
          },
    );
  }
}

interface Text {
  readonly shape: string;
  readonly sizeKb: number;
  readonly text: string;
}

interface Measured {
  readonly findings: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly burstMs: number | undefined;
  readonly completion: Readonly<Record<string, unknown>>;
  readonly memoryMb: number | undefined;
}

async function measureText({ shape, sizeKb, text }: Text, servers: Servers): Promise<void> {
  const results = new Map<string, Measured>();
  for (const [server, how] of Object.entries(servers)) {
    try {
      const measured = await measureServer(how, text);
      results.set(server, measured);
      print({ bench: 'keystrokes', shape, sizeKb, server, ...measured });
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'unknown';
      print({ bench: 'keystrokes', shape, sizeKb, server, problem });
    }
  }
  const ours = results.get('ours');
  if (ours === undefined) {
    throw new Error(`There is no measurement of ours for ${shape} at ${sizeKb} KB.`);
  }
  if (ours.findings > 0) {
    throw new Error(`The benchmark query ${shape} must be free of findings.`);
  }
  const p95GoalMs = p95GoalsMs[sizeKb];
  const ratios = [...results].flatMap(([server, { p50Ms }]) =>
    server === 'ours' ? [] : [[server, ratio(ours.p50Ms, p50Ms)] as const],
  );
  print({
    bench: 'ratios',
    shape,
    sizeKb,
    oursTo: Object.fromEntries(ratios),
    p95GoalMs,
    isWithinGoal: p95GoalMs === undefined || ours.p95Ms <= p95GoalMs,
  });
}

async function measureServer(server: Server, text: string): Promise<Measured> {
  const session = await open(server, text);
  try {
    const times: number[] = [];
    for (let n = 0; n < editCount; n++) {
      const started = performance.now();
      await session.edit();
      await session.diagnosed();
      times.push(performance.now() - started);
    }
    const memoryMb = await residentMb(session.pid);
    const burstMs = await measureBurst(session);
    // Measure completion last: some servers exit on it, and the earlier measurements stay valid.
    const completion = await measureCompletion(session).catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : 'unknown',
    }));
    return {
      findings: session.findings(),
      p50Ms: percentile(times, 0.5),
      p95Ms: percentile(times, 0.95),
      p99Ms: percentile(times, 0.99),
      burstMs,
      completion,
      memoryMb,
    };
  } finally {
    await session.stop();
  }
}

/** Requests completion during the check, without waiting for the edit's diagnostics. */
async function measureCompletion(session: Session): Promise<Readonly<Record<string, unknown>>> {
  const times: number[] = [];
  for (let n = 0; n < completionCount; n++) {
    const started = performance.now();
    await session.edit();
    try {
      await withPatience(session.complete(), 'no completion');
    } catch (error) {
      return { problem: error instanceof Error ? error.message : 'unknown' };
    }
    times.push(performance.now() - started);
    await session.diagnosed();
  }
  return { p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

/** Returns the time until the last edit's diagnostics, or undefined if the server does not report document versions. */
async function measureBurst(session: Session): Promise<number | undefined> {
  if (!session.tellsVersions()) {
    return undefined;
  }
  const started = performance.now();
  for (let n = 0; n < burstCount; n++) {
    await session.edit();
  }
  await session.diagnosed();
  return percentile([performance.now() - started], 0.5);
}

interface Session {
  readonly pid: number;
  /** Replaces the text's last `1` with a new number, so that the query stays valid but is not cached. */
  edit(): Promise<void>;
  /** Resolves with the diagnostics of the latest edit, or with the next ones if the server does not report versions. */
  diagnosed(): Promise<void>;
  complete(): Promise<void>;
  findings(): number;
  tellsVersions(): boolean;
  stop(): Promise<void>;
}

/** Opens a document. Resolves after its first diagnostics. */
async function open({ command, isPulled }: Server, text: string): Promise<Session> {
  const options: ClientOptions = isPulled
    ? { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } }
    : {};
  const client = await withPatience(startLanguageClient(command, 'sql', options), 'it does not start');
  const position = positionOf(text);
  let version = 1;
  let last: PublishDiagnosticsParams | undefined;
  let answeredSinceEdit = false;
  let look = (): void => undefined;
  client.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    if (params.uri === uri && (params.version ?? version) === version) {
      last = params;
      answeredSinceEdit = true;
      look();
    }
  });
  // Some servers publish no diagnostics to clients that can pull them.
  const isAsked = 'diagnosticProvider' in client.initialized.capabilities;
  const diagnosed = async (): Promise<void> => {
    if (isAsked) {
      const asking = client.connection.sendRequest<{
        readonly items?: PublishDiagnosticsParams['diagnostics'];
      }>('textDocument/diagnostic', { textDocument: { uri } });
      const { items } = await withPatience(asking, 'no diagnostics');
      last = { uri, diagnostics: items ?? [] };
    } else if (!answeredSinceEdit) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      look = () => resolve(undefined);
      await withPatience(promise, 'no diagnostics');
    }
  };
  let length = 1;
  const session: Session = {
    pid: client.pid,
    diagnosed,
    async edit() {
      version++;
      answeredSinceEdit = false;
      const number = String(2_000 + (version % 7_000));
      const range: EditRange = {
        start: position,
        end: { line: position.line, character: position.character + length },
      };
      length = number.length;
      await client.change(uri, version, number, range);
    },
    async complete() {
      const at = { line: position.line, character: position.character + length };
      await client.connection.sendRequest('textDocument/completion', { textDocument: { uri }, position: at });
    },
    findings: () => last?.diagnostics.length ?? 0,
    tellsVersions: () => isAsked || typeof last?.version === 'number',
    stop: () => stop(client),
  };
  try {
    await client.open(uri, text);
    await diagnosed();
  } catch (error) {
    await stop(client);
    throw error;
  }
  return session;
}

/** Stops the server, and kills it if it does not exit on request. */
async function stop(client: LanguageClient): Promise<void> {
  try {
    await withPatience(client.stop(), 'it does not end');
  } catch {
    // Shutdown is not measured. This only ensures that no process is left behind.
    try {
      process.kill(client.pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
    client.connection.dispose();
  }
}

function positionOf(text: string): { readonly line: number; readonly character: number } {
  const before = text.slice(0, text.lastIndexOf('1')).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

async function withPatience<T>(promise: Promise<T>, problem: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${problem} in ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the resident memory on systems that report it (Linux), otherwise undefined. */
async function residentMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
}

function ratio(ours: number, other: number): number {
  return Math.round((ours / other) * 100) / 100;
}

await main();
