/** A connection to a PostgreSQL server: protocol steps for queries, and SQL and COPY for the sandbox's own tasks. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Loader } from '../data/tables/load.ts';
import type { BackendMessage, Step, Wire } from '../query/wire.ts';

/** The library's connection object. Its published types lack messages and COPY, and declare numbers as strings. */
interface RawConnection {
  readonly stream: Duplex;
  connect(portOrSocket: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'message', listener: (message: RawMessage) => void): void;
  query(text: string): void;
  parse(statement: { name: string; text: string; types: readonly number[] }): void;
  describe(of: { type: 'S'; name: string }): void;
  bind(portal: { statement: string; values: readonly (string | null)[] }): void;
  execute(portal: { rows: number }): void;
  sync(): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
type RawMessage = BackendMessage | { readonly name: 'readyForQuery' };

/** Methods that the library calls on a query object that handles the protocol itself. */
type Listeners =
  | 'RowDescription'
  | 'DataRow'
  | 'PortalSuspended'
  | 'EmptyQuery'
  | 'CommandComplete'
  | 'ReadyForQuery'
  | 'CopyInResponse'
  | 'CopyData';
type RawQuery = Record<`handle${Listeners}`, () => void> & {
  submit(): void;
  handleError(): void;
};

const connectTimeoutMs = 10_000;

/** Limits on what the server may send, counted as it arrives. Beyond them, the connection is cut. */
export interface WireLimits {
  /** Bytes of one message, so of one row. */
  readonly messageBytes: number;
  /** Bytes between two calls of `countFromHere`. */
  readonly runBytes: number;
}

/** The server sent more than the limits allow. */
export class WireLimitError extends Error {
  readonly limit: keyof WireLimits;
  constructor(limit: keyof WireLimits) {
    super('The server sent more than this service reads.');
    this.limit = limit;
  }
}

export class ServerConnection implements Wire, Loader {
  readonly #client: pg.Client;
  readonly #raw: RawConnection;
  #onMessage: ((message: RawMessage) => void) | undefined;
  #onEnd: ((error: Error) => void) | undefined;
  #isBroken = false;
  #bytes = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#raw = client.connection as unknown as RawConnection; // see RawConnection
    this.#raw.on('message', (message) => this.#onMessage?.(message));
    // Without a listener, an ended connection would crash the process. The next use of the connection gets the error.
    const ended = (error?: Error): void => {
      this.#isBroken = true;
      this.#onEnd?.(error ?? new Error('The connection to PostgreSQL ended.'));
    };
    client.on('error', ended);
    client.on('end', ended);
  }

