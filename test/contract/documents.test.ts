/**
 * Every command block of README and the guides is typed into a shell, in order, in the situation that its text
 * describes. A block without a case fails, so a new one gets one.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '#api/client/client.ts';
import { sandboxEnvironment } from '../helpers/command-line.ts';
import { git, repositoryAt } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { startTypedProgram, type TypedProgram } from '../helpers/typed-program.ts';

const root = path.join(import.meta.dirname, '../..');
let sandbox: RunningSandbox;
let home: string;
let program: TypedProgram;

before(async () => {
  sandbox = await startSandbox({ accounts: 100 });
  home = await mkdtemp(path.join(tmpdir(), 'identity-queries-documents-'));
  program = await startTypedProgram(home);
});
after(async () => {
  await program.stop();
  await sandbox.stop();
  await rm(home, { recursive: true });
});

const environment = () => ({
  ...process.env,
  ...sandboxEnvironment(sandbox),
  IDENTITY_QUERIES_DIGEST_KEY: 'a digest key for tests',
  PATH: `${program.bin}:${process.env['PATH'] ?? ''}`,
  XDG_CONFIG_HOME: path.join(home, 'config'),
  XDG_DATA_HOME: path.join(home, 'data'),
  GIT_CONFIG_GLOBAL: path.join(home, 'gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
});

interface Block {
  readonly file: string;
  /** Position among the file's command blocks, from 0. */
  readonly place: number;
  readonly lines: readonly string[];
}

function blocksOf(file: string): readonly Block[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^[ \t]*```(?:sh|bash|shell|console)\n([^]*?)^[ \t]*```/gm)].map(
    ([, body = ''], place) => ({
      file,
      place,
      lines: body
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#')),
    }),
  );
}

interface Case {
  /** Prepares what the text before the block describes; returns what is really there in place of an example. */
  readonly prepare?: (cwd: string) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Exit codes other than 0, by a part of the line. */
  readonly exits?: Readonly<Record<string, number>>;
  /** Uses the folder that the block before it left. */
  readonly goesOn?: string;
  /** Why the block is not run here, and what runs it instead. */
  readonly elsewhere?: string;
}

async function put(cwd: string, file: string, text: string): Promise<undefined> {
  await writeFile(path.join(cwd, file), text);
  return undefined;
}
/** The first query that a document shows. */
function queryOf(file: string): string {
  return /^```sql\n([^]*?)^```/m.exec(readFileSync(path.join(root, file), 'utf8'))?.[1] ?? '';
}
const control = '-- @control AC-07 Admins\n-- @key id\nSELECT id FROM accounts ORDER BY id LIMIT 2\n';

function typed(cwd: string, line: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd,
    env: environment(),
    encoding: 'utf8',
    input: '',
  });
  return { code: status, stdout, said: `$ ${line}\n${stdout}${stderr}` };
}

function newRepository(cwd: string): Promise<undefined> {
  git(cwd, 'init', '-q');
  return Promise.resolve(undefined);
}

function pull(cwd: string): void {
  git(cwd, 'init', '-q', '-b', 'main');
  assert.equal(typed(cwd, 'identity-queries pull').code, 0);
  repositoryAt(cwd).commit();
}

