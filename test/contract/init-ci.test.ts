/**
 * `init ci`: each workflow is parsed as by the CI service, and its jobs run against the sandbox and a bare repository.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { createClient, type ServiceClient } from '#api/client/client.ts';
import { fromRoot } from '#scripts/lib/paths.js';
import { runCli, sandboxEnvironment } from '../helpers/command-line.ts';
import { bareRepository, cloneOf, type Clone } from '../helpers/git-clone.ts';
import { listen, sendJson, type Listener } from '../helpers/http.ts';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';
import { startTypedProgram, type TypedProgram } from '../helpers/typed-program.ts';

const services = ['github', 'gitlab', 'azure'] as const;
type Service = (typeof services)[number];

interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A job's steps, and all conditions under which it runs. */
interface Job {
  readonly steps: readonly Step[];
  readonly condition: string;
  readonly text: string;
  /** Whether the service ends a script at a command that fails. Azure does not. */
  readonly stopsAtFailure: boolean;
}

interface GithubFile {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { if?: string; permissions?: unknown; steps: readonly (Partial<Step> & object)[] }>
  >;
}
type GitlabFile = Readonly<Record<string, { rules: readonly { if: string }[]; script: readonly string[] }>>;
interface AzureFile {
  readonly jobs: readonly {
    job: string;
    condition?: string;
    steps: readonly { script?: string; env?: Step['env'] }[];
  }[];
}

/** Returns a workflow's jobs by name. All three services use the same names. */
function jobsOf(service: Service, workflow: string): ReadonlyMap<string, Job> {
  const parsed: unknown = parse(workflow, { strict: true, uniqueKeys: true });
  switch (service) {
    case 'github':
      return new Map(
        Object.entries((parsed as GithubFile).jobs).map(([name, job]) => [
          name,
          {
            steps: job.steps.flatMap(({ run, env = {} }) => (run === undefined ? [] : [{ run, env }])),
            condition: job.if ?? '',
            text: JSON.stringify(job),
            stopsAtFailure: true,
          },
        ]),
      );
    case 'gitlab':
      return new Map(
        Object.entries(parsed as GitlabFile).map(([name, job]) => [
          name.replace('identity-queries-', ''),
          {
            steps: job.script.map((run) => ({ run, env: {} })),
            condition: job.rules.map((rule) => rule.if).join(' || '),
            text: JSON.stringify(job),
            stopsAtFailure: true,
          },
        ]),
      );
    case 'azure':
      return new Map(
        (parsed as AzureFile).jobs.map((job) => [
          job.job,
          {
            steps: job.steps.flatMap(({ script, env = {} }) =>
              script === undefined ? [] : [{ run: script, env }],
            ),
            condition: job.condition ?? '',
            text: JSON.stringify(job),
            stopsAtFailure: false,
          },
        ]),
      );
    default:
      return service satisfies never;
  }
}

let sandbox: RunningSandbox;
let client: ServiceClient;
let folder: string;
let clone: Clone;
let bare: string;
let api: Listener | undefined;
let program: TypedProgram;
let programFolder: string;

before(async () => {
  programFolder = await mkdtemp(path.join(tmpdir(), 'identity-queries-ci-'));
  program = await startTypedProgram(programFolder);
  sandbox = await startSandbox({ accounts: 50 });
  client = createClient(sandbox);
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-ci-'));
  bare = bareRepository(folder);
  clone = cloneOf(bare, path.join(folder, 'one'));
  for await (const { query_id } of client.savedQueries.listAll()) await client.savedQueries.delete(query_id);
});
afterEach(async () => {
  await api?.close();
  api = undefined;
  await rm(folder, { recursive: true });
});
after(async () => {
  await client.close();
  await sandbox.stop();
  await program.stop();
  await rm(programFolder, { recursive: true });
});

