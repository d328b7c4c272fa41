/**
 * Advice that works: every command that a message tells the user to type is typed here, in the situation that it is
 * for, as the shell would take it. Commands are data (`advice.ts`), so a new one does not compile without its case.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { typedText, type Typed } from '#base/advice.ts';
import { advice } from '#cli/advice.ts';
import { gitAdvice, type GitOperation } from '#core/sync/git/git-advice.ts';
import { sandboxEnvironment } from '../helpers/command-line.ts';
import { bareRepository, cloneOf, git, repositoryAt, type Clone } from '../helpers/git-clone.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { startTypedProgram, type TypedProgram } from '../helpers/typed-program.ts';

/** The program as a dependency that npm verifies, which `init ci` needs. */
const lockFile = JSON.stringify({
  packages: { 'node_modules/identity-queries': { integrity: 'sha512-AAAA' } },
});
const repository = path.join(import.meta.dirname, '../..');
let sandbox: RunningSandbox;
let folder: string;
let program: TypedProgram;
let pulled: Promise<Clone> | undefined;

before(async () => {
  sandbox = await startSandbox({ accounts: 50 });
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-advice-'));
  program = await startTypedProgram(folder);
});
after(async () => {
  await program.stop();
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

const environment = () => ({
  ...process.env,
  ...sandboxEnvironment(sandbox),
  IDENTITY_QUERIES_DIGEST_KEY: 'a digest key for tests',
  TEAM_SECRET: sandbox.clientSecret,
  PATH: `${program.bin}:${process.env['PATH'] ?? ''}`,
  XDG_CONFIG_HOME: path.join(folder, 'config'),
  XDG_DATA_HOME: path.join(folder, 'data'),
  GIT_CONFIG_GLOBAL: path.join(folder, 'gitconfig'),
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_EDITOR: 'true',
});

/** Types commands into a shell, one after the other. */
function type(cwd: string, ...typed: readonly Typed[]) {
  const text = typed.map((each) => `${typedText(each)} || exit $?`).join('\n');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', text], {
    cwd,
    env: environment(),
    encoding: 'utf8',
    input: '',
  });
  return { code: status, stdout, said: `${text}\n${stdout}${stderr}` };
}

async function emptyFolder(name: string): Promise<string> {
  const made = path.join(folder, name);
  await mkdir(made, { recursive: true });
  return made;
}

async function folderWithControl(name: string): Promise<string> {
  const made = await emptyFolder(name);
  await writeFile(
    path.join(made, 'a.identity.sql'),
    '-- @control AC-1 Admins\n-- @key id\nSELECT id FROM accounts ORDER BY id LIMIT 2\n',
  );
  return made;
}

/** A clone whose queries were pulled and committed. */
async function pulledClone(name: string): Promise<Clone> {
  const made = await emptyFolder(name);
  git(made, 'init', '-q', '-b', 'main');
  const clone = repositoryAt(made);
  assert.equal(type(made, { program: 'identity-queries', args: ['pull'] }).code, 0);
  clone.commit();
  return clone;
}

const push: Typed = { program: 'identity-queries', args: ['push'] };

/** Begins what stops at a conflict, without a branch, or in the middle of a search. */
async function begin(operation: GitOperation, name: string): Promise<Clone> {
  const clone = await pulledClone(name);
  for (const side of ['theirs', 'mine']) {
    if (side === 'mine') clone.git('checkout', '-q', '--detach', 'HEAD^');
    clone.write('shared.txt', `${side}\n`);
    clone.commit(side);
  }
  const typed: Readonly<Record<GitOperation, readonly string[]>> = {
    rebase: ['rebase', 'main'],
    am: ['am', '--3way', path.join(clone.folder, '.git/theirs.patch')],
    'cherry-pick': ['cherry-pick', 'main'],
    revert: ['revert', '--no-edit', 'HEAD^'],
    merge: ['merge', 'main'],
    bisect: ['bisect', 'start', 'HEAD', 'HEAD^'],
  };
  if (operation === 'am')
    clone.write('.git/theirs.patch', clone.git('format-patch', '--stdout', '-1', 'main'));
  if (operation === 'revert') {
    clone.write('shared.txt', 'later\n');
    clone.commit('later');
  }
  if (operation === 'bisect') clone.git(...typed.bisect);
  else assert.throws(() => clone.git(...typed[operation]));
  return clone;
}

