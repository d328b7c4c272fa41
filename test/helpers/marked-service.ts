/**
 * A service for agent sessions: PostgreSQL with the models from agent-models.ts. Every value in a sensitive column
 * contains a marker. Records the queries it receives.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { NotFoundError, RejectedError } from '#api/client/errors.ts';
import type { AgentConnection, AgentHost } from '#core/agents/agent-host.ts';
import { AgentSession } from '#core/agents/agent-session.ts';
import type { AuditEntry } from '#core/agents/audit/audit-chain.ts';
import { callRateIn } from '#core/agents/call-rate.ts';
import { QueryChecks } from '#core/agents/query-checks.ts';
import type { Answer } from '#core/agents/tools/tool.ts';
import type { AgentLevel } from '#core/connections/agent-level.ts';
import { defaultAgentLimits, type AgentLimits } from '#core/policy/agent-levels.ts';
import { agentCatalogue, agentPatterns, agentSensitivity } from './agent-models.ts';
import { memoryAt } from './memory.ts';
import { newDatabase } from './new-database.ts';

/** Does not occur in any public value, name or message. */
const marker = 'zqxmarkerzqx';

export interface MarkedService {
  readonly session: AgentSession;
  readonly log: AuditEntry[];
  /** Queries that the service received. */
  readonly sent: string[];
  /** Rows and errors that the service returned, as text; they prove that the markers were present. */
  readonly answered: string[];
  setLevel(level: AgentLevel): void;
  /** Saves a query as a user would. */
  save(id: string, sql: string): void;
  close(): Promise<void>;
}

/** Starts one service for all tests in a file, and resets it before each test. */
export async function markedServiceOfFile(): Promise<MarkedService> {
  const service = await startMarkedService();
  after(() => service.close());
  beforeEach(() => {
    service.setLevel('select');
    service.sent.length = 0;
    service.log.length = 0;
  });
  return service;
}

/** The text of a marked value in a row. Two services may differ in nothing else. */
export type MarkedText = (row: number) => string;

/** Other letters, lengths, order, and things that look like numbers, dates and JSON. */
export const otherText: MarkedText = (row) =>
  row % 3 === 0
    ? `${marker}${'x'.repeat(40 * (row + 1))}`
    : row % 3 === 1
      ? String(70_000 - row)
      : `2026-01-${10 + row}`;

/** Returns an answer with its tokens numbered in the order in which they occur, to compare two services. */
export function toldOf(answer: Answer): string {
  const numbers = new Map<string, number>();
  return JSON.stringify(answer).replaceAll(/"([a-z]+):[0-9a-f]{8}"/g, (token, kind: string) => {
    if (!numbers.has(token)) numbers.set(token, numbers.size);
    return `"${kind}:${String(numbers.get(token)).padStart(8, '0')}"`;
  });
}

const usualText: MarkedText = (row) => `${marker}${row}`;

/** Queries only read, so services with the same data share one database, which takes seconds to create. */
const shared = new Map<MarkedText, { readonly database: Promise<PGlite>; users: number }>();

async function createDatabase(textOf: MarkedText): Promise<PGlite> {
  const database = await newDatabase();
  await database.exec(tables(textOf));
  return database;
}

async function enterDatabase(textOf: MarkedText): Promise<PGlite> {
  const found = shared.get(textOf) ?? { database: createDatabase(textOf), users: 0 };
  shared.set(textOf, found);
  found.users += 1;
  return await found.database;
}

async function leaveDatabase(textOf: MarkedText): Promise<void> {
  const found = shared.get(textOf);
  if (found === undefined) return;
  found.users -= 1;
  if (found.users > 0) return;
  shared.delete(textOf);
  await (await found.database).close();
}