/** Runs a job like a CI runner: one shell per step, stopping at the first failing command. */
async function typed(
  job: Job | undefined,
  at: Clone,
  more: NodeJS.ProcessEnv = {},
  wrapper: readonly string[] = [],
) {
  assert.ok(job);
  let output = '';
  for (const { run } of job.steps) {
    const shell = ['bash', ...(job.stopsAtFailure ? ['-e', '-o', 'pipefail'] : []), '-c', run];
    const child = spawn('env', [...wrapper, ...shell], {
      cwd: at.folder,
      env: {
        PATH: `${folder}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: folder,
        XDG_CONFIG_HOME: path.join(folder, 'home'),
        XDG_DATA_HOME: path.join(folder, 'data', path.basename(at.folder)),
        GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
        BUILD_SOURCESDIRECTORY: at.folder,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>; // `close` passes the exit code, or null
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    output += out + err;
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

const programFile = 'tools/identity-queries.mjs';

/** @param file the program: the small one, which knows no container, or what is shipped. */
const initWith = async (file: string, service: Service, at: Clone, ...args: readonly string[]) => {
  at.write(programFile, `await import(${JSON.stringify(pathToFileURL(file).href)});\n`);
  return await runCli(['init', 'ci', service, '--package', programFile, ...args], { cwd: at.folder });
};

const init = (service: Service, at: Clone, ...args: readonly string[]) =>
  initWith(program.module, service, at, ...args);

async function repositoryWithBoth(): Promise<void> {
  await client.savedQueries.create({ name: 'Orphans', query_string: 'SELECT 1\n' });
  const pulled = await runCli(['pull'], { cwd: clone.folder, env: sandboxEnvironment(sandbox) });
  assert.equal(pulled.code, 0, pulled.stderr);
  clone.write('admins.identity.sql', '-- @control AC-1 No admin\nSELECT id FROM accounts WHERE false\n');
  clone.write('.gitignore', 'home\ndata\n');
  clone.commit();
  clone.git('push', '-q', 'origin', 'HEAD:main');
}

/** How containers of CI differ from a developer's machine. What needs root is a container's own, too. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const nobody = 65_534;
const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && cd "$PWD" && exec "$@"';
interface Container {
  readonly wrapper: (folder: string) => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly owner?: number;
  /** Whether only the checkout is the owner's: a remote of another user has its own configuration. */
  readonly ownsCheckout?: boolean;
}
const noHome = { HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined };
const containers: Readonly<Record<string, Container>> = {
  'without a home and a terminal': {
    wrapper: () => (process.platform === 'linux' ? ['setsid', '--wait'] : []),
    env: { ...noHome, TERM: 'dumb', TZ: 'Asia/Tokyo' },
  },
  ...(isRoot
    ? {
        'as another user on a read-only file system': {
          wrapper: (below: string) => [
            ...['unshare', '--mount', 'sh', '-c', readOnly, below],
            ...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'],
          ],
          env: { ...noHome, HOME: '/', TMPDIR: '/tmp' },
          owner: nobody,
        },
        'in a folder of another user that the environment trusts': {
          wrapper: () => [],
          env: {
            ...noHome,
            GIT_CONFIG_COUNT: '2',
            GIT_CONFIG_KEY_0: 'core.hooksPath',
            GIT_CONFIG_VALUE_0: '/nowhere',
            GIT_CONFIG_KEY_1: 'safe.directory',
            GIT_CONFIG_VALUE_1: '*',
          },
          owner: nobody,
          ownsCheckout: true,
        },
      }
    : {}),
};

describe('a workflow in a clean container', () => {
  for (const [at, [what, { wrapper, env, owner, ownsCheckout }]] of Object.entries(containers).entries())
    for (const service of [services[at % services.length] ?? 'github'])
      it(`runs each job on ${service} ${what}`, async () => {
        await repositoryWithBoth();
        const { stdout } = await initWith(fromRoot('dist/cli.js'), service, clone, '--print');
        clone.write('queries/orphans.identity.sql', 'SELECT 2\n');
        clone.commit();
        clone.git('push', '-q', 'origin', 'HEAD:main');
        const jobs = jobsOf(service, stdout);
        const merged = cloneOf(bare, path.join(folder, 'merged'));
        merged.git('checkout', '-q', '--detach');
        chmodSync(folder, 0o755);
        if (owner !== undefined)
          execFileSync('chown', ['-R', String(owner), ownsCheckout === true ? merged.folder : folder]);
        const secrets = { ...sandboxEnvironment(sandbox), IDENTITY_QUERIES_DIGEST_KEY: 'x'.repeat(32) };
        api = await commentsApi(service);
        const more = { ...env, ...secrets, ...commentEnvironment(service, api.url) };
        // The second run of the history finds what the first one left on its branch.
        for (const name of ['check', 'plan', 'push', 'drift', 'controls', 'history', 'history']) {
          const { code, output } = await typed(jobs.get(name), merged, more, wrapper(folder));
          assert.equal(code, 0, `${name}: ${output}`);
          assert.ok(!output.includes(sandbox.clientSecret), 'a secret is printed');
        }
        const runs = execFileSync('git', ['-C', bare, 'ls-tree', '--name-only', 'identity-queries-history'], {
          env: {
            ...process.env,
            GIT_CONFIG_COUNT: '1',
            GIT_CONFIG_KEY_0: 'safe.directory',
            GIT_CONFIG_VALUE_0: '*',
          },
          encoding: 'utf8',
        });
        assert.equal(runs.trim().split('\n').length, 2, runs);
        const [saved] = await Array.fromAsync(client.savedQueries.listAll());
        assert.equal(saved?.query_string, 'SELECT 2\n');
      });
});

describe('a workflow that init ci writes', () => {
  for (const service of services) {
    it(`checks, plans, pushes, finds drift and runs controls on ${service}`, async () => {
      await repositoryWithBoth();
      const { stdout } = await init(service, clone, '--print');
      clone.commit();
      clone.git('push', '-q', 'origin', 'HEAD:main');
      const jobs = jobsOf(service, stdout);
      assert.deepEqual([...jobs.keys()], ['check', 'plan', 'push', 'drift', 'controls', 'history']);
      const secrets = { ...sandboxEnvironment(sandbox), IDENTITY_QUERIES_DIGEST_KEY: 'x'.repeat(32) };

      clone.git('switch', '-q', '-c', 'change');
      clone.write('queries/orphans.identity.sql', 'SELECT 2\n');
      clone.commit();
      clone.git('push', '-q', 'origin', 'change');
      const request = cloneOf(bare, path.join(folder, 'request'));
      request.git('checkout', '-q', '--detach', 'origin/change');
      // No secrets, as in a pull request from a fork.
      const checked = await typed(jobs.get('check'), request);
      assert.equal(checked.code, 0, checked.output);
      api = await commentsApi(service);
      const comment = commentEnvironment(service, api.url);
      const planned = await typed(jobs.get('plan'), request, { ...secrets, ...comment });
      assert.equal(planned.code, 0, planned.output);
      assert.match(request.read('plan.md'), /^<!-- identity-queries plan -->\n.*1 to push\n/);
      assert.match(request.read('plan.md'), /Orphans\\: changed here/);
      assert.equal((await typed(jobs.get('plan'), request, { ...secrets, ...comment })).code, 0);
      const written = api.seen.filter(({ method }) => method !== 'GET');
      assert.deepEqual(
        written.map(({ method, path: at }) => `${method} ${at}`),
        commentWrites[service],
      );
      for (const { body } of written) assert.match(body, /identity-queries plan -->.*Orphans/);

      clone.git('push', '-q', 'origin', 'change:main');
      const merged = cloneOf(bare, path.join(folder, 'merged'));
      merged.git('checkout', '-q', '--detach');
      const pushed = await typed(jobs.get('push'), merged, secrets);
      assert.equal(pushed.code, 0, pushed.output);
      const [saved] = await Array.fromAsync(client.savedQueries.listAll());
      assert.equal(saved?.query_string, 'SELECT 2\n');
      assert.equal((await typed(jobs.get('drift'), merged, secrets)).code, 0);
      await client.savedQueries.update(saved.query_id, {
        name: saved.name,
        model: saved.model,
        query_string: 'SELECT 3\n',
        expected_version: saved.version,
      });
      const drift = await typed(jobs.get('drift'), merged, secrets);
      assert.equal(drift.code, 2, drift.output);
      assert.match(drift.output, /Orphans: changed on the service/);
      // A push leaves orphans for a pull and succeeds if there is nothing to send.
      assert.equal((await typed(jobs.get('push'), merged, secrets)).code, 0);

      const controls = await typed(jobs.get('controls'), merged, secrets);
      assert.equal(controls.code, 0, controls.output);
      assert.match(merged.read('controls.md'), /1 passed/);
      for (const file of ['controls.xml', 'controls.sarif']) assert.match(merged.read(file), /AC-1/);
    });

    it(`gives forks no credentials on ${service}`, async () => {
      const { stdout } = await init(service, clone, '--print');
      const jobs = jobsOf(service, stdout);
      const own = {
        github: /head\.repo\.full_name == github\.repository/,
        gitlab: /\$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == \$CI_MERGE_REQUEST_PROJECT_ID/,
        azure: /System\.PullRequest\.IsFork'\], 'True'/,
      }[service];
      for (const [name, { condition, text: all, steps }] of jobs) {
        const isForRequests = /pull_request|merge_request_event|PullRequest/.test(condition);
        if (name !== 'check' && isForRequests) assert.match(condition, own, name);
        if (name === 'check') {
          assert.doesNotMatch(all, /secrets\.|IDENTITY_QUERIES_|AccessToken|write/);
          assert.deepEqual(
            steps.flatMap(({ env }) => Object.keys(env)),
            [],
          );
        } else if (name === 'push' || name === 'drift') assert.ok(!isForRequests, name);
      }
      assert.doesNotMatch(stdout, /pull_request_target/);
      // Scripts refer to secrets by variable name, so values are never interpolated into shell code.
      for (const { steps } of jobs.values())
        for (const { run } of steps) assert.doesNotMatch(run, /\$\{\{|\$\(/);
    });

    it(`has only the jobs that the repository needs on ${service}`, async () => {
      clone.write('a.identity.sql', '-- @control AC-1 One\nSELECT 1\n');
      const controls = await init(service, clone);
      assert.match(controls.stderr, /no files of saved queries here/);
      const written = readFileSync(path.join(clone.folder, fileNames[service]), 'utf8');
      assert.deepEqual([...jobsOf(service, written).keys()], ['check', 'controls', 'history']);
      await rm(path.join(clone.folder, 'a.identity.sql'));
      clone.write('queries/saved-queries.json', '{"format":1,"queries":[]}\n');
      assert.equal((await init(service, clone)).code, 2);
      const queries = await init(service, clone, '--force');
      assert.match(queries.stderr, /no controls here/);
      const replaced = readFileSync(path.join(clone.folder, fileNames[service]), 'utf8');
      assert.deepEqual([...jobsOf(service, replaced).keys()], ['check', 'plan', 'push', 'drift']);
      assert.doesNotMatch(replaced, /DIGEST_KEY/);
    });
  }

  it('types the same for all services, but for how Git signs in, and how a script ends', async () => {
    clone.write('a.identity.sql', '-- @control AC-1 One\nSELECT 1\n');
    clone.write('queries/saved-queries.json', '{"format":1,"queries":[]}\n');
    const scripts: string[] = [];
    for (const service of services) {
      const { stdout } = await init(service, clone, '--print');
      const jobs = jobsOf(service, stdout);
      // The first step verifies the program; after the second one, GitHub has its summary.
      const runs = ['push', 'history'].flatMap((name) => jobs.get(name)?.steps.slice(0, 2) ?? []);
      assert.equal(runs.length, 4);
      for (const { run } of runs) {
        if (service === 'github') assert.doesNotMatch(run, /\bgit (?:push|fetch|ls-remote)\b/);
        if (service === 'azure') assert.match(run, /^set -e\n/);
      }
      const text = runs.map(({ run }) => run.replace(/^set -e\n/, '').trim()).join('\n');
      scripts.push(
        text.replaceAll(/ -c credential\.helper='[^']*'/g, '').replaceAll('"$CI_DEFAULT_BRANCH"', 'main'),
      );
    }
    const [github, gitlab, azure] = scripts;
    assert.equal(gitlab, github);
    assert.equal(azure, github);
  });

  it('records the IDs of new queries, on another branch if the main branch is protected', async () => {
    await repositoryWithBoth();
    // The only service where the name of the main branch is a variable.
    const { stdout } = await init('gitlab', clone, '--print');
    const push = jobsOf('gitlab', stdout).get('push');
    const variables = { ...sandboxEnvironment(sandbox), CI_DEFAULT_BRANCH: 'main' };
    const pushed = async (name: string, beforeRun = () => {}) => {
      clone.git('pull', '-q', '--rebase', 'origin', 'main');
      const slug = name.toLowerCase();
      clone.describe(slug, { name });
      clone.write(`queries/${slug}.identity.sql`, `SELECT '${name}'\n`);
      clone.commit();
      clone.git('push', '-q', 'origin', 'HEAD:main');
      const at = cloneOf(bare, path.join(folder, slug));
      at.git('checkout', '-q', '--detach');
      beforeRun();
      return await typed(push, at, variables);
    };
    const idOf = async (name: string) =>
      (await Array.fromAsync(client.savedQueries.listAll())).find((each) => each.name === name)?.query_id;
    const metadataOf = (branch: string, slug: string) =>
      clone.git('show', `origin/${branch}:queries/${slug}.identity.json`);

    const first = await pushed('Leavers');
    assert.equal(first.code, 0, first.output);
    clone.git('fetch', '-q');
    assert.match(metadataOf('main', 'leavers'), new RegExp((await idOf('Leavers')) ?? '-'));
    assert.match(clone.git('log', '-1', '--format=%s', 'origin/main'), /\[skip ci\]/);

    const hook = path.join(bare, 'hooks', 'update');
    writeFileSync(hook, '#!/bin/sh\n[ "$1" != refs/heads/main ] || [ ! -e "$GIT_DIR/protected" ]\n');
    chmodSync(hook, 0o755);
    clone.git('pull', '-q', '--rebase', 'origin', 'main');
    const protect = () => writeFileSync(path.join(bare, 'protected'), '');
    const second = await pushed('Joiners', protect);
    assert.equal(second.code, 1, second.output);
    assert.match(second.output, /Merge the branch identity-queries-ids, or pull/);
    clone.git('fetch', '-q');
    const id = new RegExp((await idOf('Joiners')) ?? '-');
    assert.doesNotMatch(metadataOf('main', 'joiners'), id);
    assert.match(metadataOf('identity-queries-ids', 'joiners'), id);
  });

  it('keeps the outcomes of scheduled controls on a branch, and tells what is new', async () => {
    await repositoryWithBoth();
    const told: string[] = [];
    const receiver = await listen((request, response) => {
      told.push(request.body);
      response.writeHead(204).end();
    });
    clone.write(
      'alerts/notify.json',
      '[{"name":"on-call","kind":"webhook","urlVariable":"ALERTS_URL","secretVariable":"ALERTS_SECRET","allowPrivateAddress":true}]',
    );
    // The only service that goes on after a command that fails.
    const { stdout } = await init('azure', clone, '--print', '--notify', 'alerts/notify.json');
    for (const name of ['ALERTS_URL', 'ALERTS_SECRET']) assert.match(stdout, new RegExp(`# +${name}\n`));
    clone.commit();
    clone.git('push', '-q', 'origin', 'HEAD:main');
    const secrets = {
      ...sandboxEnvironment(sandbox),
      IDENTITY_QUERIES_DIGEST_KEY: 'x'.repeat(32),
      ALERTS_URL: receiver.url,
      ALERTS_SECRET: 'a secret of alerts',
    };
    const job = jobsOf('azure', stdout).get('history');
    // One machine is used again, with what the job before left there.
    const used = cloneOf(bare, path.join(folder, 'used'));
    for (const [index, query] of ['SELECT 1 AS id', 'SELECT 1 AS id WHERE false'].entries()) {
      clone.write('admins.identity.sql', `-- @control AC-1 No admin\n-- @key id\n${query}\n`);
      clone.commit();
      clone.git('push', '-q', 'origin', 'HEAD:main');
      used.git('fetch', '-q');
      used.git('checkout', '-q', '--detach', 'origin/main');
      const ran = await typed(job, used, secrets);
      assert.equal(ran.code, index === 0 ? 1 : 0, ran.output);
      assert.match(ran.output, index === 0 ? /Failed: AC-1/ : /Back to pass: AC-1/);
      assert.equal(told.length, index + 1);
      assert.match(told[index] ?? '', /AC-1/);
      assert.ok(!ran.output.includes('a secret of alerts'));
    }
    // Another job adds a run while this one is at work: neither is lost.
    const hook = path.join(bare, 'hooks', 'update');
    const late = path.join(folder, 'late');
    const [first = ''] = clone.git('ls-remote', 'origin', 'refs/heads/identity-queries-history').split('\t');
    writeFileSync(
      hook,
      `#!/bin/sh
  case $1 in refs/heads/identity-queries-history) [ -e '${late}' ] || {
    touch '${late}'
    unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
    git update-ref "$1" $(git -c user.name=o -c user.email=o@example.com commit-tree -p ${first} -m other ${first}^{tree})
  } ;; esac
  `,
    );
    chmodSync(hook, 0o755);
    const ran = await typed(job, used, secrets);
    assert.equal(ran.code, 0, ran.output);
    await rm(hook);
    await receiver.close();
    clone.git('fetch', '-q');
    assert.match(clone.git('log', '--format=%s', 'origin/identity-queries-history'), /^other$/m);
    const files = clone.git('ls-tree', '--name-only', 'origin/identity-queries-history').trim().split('\n');
    const runs = files.filter((file) => file.endsWith('.jsonl'));
    assert.equal(runs.length, 3);
    for (const file of runs) assert.match(file, /^[\dTZ]+-[0-9a-f]{12}\.jsonl$/);
    assert.doesNotMatch(clone.git('log', '--format=%s', 'origin/main'), /Outcomes/);
  });

  it('names a file of receivers only of the repository, and what is wrong with it', async () => {
    await repositoryWithBoth();
    clone.write('notify.json', '[{"name":"a","kind":"webhook","url":"https://example.com","token":"x"}]');
    clone.write('names.json', '[{"name":"a","kind":"slack","urlVariable":"A B; rm -rf /"}]');
    for (const [file, words] of [
      ['../outside.json', /cannot be read|is not a path/],
      ['/etc/passwd', /is not a path/],
      ['a;b', /is not a path/],
      ['none.json', /cannot be read: it does not exist/],
      ['notify.json', /contains a secret/],
      ['names.json', /is not the name of an environment variable/],
    ] as const) {
      const { code, stderr, stdout } = await init('github', clone, '--print', '--notify', file);
      assert.deepEqual([code, stdout], [2, ''], file);
      assert.match(stderr, words);
    }
  });

  it('pins its actions by commit, and leaves no credentials in the checkout, on GitHub', async () => {
    const { stdout } = await init('github', clone, '--print', '--upload-sarif');
    const uses = [...stdout.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name);
    assert.ok(uses.length > 8);
    for (const name of uses) assert.match(name, /^(?:actions|github)\/[\w/-]+@[0-9a-f]{40}$/);
    assert.doesNotMatch(stdout, /persist-credentials: true/);
  });

  it('declares events and permissions on GitHub', async () => {
    const { stdout } = await init('github', clone, '--print', '--upload-sarif');
    const { on, permissions, jobs } = parse(stdout) as GithubFile; // checked by the next assertions
    assert.deepEqual(Object.keys(on), ['pull_request', 'push', 'schedule', 'workflow_dispatch']);
    assert.deepEqual(permissions, { contents: 'read' });
    const rights = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
    assert.deepEqual(Object.fromEntries(rights), {
      check: undefined,
      plan: { contents: 'read', 'pull-requests': 'write' },
      push: { contents: 'write' },
      drift: undefined,
      controls: { actions: 'read', contents: 'read', 'security-events': 'write' },
      history: { actions: 'read', contents: 'write', 'security-events': 'write' },
    });
    const without = await init('github', clone, '--print');
    assert.doesNotMatch(without.stdout, /upload-sarif|security-events/);
  });
});

const fileNames: Readonly<Record<Service, string>> = {
  github: '.github/workflows/identity-queries.yml',
  gitlab: '.gitlab-ci.yml',
  azure: 'azure-pipelines.yml',
};

/** How many comments others wrote before: more than a page. */
const othersCount = 250;

/** The first run adds a comment, and the second replaces only that comment. */
const commentWrites: Readonly<Record<Service, readonly string[]>> = {
  github: ['POST /repos/team/queries/issues/7/comments', 'PATCH /repos/team/queries/issues/comments/251'],
  gitlab: ['POST /projects/5/merge_requests/7/notes', 'PUT /projects/5/merge_requests/7/notes/251'],
  azure: [
    'POST /team/_apis/git/repositories/queries/pullRequests/7/threads?api-version=7.1',
    'PATCH /team/_apis/git/repositories/queries/pullRequests/7/threads/251/comments/251?api-version=7.1',
  ],
};

function commentEnvironment(service: Service, url: string): NodeJS.ProcessEnv {
  switch (service) {
    case 'github':
      return {
        GITHUB_API_URL: url,
        GITHUB_REPOSITORY: 'team/queries',
        GITHUB_TOKEN: 'token',
        PULL_REQUEST: '7',
      };
    case 'gitlab':
      return {
        CI_API_V4_URL: url,
        CI_PROJECT_ID: '5',
        CI_MERGE_REQUEST_IID: '7',
        IDENTITY_QUERIES_COMMENT_TOKEN: 'token',
      };
    case 'azure':
      return {
        SYSTEM_COLLECTIONURI: `${url}/`,
        SYSTEM_TEAMPROJECTID: 'team',
        BUILD_REPOSITORY_ID: 'queries',
        SYSTEM_PULLREQUEST_PULLREQUESTID: '7',
        SYSTEM_ACCESSTOKEN: 'token',
      };
    default:
      return service satisfies never;
  }
}

/** Serves a pull request's comments in pages. Those of another author start with the same mark. */
async function commentsApi(service: Service): Promise<Listener> {
  const mark = '<!-- identity-queries plan --> of somebody else';
  const bodies: string[] = Array.from({ length: othersCount }, () => mark);
  const comment = (body: string, index: number): object => {
    const author = index < othersCount ? 'stranger' : 'me';
    if (service === 'github')
      return { id: index + 1, body, user: { login: index < othersCount ? author : 'github-actions[bot]' } };
    if (service === 'gitlab') return { id: index + 1, body, author: { id: author } };
    return { id: index + 1, comments: [{ id: index + 1, content: body, author: { id: author } }] };
  };
  return await listen((request, response) => {
    if (request.method === 'GET') {
      if (request.path === '/user') sendJson(response, 200, { id: 'me' });
      else if (request.path.startsWith('/_apis/connectionData'))
        sendJson(response, 200, { authenticatedUser: { id: 'me' } });
      else {
        const url = new URL(request.path, 'http://127.0.0.1');
        const start =
          service === 'azure'
            ? Number(url.searchParams.get('continuationToken') ?? 0)
            : (Number(url.searchParams.get('page')) - 1) * 100;
        const page = bodies.map(comment).slice(start, start + 100);
        const isLast = start + 100 >= bodies.length;
        if (service === 'azure' && !isLast) response.setHeader('x-ms-continuationtoken', String(start + 100));
        sendJson(response, 200, service === 'azure' ? { value: page } : page);
      }
      return;
    }
    const { body, comments, content } = JSON.parse(request.body) as {
      body?: string;
      content?: string;
      comments?: readonly [{ content: string }];
    };
    if (request.method === 'POST') bodies.push(body ?? comments?.[0].content ?? '');
    else bodies[othersCount] = body ?? content ?? '';
    sendJson(response, 200, {});
  });
}
