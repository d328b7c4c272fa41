/**
 * Answers that no service of the specification gives (test/service/drawn/illegal.ts), for every kind of request that
 * the command line reads: it says what is wrong, or the answer makes no difference. No control passes on one.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { CliOutcome } from '../helpers/command-line.ts';
import { shortenPauses } from '../helpers/fast-clock.ts';
import { runInProcess } from '../helpers/run-in-process.ts';
import { startDrawn, type RunningDrawn } from '../service/drawn/drawn-service.ts';
import { illegal, type Illegal } from '../service/drawn/illegal.ts';
import { plainService } from '../service/drawn/space.ts';

let folder: string;
let service: RunningDrawn;
let now: { readonly path: string; readonly how: Illegal } | undefined;
let restore: () => void;
let jobId: string;
const exported = 'exported.csv';

before(async () => {
  restore = shortenPauses(200);
  folder = await mkdtemp(path.join(tmpdir(), 'illegal-'));
  await writeFile(
    path.join(folder, 'one.identity.sql'),
    '-- @control C-1 One\n-- @error_if rows > 100\nSELECT global_id FROM accounts\n',
  );
  service = await startDrawn(plainService, (asked, reply) =>
    now !== undefined && asked.path.startsWith(now.path) && reply.status < 300
      ? illegal[now.how](reply)
      : reply,
  );
  const job: unknown = JSON.parse(service.jobs.accept('somebody').bytes.toString());
  jobId = (job as { jobId: string }).jobId; // the service's own answer
});
after(async () => {
  restore();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(args: readonly string[]) {
  await rm(path.join(folder, exported), { force: true });
  const { baseUrl, authUrl, clientId, clientSecret } = service;
  return await runInProcess(args, {
    cwd: folder,
    environment: {
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      IDENTITY_QUERIES_BASE_URL: baseUrl,
      IDENTITY_QUERIES_AUTH_URL: authUrl,
      IDENTITY_QUERIES_CLIENT_ID: clientId,
      IDENTITY_QUERIES_CLIENT_SECRET: clientSecret,
    },
  });
}

const firstQuery = () => [...service.saved.held.keys()][0] ?? '';

/** The start of the path whose answers are spoiled, and the command. */
const commands: Readonly<Record<string, () => readonly [path: string, ...command: string[]]>> = {
  models: () => ['/v1/schema/models', 'models'],
  'models with tables': () => ['/v1/query/execute', 'models', 'platform_identity'],
  run: () => ['/v1/query/execute', 'run', 'one.identity.sql', '--json'],
  controls: () => ['/v1/query/execute', 'controls', 'run', 'one.identity.sql'],
  records: () => ['/v1/roles', 'records', 'roles', '--json'],
  links: () => ['/v1/enrollment-via-authenticator', 'records', 'enrollmentViaAuthenticator', '--json'],
  'saved list': () => ['/v1/query/saved-queries', 'saved', 'list'],
  'saved show': () => ['/v1/query/saved-queries/', 'saved', 'show', firstQuery()],
  record: () => ['/v1/roles/', 'record', String(service.records('roles')[0]?.['globalId'])],
  'saved versions': () => [
    `/v1/query/saved-queries/${firstQuery()}/versions`,
    ...['saved', 'versions', firstQuery(), '--json'],
  ],
  job: () => ['/v1/action-jobs/', 'job', jobId],
  'export by ID': () => ['/v1/downloads/', 'export', '--id', service.exportId, '--out', exported],
  token: () => ['/oauth/token', 'models'],
};
/** A value of another type is shown as it was received, in JSON. */
const asReceived: ReadonlySet<string> = new Set([
  'record: lists of numbers',
  'record: objects for lists',
  'links: lists of numbers',
  'job: numbers everywhere',
  'job: lists of numbers',
  'job: objects for lists',
]);
const falseWords = /undefined|TypeError|\[object|deleted|does not offer|ask for the \w+ scope|client secret/i;

for (const [name, command] of Object.entries(commands))
  suite(name, () => {
    let legal: CliOutcome | undefined;
    for (const how of Object.keys(illegal) as Illegal[])
      // the table's own keys
      test(how, async () => {
        const [place, ...args] = command();
        // A job goes on; all else stays as it is.
        if (legal === undefined || name === 'job') legal = await run(args);
        assert.equal(legal.code, 0, legal.stderr);
        now = { path: place, how };
        const { code, stdout, stderr } = await run(args);
        now = undefined;
        assert.doesNotMatch(stderr, falseWords);
        if (name === 'controls') {
          assert.doesNotMatch(stdout, /^pass/m);
          assert.equal(code, 2, stdout);
          return;
        }
        if (code === 0) {
          const isTold = /could not be read|left out|unreadable|assumed|specification/i.test(stderr + stdout);
          const isSame = stdout === legal.stdout || asReceived.has(`${name}: ${how}`);
          assert.ok(isTold || isSame, `${stdout}\n${stderr}`);
        } else assert.match(stderr, /respon|failed|service/i);
      });
  });
