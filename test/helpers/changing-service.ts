/**
 * The local service behind a proxy that rewrites its tables: columns appear and disappear as if a colleague changed the
 * models. Everything else is unchanged, apart from renamed strings.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningSandbox } from './sandbox.ts';

export interface ChangingService {
  readonly address: string;
  readonly authUrl: string;
  /** Sets the hidden and added columns, in any model; replaces earlier changes. */
  change(changes: readonly ColumnChange[]): void;
  /** Number of requests for columns. */
  readonly schemaReads: number;
  stop(): Promise<void>;
}

export interface ColumnChange {
  readonly table: string;
  readonly column: string;
  readonly kind: 'hidden' | 'added';
}

/** A row of information_schema.columns, with fields in the order the extension selects them. */
type SchemaRow = readonly [table: string, column: string, ...rest: unknown[]];

/** @param renames sandbox strings and their replacements in responses; reversed in requests. */
export async function startChangingService(
  sandbox: RunningSandbox,
  renames: readonly (readonly [from: string, to: string])[] = [],
): Promise<ChangingService> {
  let changes: readonly ColumnChange[] = [];
  let schemaReads = 0;
  const origin = new URL(sandbox.baseUrl).origin;
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address
      // Scopes contain the service's address.
      const body = (await textOf(incoming)).replaceAll(encodeURIComponent(own), encodeURIComponent(origin));
      const sent = renames.reduce((text, [from, to]) => text.replaceAll(to, from), body);
      const isSchema = sent.includes('information_schema.columns');
      if (isSchema) schemaReads += 1;
      const {
        connection: _connection,
        host: _host,
        'content-length': _length,
        ...headers
      } = incoming.headers;
      const response = await fetch(`${origin}${incoming.url ?? '/'}`, {
        method: incoming.method ?? 'GET',
        headers: headers as Record<string, string>, // the client sends no repeated headers
        ...(sent === '' ? {} : { body: sent }),
      });
      const answered = await response.text();
      const text = renames.reduce((given, [from, to]) => given.replaceAll(from, () => to), answered);
      outgoing.writeHead(response.status, {
        'content-type': response.headers.get('content-type') ?? 'application/json',
      });
      outgoing.end(isSchema && response.ok ? changed(text, changes) : text);
    };
    answer().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address
  return {
    address,
    authUrl: sandbox.authUrl.replace(origin, address),
    change: (next) => {
      changes = next;
    },
    get schemaReads() {
      return schemaReads;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function changed(body: string, changes: readonly ColumnChange[]): string {
  // The shape of the sandbox's response.
  const answer = JSON.parse(body) as { readonly rows: readonly SchemaRow[]; readonly rowCount?: number };
  const is = (kind: ColumnChange['kind'], row: SchemaRow) => (change: ColumnChange) =>
    change.kind === kind && change.table === row[0] && change.column === row[1];
  const kept = answer.rows.filter((row) => !changes.some(is('hidden', row)));
  const added = changes
    .filter(({ kind, table }) => kind === 'added' && kept.some((row) => row[0] === table))
    .map(({ table, column }) => [table, column, 'text', 'text', 'YES']);
  const rows = [...kept, ...added];
  // A service that sends fewer rows than it counts has sent a part.
  const { rowCount } = answer;
  const counted =
    typeof rowCount === 'number' ? { rowCount: rowCount + rows.length - answer.rows.length } : {};
  return JSON.stringify({ ...answer, ...counted, rows });
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks).toString('utf8');
}