const cases: Readonly<Record<string, Case>> = {
  'README.md 0': { elsewhere: 'npm start and npm test run this repository itself' },
  // The protocol says that a server whose editor just goes away ends with 1.
  // Without a database there; own-postgres.test.ts serves one.
  'README.md 1': { exits: { 'server --stdio': 1, 'serve --database': 1 } },
  'docs/editors.md 0': { elsewhere: 'npm-package.test.ts installs the package' },
  'docs/editors.md 1': { prepare: newRepository },
  'docs/connections.md 0': {},
  'docs/evidence.md 0': {
    prepare: (cwd) => put(cwd, 'query.sql', 'SELECT id FROM accounts ORDER BY id'),
  },
  'docs/guide/compare.md 0': {
    prepare: async (cwd) => {
      await put(cwd, 'before.csv', 'id,alias\n1,a\n');
      await put(cwd, 'after.csv', 'id,alias\n1,b\n');
    },
    exits: { compare: 1 },
  },
  'docs/guide/controls.md 0': {
    prepare: async (cwd) => {
      await put(cwd, 'a.identity.sql', control);
      const { stdout } = typed(cwd, 'identity-queries controls waive AC-07');
      return { '3f1c9a0b77d2': /^[0-9a-f]{12}/m.exec(stdout)?.[0] ?? '' };
    },
  },
  'docs/guide/controls.md 1': {
    prepare: (cwd) => put(cwd, 'a.identity.sql', control),
    exits: { 'controls run': 1 },
  },
  'docs/guide/data.md 0': {},
  'docs/guide/everywhere.md 0': {
    prepare: async (cwd) => {
      const { baseUrl, authUrl, clientId } = sandbox;
      const secretVariable = 'IDENTITY_QUERIES_CLIENT_SECRET';
      const entry = (name: string) => ({ name, baseUrl, authUrl, clientId, secretVariable });
      await mkdir(path.join(home, 'config/identity-queries'), { recursive: true });
      await put(
        path.join(home, 'config/identity-queries'),
        'connections.json',
        JSON.stringify([entry('prod-eu'), entry('prod-us')]),
      );
      await put(cwd, 'admins.identity.sql', 'SELECT alias FROM accounts WHERE is_admin');
    },
  },
  'docs/guide/everywhere.md 1': {
    prepare: async (cwd) => {
      await mkdir(path.join(cwd, 'queries'));
      await put(path.join(cwd, 'queries'), 'mfa.identity.sql', control.replace('AC-07', 'MFA-01'));
    },
    exits: { 'controls run': 1 },
  },
  'docs/guide/everywhere.md 2': {
    prepare: (cwd) => put(cwd, 'mfa.identity.sql', queryOf('docs/guide/everywhere.md')),
  },
  'docs/guide/everywhere.md 3': { elsewhere: 'command-line.test.ts queries files with DuckDB' },
  'docs/guide/git.md 0': {},
  'docs/guide/notify.md 0': { elsewhere: 'several.test.ts tells a receiver on this machine' },
  'docs/guide/git.md 1': {
    goesOn: 'docs/guide/git.md 0',
    prepare: async (cwd) => {
      const [file = ''] = globSync('queries/**/*.identity.sql', { cwd: path.join(cwd, 'reviews') });
      await put(path.join(cwd, 'reviews'), file, 'SELECT 1 AS edited\n');
    },
    exits: { 'plan --out': 2 },
  },
  'docs/guide/git.md 2': {
    prepare: async (cwd) => {
      const client = createClient(sandbox);
      const query = { name: 'Dormant accounts', model: 'platform_identity' };
      const { query_id: id } = await client.savedQueries.create({ ...query, query_string: 'SELECT 1\n' });
      pull(cwd);
      for (let version = 1; version < 7; version += 1)
        await client.savedQueries.update(id, {
          ...query,
          query_string: `SELECT ${version + 1}\n`,
          expected_version: version,
        });
      await client.close();
      const clone = repositoryAt(cwd);
      clone.write('queries/dormant-accounts.identity.sql', 'SELECT 0\n');
      clone.commit();
      assert.equal(typed(cwd, 'identity-queries pull').code, 2);
      clone.write('queries/dormant-accounts.identity.sql', 'SELECT 0 AS resolved\n');
      clone.commit();
    },
  },
  'docs/guide/git.md 3': { prepare: newRepository },
  'docs/guide/git.md 4': {
    prepare: (cwd) => {
      git(cwd, 'init', '-q');
      const lock = { packages: { 'node_modules/identity-queries': { integrity: 'sha512-AAAA' } } };
      return put(cwd, 'package-lock.json', JSON.stringify(lock));
    },
  },
  'docs/guide/library.md 0': { exits: { 'controls run': 1 } },
  'docs/guide/library.md 1': { elsewhere: 'packs.test.ts adds, updates and removes a pack of a repository' },
  'docs/guide/own-data.md 0': { elsewhere: 'own-postgres.test.ts serves a database' },
  'docs/service.md 0': { elsewhere: 'team-service.test.ts serves a team with a state' },
  'docs/service.md 1': { elsewhere: 'state-postgres.test.ts migrates a state of PostgreSQL' },
  'docs/service.md 2': { elsewhere: 'needs Docker; team-config.test.ts reads its configuration' },
  'docs/guide/run.md 0': {
    prepare: async (cwd) => {
      await put(
        cwd,
        'query.sql',
        '-- @param since date\nSELECT id FROM accounts WHERE created_date > :since LIMIT 3',
      );
    },
  },
};

const files = [
  'README.md',
  ...globSync('docs/*.md', { cwd: root }),
  ...globSync('docs/guide/*.md', { cwd: root }),
]
  .map((file) => file.replaceAll('\\', '/'))
  .sort((a, b) => (a < b ? -1 : 1));
const blocks = files.flatMap(blocksOf);
const nameOf = ({ file, place }: Pick<Block, 'file' | 'place'>) => `${file} ${place}`;

describe('the command blocks of the documents', () => {
  it('each have a case, and no case is left over', () => {
    assert.deepEqual(blocks.map(nameOf).sort(), Object.keys(cases).sort());
  });

  for (const block of blocks) {
    const { prepare, exits = {}, goesOn, elsewhere } = cases[nameOf(block)] ?? {};
    if (elsewhere !== undefined) continue;
    it(`${nameOf(block)} can be typed as it is`, async () => {
      const cwd = path.join(home, (goesOn ?? nameOf(block)).replaceAll(/\W/g, '-'));
      await mkdir(cwd, { recursive: true });
      const real = (await prepare?.(cwd)) ?? {};
      const lines = block.lines.map((line) =>
        Object.entries(real).reduce((text, [example, found]) => text.replaceAll(example, found), line),
      );
      let at = cwd;
      if (goesOn !== undefined) at = path.join(cwd, 'reviews');
      for (const line of lines) {
        const command = line.replace(/\s+#.*$/, '');
        if (command === 'identity-queries sandbox') {
          await startsAndEnds(at, command);
          continue;
        }
        const { code, said } = typed(at, command);
        const wanted = Object.entries(exits).find(([part]) => command.includes(part))?.[1] ?? 0;
        assert.equal(code, wanted, said);
        const [, folder] = /&& cd (\S+)$/.exec(command) ?? [];
        if (folder !== undefined) at = path.join(at, folder);
      }
    });
  }
});

/** A command that serves until it is interrupted. */
async function startsAndEnds(cwd: string, line: string): Promise<void> {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const chunk of child.stdout as AsyncIterable<Buffer>)
    if (chunk.toString().includes('IDENTITY_QUERIES_BASE_URL')) break;
  child.kill('SIGTERM');
  await ended;
}