function saidOfPush(clone: Clone, operation: GitOperation): string {
  const { code, said } = type(clone.folder, push);
  assert.equal(code, 1, said);
  assert.match(said, new RegExp(`A ${operation} is under way`));
  return said.replaceAll(/^ +/gm, '');
}

/** Each case prepares the situation, types the advice, and checks that it worked. */
const own: Readonly<Record<keyof typeof advice, (name: string) => Promise<void>>> = {
  listControls: async (name) => works(await folderWithControl(name), advice.listControls()),
  createDigestKey: async (name) => works(await emptyFolder(name), advice.createDigestKey()),
  listRowsOf: async (name) => works(await folderWithControl(name), advice.listRowsOf('AC-1')),
  async waiveRow(name) {
    const cwd = await folderWithControl(name);
    const { stdout } = type(cwd, advice.listRowsOf('AC-1'));
    const [row = ''] = /^[0-9a-f]{12}/m.exec(stdout) ?? [];
    works(cwd, advice.waiveRow('AC-1', row, { hasOwner: false }));
    assert.match(await readFile(path.join(cwd, '.identity-queries/waivers.json'), 'utf8'), new RegExp(row));
  },
  async trustConnections(name) {
    const cwd = await emptyFolder(name);
    await mkdir(path.join(cwd, '.identity-queries'));
    const entry = {
      name: 'Team',
      baseUrl: 'https://api.example.com',
      authUrl: 'https://auth.example.com/token',
      clientId: 'c',
      secretVariable: 'IDENTITY_QUERIES_SECRET',
    };
    await writeFile(path.join(cwd, '.identity-queries/connections.json'), JSON.stringify([entry]));
    // Its question is answered with no by the end of the input.
    const { said } = type(cwd, advice.trustConnections());
    assert.match(said, /Nothing was accepted/);
  },
  async startSandbox(name) {
    const child = spawn('sh', ['-c', `exec ${typedText(advice.startSandbox(0))}`], {
      cwd: await emptyFolder(name),
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    for await (const chunk of child.stdout as AsyncIterable<Buffer>)
      if (chunk.toString().includes('IDENTITY_QUERIES_BASE_URL')) break;
    child.kill('SIGTERM');
    await ended;
  },
  firstQuery: async (name) => works(await emptyFolder(name), advice.firstQuery()),
  async writeModels(name) {
    const cwd = await emptyFolder(name);
    works(cwd, advice.writeModels());
    await writeFile(path.join(cwd, 'a.sql'), 'SELECT nothing FROM accounts');
    const { code, said } = type(cwd, {
      program: 'identity-queries',
      args: ['check', 'a.sql', '--models', 'models.json'],
    });
    assert.deepEqual([code, /UNKNOWN_COLUMN/.test(said)], [1, true], said);
  },
  listModels: async (name) => works(await emptyFolder(name), advice.listModels()),
  async packFromGit(name) {
    const pack = await emptyFolder(`${name}-pack`);
    spawnSync('cp', ['-r', `${path.join(repository, 'library/identity-review-essentials')}/.`, pack]);
    git(pack, 'init', '-q', '-b', 'main');
    repositoryAt(pack).commit();
    git(pack, 'tag', 'v1.0.0');
    works(await emptyFolder(name), advice.packFromGit(`file://${pack}@v1.0.0`));
  },
  listPacks: async (name) => works(await emptyFolder(name), advice.listPacks()),
  showPlan: async (name) => works((await pulledClone(name)).folder, advice.showPlan()),
  async writePlan(name) {
    const { folder: cwd } = await pulledClone(name);
    works(cwd, advice.writePlan('a plan.json'), {
      program: 'identity-queries',
      args: ['push', '--plan', 'a plan.json'],
    });
  },
  showStatus: async (name) => works((await pulledClone(name)).folder, advice.showStatus()),
  checkFile: async (name) => works(await folderWithControl(name), advice.checkFile('a.identity.sql')),
  runFile: async (name) => works(await folderWithControl(name), advice.runFile('a.identity.sql')),
  // The sandbox has this query.
  runSaved: async (name) =>
    works(await emptyFolder(name), advice.runSaved('Access reviews/Admins without MFA')),
  listSaved: async (name) => works(await emptyFolder(name), advice.listSaved()),
  async examine(name) {
    const cwd = await emptyFolder(name);
    works(cwd, advice.examine());
    // One of several, in a file of its own: the advice names it as the command did.
    const entry = { baseUrl: sandbox.baseUrl, authUrl: sandbox.authUrl, clientId: sandbox.clientId };
    const named = (connection: string, over: object) => ({
      ...{ name: connection, ...entry, secretVariable: 'TEAM_SECRET' },
      ...over,
    });
    const list = [named('one', {}), named('my other', { clientId: 'sandbox-no-scopes' })];
    await writeFile(path.join(cwd, 'my file.json'), JSON.stringify(list));
    const chosen = { connection: 'my other', connections: 'my file.json' };
    const typed = typedText(advice.examine(chosen));
    for (const how of ['--connection', '--on']) {
      const args = [
        'run',
        '-',
        '--connections',
        'my file.json',
        how,
        how === '--on' ? 'one,my other' : 'my other',
      ];
      const { said } = type(cwd, { program: 'identity-queries', args, input: 'SELECT 1 AS n' });
      assert.ok(said.includes(`run: ${typed}\n`), said);
    }
    assert.match(type(cwd, advice.examine(chosen)).said, /my other/);
  },
  serve: async (name) => {
    // Without an editor there is no message, so the server ends with its input.
    const { said } = type(await emptyFolder(name), advice.serve());
    assert.doesNotMatch(said, /identity-queries: /);
  },
  exportHelp: async (name) => works(await emptyFolder(name), advice.exportHelp()),
  goTo: async (name) => works(folder, advice.goTo(await emptyFolder(`${name} with a blank`))),
  async initCi(name) {
    const cwd = await folderWithControl(name);
    git(cwd, 'init', '-q');
    await writeFile(path.join(cwd, 'package-lock.json'), lockFile);
    for (const service of ['github', 'gitlab', 'azure'])
      works(
        cwd,
        advice.initCi(service),
        advice.initCi(service, '--print'),
        advice.initCi(service, '--force'),
      );
  },
};

const ofGit: Readonly<Record<keyof typeof gitAdvice, (name: string) => Promise<void>>> = {
  async fetchHistory(name) {
    const bare = bareRepository(await emptyFolder(name));
    const first = cloneOf(bare, path.join(folder, name, 'first'));
    first.commit('Two');
    first.git('push', '-q', 'origin', 'main');
    const shallow = cloneOf(`file://${bare}`, path.join(folder, name, 'shallow'), '--depth', '1');
    works(shallow.folder, ...gitAdvice.fetchHistory());
    assert.equal(shallow.git('rev-list', '--count', 'HEAD').trim(), '2');
  },
  async checkOut(name) {
    const clone = await pulledClone(name);
    clone.git('sparse-checkout', 'set', 'other');
    const { said } = type(clone.folder, advice.showStatus());
    const typed = gitAdvice.checkOut(await realpath(clone.folder), 'queries');
    assert.ok(
      typed.every((one) => said.includes(typedText(one))),
      said,
    );
    works(clone.folder, ...typed, advice.showStatus());
  },
  async cloneBeside(name) {
    const bare = path.join(await emptyFolder(name), 'team.git');
    git(folder, 'clone', '-q', '--bare', (await pulledClone(`${name}-of`)).folder, bare);
    const typed = gitAdvice.cloneBeside(
      await realpath(bare),
      path.join(await realpath(path.dirname(bare)), 'team-clone'),
    );
    const { said } = type(bare, advice.showStatus());
    assert.ok(
      typed.every((one) => said.includes(typedText(one))),
      said,
    );
    works(bare, ...typed, advice.showStatus());
  },
  async leaveGitFolder(name) {
    const top = await realpath((await pulledClone(name)).folder);
    const typed = gitAdvice.leaveGitFolder(top);
    const { said } = type(path.join(top, '.git'), advice.showStatus());
    assert.ok(
      typed.every((one) => said.includes(typedText(one))),
      said,
    );
    works(path.join(top, '.git'), ...typed, advice.showStatus());
  },
  async commitFirst(name) {
    const cwd = await emptyFolder(name);
    git(cwd, 'init', '-q');
    const below = await emptyFolder(`${name}/below`);
    works(below, ...gitAdvice.commitFirst(), advice.showPlan());
    // The queries may be in a folder of the repository.
    const inner = await emptyFolder(`${name}-inner/services/identity`);
    git(path.join(folder, `${name}-inner`), 'init', '-q');
    works(inner, { program: 'identity-queries', args: ['pull', '--folder', '.'] });
    const typed = gitAdvice.commitFirst().filter(({ program }) => program === 'git');
    works(inner, ...typed, advice.showPlan());
  },
  trustFolder: async (name) => works(folder, ...gitAdvice.trustFolder(await emptyFolder(`${name} x`))),
  async createRepository(name) {
    const cwd = await emptyFolder(name);
    works(folder, ...gitAdvice.createRepository(cwd), advice.goTo(cwd), {
      program: 'identity-queries',
      args: ['pull'],
    });
  },
  async switchToBranch(name) {
    const clone = await pulledClone(name);
    for (const branch of ['main', 'master', 'trunk']) {
      clone.git('branch', '-q', '-m', branch);
      clone.git('checkout', '-q', '--detach');
      const { said } = type(clone.folder, push);
      const typed = gitAdvice.switchToBranch(branch);
      assert.match(said, new RegExp(typed.map(typedText).join(' ')));
      works(clone.folder, ...typed, push);
    }
  },
  async finishOperation(name) {
    for (const operation of ['rebase', 'cherry-pick'] as const) {
      const clone = await begin(operation, `${name} ${operation}`);
      const typed = gitAdvice.finishOperation(operation);
      assert.ok(saidOfPush(clone, operation).includes(typed.map(typedText).join('\n')));
      clone.write('shared.txt', 'both\n');
      clone.git('add', '-A');
      works(clone.folder, ...typed);
      assert.doesNotMatch(type(clone.folder, push).said, /under way/);
    }
  },
  async giveUpOperation(name) {
    for (const operation of ['am', 'revert', 'merge', 'bisect'] as const) {
      const clone = await begin(operation, `${name} ${operation}`);
      const typed = gitAdvice.giveUpOperation(operation);
      assert.ok(saidOfPush(clone, operation).includes(typed.map(typedText).join('\n')));
      works(clone.folder, ...typed);
      assert.doesNotMatch(type(clone.folder, push).said, /under way/);
    }
  },
  async createBranch(name) {
    const clone = await pulledClone(name);
    clone.git('checkout', '-q', '--detach');
    works(clone.folder, ...gitAdvice.createBranch('my-change'), advice.showPlan());
  },
  async restoreFile(name) {
    const { folder: cwd, file } = await withQuery(name);
    await rm(path.join(cwd, file));
    works(cwd, ...gitAdvice.restoreFile(file), advice.showPlan());
    // Also what is damaged and staged, as after `git add` in the middle of an edit.
    const metadata = file.replace(/sql$/, 'json');
    await writeFile(path.join(cwd, metadata), '{ "name": ');
    git(cwd, 'add', metadata);
    const typed = gitAdvice.restoreFile(metadata);
    const { said } = type(cwd, advice.showStatus());
    for (const each of typed) assert.ok(said.includes(typedText(each)), said);
    works(cwd, ...typed, advice.showPlan());
  },
  async takeFrom(name) {
    const { folder: cwd, file } = await withQuery(name);
    const metadata = file.replace(/sql$/, 'json');
    const waivers = '.identity-queries/waivers.json';
    const clone = repositoryAt(cwd);
    clone.write(
      'a.identity.sql',
      '-- @control AC-1 Admins\n-- @key id\nSELECT id FROM accounts ORDER BY id LIMIT 2\n',
    );
    const [row = ''] = /^[0-9a-f]{12}/m.exec(type(cwd, advice.listRowsOf('AC-1')).stdout) ?? [];
    works(cwd, advice.waiveRow('AC-1', row, { hasOwner: false }));
    clone.commit();
    // A merge that kept the lines of both sides, and one that kept its markers, were committed.
    for (const [damaged, damage, uses] of [
      [metadata, '{ "name": ', advice.showPlan()],
      [waivers, '<<<<<<< one\n{}\n=======\n{}\n>>>>>>> two\n', advice.listRowsOf('AC-1')],
    ] as const) {
      const last = clone.git('log', '-1', '--format=%H', '--', damaged).slice(0, 12);
      clone.write(damaged, damage);
      clone.commit();
      const { said } = type(cwd, uses);
      const typed = gitAdvice.takeFrom(last, damaged);
      for (const each of typed) assert.ok(said.includes(typedText(each)), said);
      works(cwd, ...typed);
      clone.commit();
      works(cwd, uses);
    }
  },
  async removeFile(name) {
    const { folder: cwd, file } = await withQuery(name);
    works(cwd, ...gitAdvice.removeFile(file), ...gitAdvice.removeFile(file.replace(/sql$/, 'json')));
    const [uncommitted, metadata] = await writeUncommitted(cwd);
    await rm(path.join(cwd, uncommitted));
    assert.match(type(cwd, advice.showStatus()).said, /no query beside it. Delete/);
    works(cwd, ...gitAdvice.removeFile(metadata));
    assert.doesNotMatch(type(cwd, advice.showStatus()).said, /no query beside it/);
  },
  async renameFile(name) {
    const { folder: cwd, file } = await withQuery(name);
    const to = 'queries/new-name.identity.sql';
    const metadata = (of: string) => of.replace(/sql$/, 'json');
    works(cwd, ...gitAdvice.renameFile(file, to), ...gitAdvice.renameFile(metadata(file), metadata(to)));
    works(cwd, advice.showStatus());
    const [uncommitted, beside] = await writeUncommitted(cwd);
    const moved = 'queries/moved.identity.sql';
    await rename(path.join(cwd, uncommitted), path.join(cwd, moved));
    const below = await emptyFolder(path.relative(folder, path.join(cwd, 'below')));
    const { said } = type(below, advice.showStatus());
    const typed = gitAdvice.renameFile(beside, metadata(moved));
    for (const each of [...typed, advice.goTo(cwd)]) assert.ok(said.includes(typedText(each)), said);
    // It is told once what to do with the query, and not to write metadata that is there.
    assert.doesNotMatch(said, /Create/);
    works(below, advice.goTo(cwd), ...typed);
    const after = type(cwd, advice.showStatus()).said;
    assert.match(after, /New: new here/);
    assert.doesNotMatch(after, /no query beside it|it has no name/);
  },
  takeOurs: async (name) => inConflict(name, (file) => gitAdvice.takeOurs(file)),
  takeTheirs: async (name) => inConflict(name, (file) => gitAdvice.takeTheirs(file)),
  async keepLineEnds(name) {
    const { folder: cwd } = await withQuery(name);
    const below = path.join(cwd, 'queries');
    works(
      below,
      ...gitAdvice.keepLineEnds(cwd, 'queries', '.gitattributes', '*.identity.sql'),
      advice.showPlan(),
    );
  },
};

function works(cwd: string, ...typed: readonly Typed[]): void {
  const { code, said } = type(cwd, ...typed);
  assert.equal(code, 0, said);
}

/** Returns a copy of a clone whose queries were pulled and committed, and one of the queries. */
async function withQuery(name: string): Promise<{ readonly folder: string; readonly file: string }> {
  pulled ??= pulledClone('pulled');
  const made = path.join(folder, name);
  await cp((await pulled).folder, made, { recursive: true });
  const files = await readdir(path.join(made, 'queries'), { recursive: true });
  const file = files.find((each) => each.endsWith('.identity.sql'));
  assert.ok(file !== undefined);
  return { folder: made, file: `queries/${file}` };
}

/** Writes a query that Git does not know yet. */
async function writeUncommitted(cwd: string): Promise<readonly [text: string, metadata: string]> {
  const files = ['queries/new.identity.sql', 'queries/new.identity.json'] as const;
  await writeFile(path.join(cwd, files[0]), 'SELECT 1\n');
  await writeFile(path.join(cwd, files[1]), '{"name":"New","model":"platform_identity"}\n');
  return files;
}

/** Two branches changed the same line of a query's metadata. */
async function inConflict(name: string, take: (file: string) => readonly Typed[]): Promise<void> {
  const { folder: cwd, file } = await withQuery(name);
  const clone = repositoryAt(cwd);
  const metadata = file.replace(/sql$/, 'json');
  const before = clone.read(metadata);
  for (const branch of ['one', 'two']) {
    clone.git('checkout', '-q', '-b', branch, 'main');
    clone.write(metadata, before.replace(/"model": "[^"]*"/, `"model": "${branch}"`));
    clone.commit();
  }
  assert.throws(() => clone.git('merge', '-q', '--no-edit', 'one'));
  assert.match(type(cwd, advice.showStatus()).said, /conflict markers on line \d+.*git checkout --ours/);
  works(cwd, ...take(metadata));
  assert.doesNotMatch(type(cwd, advice.showStatus()).said, /conflict markers/);
}

describe('what a message tells to type works', () => {
  for (const [name, follow] of Object.entries(own)) it(`this program: ${name}`, () => follow(`own-${name}`));
  for (const [name, follow] of Object.entries(ofGit)) it(`Git: ${name}`, () => follow(`git-${name}`));
});