  /** Connects. Rejects with an error from the library or the server, which `reasonOf` explains. */
  static async open(target: string | pg.ClientConfig, limits?: WireLimits): Promise<ServerConnection> {
    const client = new pg.Client({
      application_name: 'identity-queries sandbox',
      ...(typeof target === 'string' ? { connectionString: target } : target),
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    const connection = new ServerConnection(client);
    let stalled: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      if (limits !== undefined) connection.#limit(limits);
      // A pooler accepts a connection at once, and answers when it has one to the server.
      stalled = setTimeout(() => connection.destroy(new Error('timeout expired')), connectTimeoutMs);
      await client.query("SET client_encoding = 'UTF8'");
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(stalled);
    }
    return connection;
  }

  /** Starts counting the bytes of a run. */
  countFromHere(): void {
    this.#bytes = 0;
  }

  /**
   * Asks the server to end what this connection runs. The request goes over a connection of its own, encrypted like this
   * one, and needs no right. Resolves once it is sent; the server may still take a moment.
   */
  async cancel(): Promise<void> {
    const { host, port, ssl } = this.#client;
    const isPlain = !ssl;
    const { processID, secretKey } = this.#client as unknown as {
      readonly processID: number;
      readonly secretKey: number;
    }; // the published types lack them
    // The published types lack the options. An object with settings is only read.
    const Connection = pg.Connection as unknown as new (options: { ssl: unknown }) => RawConnection;
    const raw = new Connection({ ssl });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        raw.stream.destroy();
        reject(new Error('timeout expired'));
      }, cancelTimeoutMs);
      raw.on('error', reject);
      raw.once('end', () => {
        clearTimeout(timer);
        resolve(); // the server closes the connection once it has read the request
      });
      const send = (): void => raw.cancel(processID, secretKey);
      raw.once('connect', () => (isPlain ? send() : raw.requestSsl()));
      raw.once('sslconnect', send);
      if (host.startsWith('/')) raw.connect(`${host}/.s.PGSQL.${port}`);
      else raw.connect(port, host);
    });
  }

  /** Whether the connection ended or was destroyed. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  async exchange(...steps: readonly Step[]): Promise<readonly BackendMessage[]> {
    const answers: BackendMessage[] = [];
    await this.stream(steps, (message) => answers.push(message));
    return answers;
  }

  stream(steps: readonly Step[], take: (message: BackendMessage) => void): Promise<void> {
    return this.#submit({
      submit: (raw) => {
        for (const step of steps) send(raw, step);
      },
      message: take,
      answer: () => undefined,
    });
  }

  /** Runs statements without parameters. Rejects with the server's error. */
  async exec(sql: string): Promise<void> {
    await this.#client.query(sql);
  }

  async rows<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row>(sql, [...values])).rows;
  }

  async copyIn(table: string, columns: readonly string[], lines: Uint8Array): Promise<void> {
    const names = columns.map((name) => `"${name}"`).join(', ');
    let failure: Error | undefined;
    await this.#submit({
      submit: (raw) => raw.query(`COPY ${table} (${names}) FROM STDIN`),
      copyIn: (raw) => {
        raw.sendCopyFromChunk(Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength));
        raw.endCopyFrom();
      },
      message: (message) => {
        // The library represents this message as an Error.
        if (message.name === 'error') failure = message;
      },
      answer: () => undefined,
    });
    if (failure !== undefined) throw failure;
  }

  /** Ends the connection gracefully. */
  async close(): Promise<void> {
    if (!this.#isBroken) await this.#client.end();
  }

  /** Closes the connection immediately, even during a query. */
  destroy(reason?: Error): void {
    this.#isBroken = true;
    this.#raw.stream.destroy(reason);
  }

  /**
   * Reads the header of each message (a letter and a length) before the library collects its body. The connection is
   * idle, so the next byte starts a message.
   */
  #limit({ messageBytes, runBytes }: WireLimits): void {
    const header = Buffer.alloc(5);
    let filled = 0;
    let rest = 0;
    const exceeded = (limit: keyof WireLimits): void => {
      this.#onEnd?.(new WireLimitError(limit));
      this.#onEnd = undefined;
      this.destroy();
    };
    this.#raw.stream.prependListener('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > runBytes) exceeded('runBytes');
      for (let at = 0; at < chunk.length;) {
        if (rest > 0) {
          const skipped = Math.min(rest, chunk.length - at);
          rest -= skipped;
          at += skipped;
          continue;
        }
        const copied = chunk.copy(header, filled, at, Math.min(chunk.length, at + 5 - filled));
        filled += copied;
        at += copied;
        if (filled < 5) return;
        filled = 0;
        rest = header.readUInt32BE(1) - 4;
        if (rest > messageBytes) {
          exceeded('messageBytes');
          return;
        }
      }
    });
  }

  /**
   * Runs a task. Server errors are delivered as messages. Rejects when the connection ends, unless the server said why
   * in such a message: after a fatal one it closes, and is never ready again.
   */
  #submit<Result>(task: {
    readonly submit: (raw: RawConnection) => void;
    readonly copyIn?: (raw: RawConnection) => void;
    readonly message: (message: BackendMessage) => void;
    readonly answer: () => Result;
  }): Promise<Result> {
    return new Promise((resolve, reject) => {
      const nothing = (): void => undefined; // every message arrives through #onMessage
      let isExplained = false;
      const query: RawQuery = {
        submit: () => {
          this.#onMessage = (message) => {
            if (message.name !== 'readyForQuery') {
              isExplained ||= message.name === 'error';
              task.message(message);
              return;
            }
            this.#onMessage = undefined;
            this.#onEnd = undefined;
            resolve(task.answer());
          };
          this.#onEnd = (error) => {
            if (isExplained && !(error instanceof WireLimitError)) resolve(task.answer());
            else reject(error);
          };
          task.submit(this.#raw);
        },
        handleError: nothing, // server errors arrive as messages, the end of the connection as an event
        handleRowDescription: nothing,
        handleDataRow: nothing,
        handlePortalSuspended: nothing,
        handleEmptyQuery: nothing,
        handleCommandComplete: nothing,
        handleReadyForQuery: nothing,
        handleCopyInResponse: () => task.copyIn?.(this.#raw),
        handleCopyData: nothing,
      };
      if (this.#isBroken) reject(new Error('The connection to PostgreSQL has ended.'));
      else this.#client.query(query);
    });
  }
}

const cancelTimeoutMs = 5_000;

function send(raw: RawConnection, step: Step): void {
  switch (step.kind) {
    case 'query': {
      raw.query(step.text);
      return;
    }
    case 'parse': {
      raw.parse(step);
      return;
    }
    case 'describe': {
      raw.describe({ type: 'S', name: step.name });
      return;
    }
    case 'bind': {
      raw.bind(step);
      return;
    }
    case 'execute': {
      raw.execute(step);
      return;
    }
    case 'sync': {
      raw.sync();
      return;
    }
  }
}

/** Explains why the server could not be used, without revealing passwords or data. */
export function reasonOf(error: unknown): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof AggregateError && each.errors.length > 0) return reasonOf(each.errors[0]);
    const code = 'code' in each ? String(each.code) : '';
    const known = reasons[code];
    if (known !== undefined) return known;
    if (each instanceof pg.DatabaseError) return `${each.message} (${code})`;
    if (/certificate|SSL|TLS/i.test(each.message)) return `encryption failed: ${each.message}`;
    if (/timeout/i.test(each.message)) return `no answer within ${connectTimeoutMs / 1_000} seconds`;
    if (each.message !== '') return each.message;
  }
  return 'unknown reason';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  EHOSTUNREACH: 'the host cannot be reached',
  ECONNRESET: 'the connection was closed',
  '28P01': 'the user or the password is wrong',
  '28000': 'the server does not let this user in from here',
  '3D000': 'there is no such database',
  '53300': 'the server has no connections left',
  '57P03': 'the server is starting up or shutting down',
};

/** Ends a message of the server like a sentence. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