export async function startMarkedService(
  limits: Partial<AgentLimits> = {},
  textOf: MarkedText = usualText,
): Promise<MarkedService> {
  const database = await enterDatabase(textOf);
  const checks = new QueryChecks();
  const saved = new Map<string, string>();
  const log: AuditEntry[] = [];
  const sent: string[] = [];
  const answered: string[] = [];
  let level: AgentLevel = 'select';

  async function execute(request: {
    readonly query_string: string;
    readonly pageSize: number;
    readonly pageToken?: string;
  }) {
    sent.push(request.query_string);
    const { pageSize, pageToken = '0' } = request;
    try {
      await database.exec('BEGIN READ ONLY');
      const { fields, rows } = await database.query<readonly unknown[]>(request.query_string, [], {
        rowMode: 'array',
      });
      if (rows.some((row) => String(row).length > rowCharsMax)) throw new Error('a row is too large');
      const text = JSON.stringify(rows, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      answered.push(text);
      if (text.length > resultCharsMax) throw new Error('the result is too large');
      const to = Number(pageToken) + pageSize;
      return {
        columns: fields.map(({ name }) => ({ name, type: 'text' })),
        rows: rows.slice(Number(pageToken), to),
        ...(text.length > countedCharsMax ? {} : { rowCount: rows.length }),
        ...(rows.length > to ? { nextPageToken: String(to) } : {}),
      };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      answered.push(message);
      throw new RejectedError(message, {
        code: 'QUERY_ERROR',
        status: 400,
        retryable: false,
        serviceMessage: message,
        cause: error,
      });
    } finally {
      await database.exec('ROLLBACK');
    }
  }
  const queryOf = (id: string) => ({
    query_id: id,
    name: id,
    model: 'platform_identity',
    version: 1,
    query_string: saved.get(id) ?? '',
  });
  const service = {
    queries: { execute },
    savedQueries: {
      get: (id: string) =>
        saved.has(id)
          ? Promise.resolve(queryOf(id))
          : Promise.reject(new NotFoundError('gone', { code: 'NOT_FOUND', status: 404, retryable: false })),
    },
  };
  const connection = (): AgentConnection => ({
    name: 'Marked',
    key: 'marked',
    folder: '/work',
    level,
    limits: { ...defaultAgentLimits, callsPerMinute: 1_000_000, ...limits },
    sensitivePatterns: agentPatterns,
    service: () => Promise.resolve(service as never), // the tools use no other methods
    catalogue: () => Promise.resolve(agentCatalogue),
  });
  // Calls are only counted on disk if a test sets a limit: a fuzz run makes thousands of calls.
  const folder =
    limits.callsPerMinute === undefined
      ? undefined
      : await mkdtemp(path.join(tmpdir(), 'identity-queries-marked-'));
  const rate =
    folder === undefined ? { take: () => Promise.resolve(undefined) } : callRateIn(memoryAt(folder));
  const host: AgentHost = { connection, propose: () => Promise.resolve('shown') };
  const audit = {
    add(entry: AuditEntry) {
      log.push(entry);
      return Promise.resolve();
    },
  };
  return {
    session: new AgentSession({ host, checks, audit, rate, refusals: uncounted }),
    log,
    sent,
    answered,
    setLevel: (next) => (level = next),
    save: (id, sql) => saved.set(id, sql),
    async close() {
      await checks.dispose();
      await leaveDatabase(textOf);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Most tests ask far more than an agent may. */
export const uncounted = {
  silence: () => Promise.resolve(undefined),
  count: () => Promise.resolve(false),
};

const rowsOfTable = 12;

/** A service sends no larger row. */
export const rowCharsMax = 100_000;
/** Nor a larger result, and it does not wait for the number of rows of one above the other limit. */
export const resultCharsMax = 300_000;
export const countedCharsMax = 30_000;

function tables(textOf: MarkedText): string {
  const parts: string[] = [];
  for (const { name: model, tables: known = [] } of agentCatalogue.models) {
    parts.push(`CREATE SCHEMA ${model}`);
    for (const { name: table, columns = [{ name: 'anything', type: 'text' }] } of known) {
      parts.push(
        `CREATE TABLE ${model}.${table} (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
      );
      const rows = Array.from({ length: rowsOfTable }, (_, row) =>
        columns
          .map(({ name: column, type }) =>
            valueOf(
              type,
              row,
              table === 'untold' ||
                agentSensitivity({ model, table, column, type, class: undefined }) !== undefined
                ? textOf(row)
                : undefined,
            ),
          )
          .join(', '),
      );
      parts.push(`INSERT INTO ${model}.${table} VALUES ${rows.map((row) => `(${row})`).join(', ')}`);
    }
  }
  return [...parts, 'ANALYZE', 'SET search_path = platform_identity'].join(';\n');
}

function valueOf(type: string, row: number, marked: string | undefined): string {
  const text = marked ?? `open${row % 5}`;
  switch (type) {
    case 'boolean':
      return String(row % 2 === 0);
    case 'integer':
    case 'numeric':
      return String(row);
    case 'jsonb':
      return `'{"k": "${text}"}'`;
    case 'timestamptz':
      return `'2026-01-0${(row % 5) + 1}'`;
    case 'text[]':
      return `ARRAY['${text}', '${text}']`;
    default:
      return `'${text}'`;
  }
}

/** Every encoding in which a marker might leak. */
const forms: readonly string[] = [
  marker,
  Array.from(marker).reverse().join(''),
  Buffer.from(marker).toString('hex'),
  Buffer.from(marker).toString('base64').slice(0, 12),
  Buffer.from(marker).toString('base64url').slice(0, 12),
  encodeURIComponent(marker),
];

export const holdsMarker = (text: string): boolean => {
  const lower = text.toLowerCase();
  return forms.some((form) => lower.includes(form.toLowerCase()));
};
