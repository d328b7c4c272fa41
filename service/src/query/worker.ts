/**
 * The worker thread that runs PGlite. Queries cannot be interrupted, so the main thread terminates the worker on a
 * timeout.
 */
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, protocol, type PGliteOptions } from '@electric-sql/pglite';
import { unpacked, type packageFiles } from '../assets.ts';
import { World } from '../data/company/world.ts';
import { loadData, reloadRecords, type Loader } from '../data/tables/load.ts';
import { installSchema, readerOf, relations } from '../data/tables/schema.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';
import { finishSql, runQuery, typeNamesOf, typeNamesSql, type Session, type TypeName } from './session.ts';
import type { BackendMessage, Step } from './wire.ts';

const port = parentPort;
if (port === null) throw new Error('This file runs only as a worker thread.');
const settings = workerData as WorkerSettings; // sent by engine.ts from the same build

const tables = relations.filter(({ kind }) => kind === 'TABLE').map(({ name }) => name);

function tell(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

interface Started {
  readonly session: Session;
  readonly world: World;
  readonly loader: Loader;
}

async function start(): Promise<Started> {
  const options: PGliteOptions = {};
  let wasm = settings.wasm;
  if (settings.assets !== undefined) {
    const folder = settings.assets;
    const file = (name: (typeof packageFiles)[number]) => unpacked(path.join(folder, `${name}.br`));
    const [data, code] = await Promise.all([
      file('pglite.data'),
      wasm === undefined ? file('pglite.wasm') : undefined,
    ]);
    if (code !== undefined) wasm = await WebAssembly.compile(code);
    options.fsBundle = new Blob([data]);
    if (wasm !== undefined) options.pgliteWasmModule = wasm;
  }
  if (settings.prepared !== undefined) options.loadDataDir = new Blob([await unpacked(settings.prepared)]);
  const database = await PGlite.create(options);
  if (settings.prepared === undefined) await installSchema(database);
  const copyIn = async (table: string, columns: readonly string[], lines: Uint8Array): Promise<void> => {
    const names = columns.map((name) => `"${name}"`).join(', ');
    await database.query(`COPY ${table} (${names}) FROM '/dev/blob'`, [], {
      blob: new Blob([new Uint8Array(lines)]),
    });
  };
  const loader: Loader = { exec: (sql) => database.exec(sql), copyIn };
  const world = new World(settings.data);
  world.changes = settings.changes;
  await database.exec('BEGIN');
  // Rows of a table that is emptied in the same transaction need no write-ahead log (build/prepare-worker.ts).
  await database.exec(`TRUNCATE ${tables.join(', ')}`);
  // Enough to choose a plan, and quicker: statistics from 3,000 rows of a table instead of 30,000.
  await database.exec('SET LOCAL default_statistics_target = 10');
  await loadData(loader, world);
  await database.exec('COMMIT');
  const named = await database.query<TypeName>(typeNamesSql);
  const exchange: Session['wire']['exchange'] = async (...steps) => {
    const bytes = new Uint8Array(Buffer.concat(steps.map(serialized)));
    const answer = await database.execProtocol(bytes, { throwOnError: false });
    return answer.messages as unknown as readonly BackendMessage[]; // distinguished by name; others are ignored
  };
  const session: Session = {
    wire: {
      exchange,
      stream: async (steps, take) => {
        for (const message of await exchange(...steps)) take(message);
      },
    },
    types: typeNamesOf(named.rows),
    begin: (schema) =>
      `BEGIN READ ONLY; SET LOCAL search_path = "${schema}"; SET LOCAL ROLE "${readerOf(schema)}"; SET LOCAL timezone = 'UTC'`,
    finish: finishSql,
  };
  tell({ kind: 'ready', wasm });
  return { session, world, loader };
}

const { serialize } = protocol;

function serialized(step: Step): Uint8Array {
  switch (step.kind) {
    case 'query':
      return serialize.query(step.text);
    case 'parse':
      return serialize.parse({ name: step.name, text: step.text, types: [...step.types] });
    case 'describe':
      return serialize.describe({ type: 'S', name: step.name });
    case 'bind':
      return serialize.bind({ statement: step.statement, values: [...step.values] });
    case 'execute':
      return serialize.execute({ rows: step.rows });
    case 'sync':
      return serialize.sync();
  }
}

const started = start();
started.catch((error: unknown) => {
  tell({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
});

port.on('message', (request: ToWorker) => {
  void serve(request);
});

async function serve(request: ToWorker): Promise<void> {
  try {
    const { session, world, loader } = await started;
    if (request.kind === 'change') {
      world.changes = request.changes;
      await loader.exec('BEGIN');
      await reloadRecords(loader, world, request.touched);
      await loader.exec('COMMIT');
      tell({ kind: 'done', id: request.id });
      return;
    }
    const failed = await runQuery(session, request, {
      begin: (columns) => tell({ kind: 'begun', id: request.id, columns }),
      rows: (json, ends) =>
        tell({ kind: 'rows', id: request.id, json, ends }, [
          json.buffer as ArrayBuffer, // joinRows allocates its own memory
          ends.buffer as ArrayBuffer, // joinRows allocates its own memory
        ]),
    });
    if (failed === undefined) tell({ kind: 'done', id: request.id });
    else tell({ kind: 'failed', id: request.id, failure: failed.failure });
  } catch (error) {
    // PGlite itself failed (a WebAssembly trap, or out of memory), so this thread is no longer usable.
    tell({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
  }
}
