/** A plain LSP client over stdio for tests and benchmarks, which behaves like any editor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type {
  ConfigurationParams,
  InitializeResult,
  PublishDiagnosticsParams,
  TextDocumentClientCapabilities,
  WorkspaceClientCapabilities,
} from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';

export interface LanguageClient {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** The process ID, for memory measurements. */
  readonly pid: number;
  open(uri: string, text: string): Promise<void>;
  /** Replaces the range (default: the whole text) and sets the document's version. */
  change(uri: string, version: number, text: string, range?: EditRange): Promise<void>;
  /** Resolves with the first diagnostics published for this version or a later one. */
  diagnostics(uri: string, version: number): Promise<PublishDiagnosticsParams>;
  /** Stops the server and resolves with its exit code. */
  stop(): Promise<number | null>;
}

export interface EditRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

export interface ClientOptions {
  /** Additional client capabilities. */
  readonly textDocument?: TextDocumentClientCapabilities;
  readonly workspace?: WorkspaceClientCapabilities;
  /** Settings by section, which tests may change later; without them, the server requests none. */
  readonly configuration?: Record<string, unknown>;
  /** Initialization options: capabilities beyond LSP. */
  readonly initializationOptions?: unknown;
  /** The editor's locale. */
  readonly locale?: string;
  /** Additional environment variables for the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with the method when the server requests a refresh. */
  readonly refreshed?: (method: string) => void;
}

export const bundledServer = path.join(import.meta.dirname, '../../../dist/server.cjs');

/** Only a server that hangs takes so long to end. */
const endLimitMs = 60_000;

export async function startLanguageClient(
  command: readonly [string, ...string[]] = [process.execPath, bundledServer, '--stdio'],
  languageId = 'identity-sql',
  options: ClientOptions = {},
): Promise<LanguageClient> {
  const [program, ...args] = command;
  const server = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...options.environment },
  });
  const exited = once(server, 'exit') as Promise<[number | null]>; // `exit` passes the code and the signal
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const published = new Map<string, PublishDiagnosticsParams>();
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    published.set(params.uri, params);
    for (const look of waiting) {
      look();
    }
  });
  connection.onRequest('workspace/configuration', ({ items }: ConfigurationParams) =>
    items.map(({ section = '' }) => options.configuration?.[section] ?? null),
  );
  connection.onRequest('client/registerCapability', () => null);
  for (const feature of ['codeLens', 'inlayHint', 'diagnostic']) {
    const method = `workspace/${feature}/refresh`;
    connection.onRequest(method, () => {
      options.refreshed?.(method);
      return null;
    });
  }
  connection.listen();
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      textDocument: { publishDiagnostics: { versionSupport: true }, ...options.textDocument },
      workspace: { configuration: options.configuration !== undefined, ...options.workspace },
    },
    initializationOptions: options.initializationOptions,
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  await connection.sendNotification('initialized', {});

  return {
    connection,
    initialized,
    pid: server.pid ?? 0,
    open: (uri, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version: 1, text },
      }),
    change: (uri, version, text, range) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [range === undefined ? { text } : { range, text }],
      }),
    diagnostics(uri, version) {
      const { promise, resolve } = Promise.withResolvers<PublishDiagnosticsParams>();
      const look = (): void => {
        const params = published.get(uri);
        if (params !== undefined && (params.version ?? version) >= version) {
          waiting.delete(look);
          resolve(params);
        }
      };
      waiting.add(look);
      look();
      return promise;
    },
    async stop() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      // As editors do: Node can wait for its own compiler for ever as it ends (nodejs/node#54918).
      const hanging = setTimeout(() => {
        process.stderr.write(`the server ${server.pid ?? ''} hung as it ended\n`);
        server.kill('SIGKILL');
      }, endLimitMs);
      const [code] = await exited;
      clearTimeout(hanging);
      connection.dispose();
      return server.signalCode === 'SIGKILL' ? 0 : code;
    },
  };
}
