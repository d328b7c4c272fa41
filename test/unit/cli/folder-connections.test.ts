/** A folder that was cloned names addresses and variables. Nothing reaches them before the person accepts them. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createProgram } from '#cli/program.ts';

const secret = 'the-client-secret-of-a-person';

let server: Server;
let origin = '';
/** What the stranger's address received. */
let received: string[] = [];
let root: string;
let folder: string;

before(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(`${request.url ?? ''} ${JSON.stringify(request.headers)} ${body}`);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
});
after(() => server.close());
beforeEach(async () => {
  received = [];
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-folder-'));
  folder = path.join(root, 'clone', 'deep');
  await mkdir(folder, { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const entry = (more: object = {}): object => ({
  name: 'Production',
  baseUrl: origin,
  authUrl: `${origin}/token`,
  clientId: 'c',
  secretVariable: 'IDENTITY_QUERIES_SECRET',
  ...more,
});

const put = async (file: string, value: unknown): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value));
};
const ofFolder = (): string => path.join(root, 'clone', '.identity-queries', 'connections.json');
const ofPerson = (): string => path.join(root, 'home', 'identity-queries', 'connections.json');

interface Outcome {
  readonly failure: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

async function run(args: readonly string[], input = ''): Promise<Outcome> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  let code = 0;
  const environment = {
    XDG_CONFIG_HOME: path.join(root, 'home'),
    XDG_DATA_HOME: path.join(root, 'data'),
    IDENTITY_QUERIES_SECRET: secret,
    IDENTITY_QUERIES_DIGEST_KEY: secret,
    IDENTITY_QUERIES_CLIENT_SECRET: secret,
    AWS_SECRET_ACCESS_KEY: secret,
  };
  const context = {
    stdin,
    stdout,
    stderr,
    environment,
    cwd: folder,
    signal: new AbortController().signal,
    limitTo: () => undefined,
    end: (value: number) => (code = Math.max(code, value)),
  };
  const failure = await createProgram(context, '0')
    .parseAsync([...args], { from: 'user' })
    .then(
      () => '',
      (error: unknown) =>
        error instanceof Error ? `${error.message}\n${'help' in error ? String(error.help) : ''}` : '?',
    );
  stdout.end();
  stderr.end();
  return { failure, stdout: await text(stdout), stderr: await text(stderr), code };
}

const sentSecret = (): boolean =>
  received.some((each) =>
    [secret, encodeURIComponent(secret), Buffer.from(`c:${secret}`).toString('base64')].some((form) =>
      each.includes(form),
    ),
  );

describe("a folder's connections file", () => {
  it('sends no variable to its addresses before it is accepted, whatever it names', async () => {
    for (const variable of [
      'IDENTITY_QUERIES_SECRET',
      'IDENTITY_QUERIES_DIGEST_KEY',
      'IDENTITY_QUERIES_CLIENT_SECRET',
      'AWS_SECRET_ACCESS_KEY',
      'identity_queries_secret',
    ])
      for (const more of [{}, { label: 'PROD' }, { name: 'Other' }]) {
        await put(ofFolder(), [entry({ secretVariable: variable, ...more })]);
        for (const args of [['models'], ['models', '--connection', 'Production'], ['doctor'], ['mcp']]) {
          const { failure } = await run(args);
          assert.notEqual(failure, '', args.join(' '));
        }
      }
    assert.deepEqual(received, []);
  });

  /** Every way in which a folder can name a variable of the person. Only the first is one, once it was accepted. */
  const ways: readonly (readonly [string, (variable: string) => object])[] = [
    ['secretVariable', (variable) => entry({ secretVariable: variable })],
    [
      'a program that prints it',
      (variable) => entry({ secretVariable: undefined, secretCommand: ['printenv', variable] }),
    ],
    [
      'a shell',
      (variable) => entry({ secretVariable: undefined, secretCommand: ['sh', '-c', `echo $${variable}`] }),
    ],
    ...['$NAME', '${NAME}', '${env:NAME}', '%NAME%', '{NAME}', '{{NAME}}', '${{ secrets.NAME }}'].flatMap(
      (form) => {
        const filled = (variable: string) => form.replace('NAME', variable);
        return [
          [
            `${form} in an address`,
            (variable: string) => entry({ baseUrl: `${origin}/${filled(variable)}` }),
          ],
          [
            `${form} in the token address`,
            (variable: string) => entry({ authUrl: `${origin}/${filled(variable)}` }),
          ],
          [`${form} in the client`, (variable: string) => entry({ clientId: filled(variable) })],
          [`${form} in the environment`, (variable: string) => entry({ environment: filled(variable) })],
          [`${form} in a label`, (variable: string) => entry({ label: filled(variable) })],
        ] as const;
      },
    ),
  ];
  const variables = [
    'IDENTITY_QUERIES_SECRET',
    'IDENTITY_QUERIES_DIGEST_KEY',
    'IDENTITY_QUERIES_CLIENT_SECRET',
    'AWS_SECRET_ACCESS_KEY',
  ];
  const environmentFiles = ['.env', '.identity-queries/.env', '.npmrc', '.identity-queries/environment.json'];

  for (const [way, made] of ways) {
    it(`sends no variable that it names by ${way}, also beside files that other programs read`, async () => {
      for (const variable of variables) {
        await put(ofFolder(), [made(variable)]);
        for (const file of environmentFiles)
          await writeFile(
            path.join(root, 'clone', file),
            `HTTPS_PROXY=${origin}\nHTTP_PROXY=${origin}\nNODE_OPTIONS=--require=x\nIDENTITY_QUERIES_URL=${origin}\n`,
          );
        await run(['models']);
        assert.deepEqual(received, []);
        if (way === 'secretVariable') continue;
        // Once it was accepted, its addresses are asked, as they are written.
        await put(ofFolder(), [{ ...made(variable), secretVariable: 'OF_NOBODY' }]);
        await run(['connections', 'trust'], 'y\n');
        await run(['models']);
        assert.equal(sentSecret(), false, variable);
        received = [];
      }
    });
  }

  it('is used after it was accepted, and says so; a change takes that back', async () => {
    await put(ofFolder(), [entry()]);
    const { failure } = await run(['models']);
    assert.match(
      failure,
      /"Production" comes from this folder's .*connections\.json, which you have not accepted/,
    );
    assert.match(failure, /connections trust.*--connections/s);
    const refused = await run(['connections', 'trust'], 'n\n');
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, new RegExp(`service: "${origin}"\n.*IDENTITY_QUERIES_SECRET`, 's'));
    await run(['models']);
    assert.deepEqual(received, []);
    const accepted = await run(['connections', 'trust'], 'y\n');
    assert.match(accepted.stdout, /Accepted, until an entry changes\./);
    const used = await run(['models']);
    assert.match(used.stderr, /^Using "Production" of .*connections\.json\.\n/);
    assert.ok(sentSecret());
    await writeFile(path.join(folder, 'q.identity.sql'), 'SELECT 1');
    const several = await run(['run', 'q.identity.sql', '--on', 'Production']);
    assert.match(several.stderr, /^Using "Production" of .*connections\.json\.\n/);
    received = [];
    for (const more of [{ clientId: 'd' }, { authUrl: `${origin}/other` }, { label: 'x' }]) {
      await put(ofFolder(), [entry(more)]);
      assert.match((await run(['models'])).failure, /not accepted/);
    }
    // The same entry in another folder is another stranger's.
    await put(path.join(folder, '.identity-queries', 'connections.json'), [entry()]);
    assert.match((await run(['models'])).failure, /not accepted/);
    assert.deepEqual(received, []);
  });

  it('is shown with the addresses that are used, not with the ones that they are made of', async () => {
    await put(ofFolder(), [
      entry({
        baseUrl: 'https://\u0430pi.example.com',
        authUrl: 'https://login-prod.example/t',
        environment: 'x',
      }),
      entry({
        name: 'Other',
        baseUrl: 'https:\\\\good.example.com\\@a',
        authUrl: 'https://{environment}.example.com',
      }),
    ]);
    const { stdout } = await run(['connections', 'trust'], 'n\n');
    for (const address of [
      'https://xn--pi-6kc.example.com',
      'https://login-x.example/t',
      'https://good.example.com/@a',
      'https://prod.example.com',
    ])
      assert.ok(stdout.includes(`"${address}"`), stdout);
    assert.ok(!stdout.includes('login-prod'), stdout);
  });

  it('is not accepted if a text of it could hide the others, and quoted so that none looks like another line', async () => {
    await put(ofFolder(), [
      entry({ clientId: `c${' '.repeat(5_000)}service: https://good.example.com` }),
      entry({ name: 'Other', clientId: `c${' '.repeat(80)}service: https://good.example.com` }),
    ]);
    const { stdout, code } = await run(['connections', 'trust', '--yes']);
    assert.equal(code, 1);
    assert.match(stdout, /^Accepted the others, until an entry changes\.$/m);
    const again = await run(['connections', 'trust', '--yes']);
    assert.match(again.stdout, /^All others were accepted before\.$/m);
    assert.equal(again.code, 1);
    assert.match(stdout, /"Production" has a text that is too long to be shown, so it cannot be accepted/);
    assert.match(stdout, /client: "c {80}service: https:\/\/good\.example\.com"\n/);
    assert.ok(Math.max(...stdout.split('\n').map((line) => line.length)) < 400);
    await run(['models', '--connection', 'Production']);
    assert.deepEqual(received, []);
    await run(['models', '--connection', 'Other']);
    assert.ok(received.length > 0);
  });

  it('is not all accepted if an entry cannot be used', async () => {
    await put(ofFolder(), [entry(), entry({ name: 'Broken', baseUrl: 'x' })]);
    const { stdout, code } = await run(['connections', 'trust', '--yes']);
    assert.match(stdout, /^Accepted the others, until an entry changes\.$/m);
    assert.equal(code, 1);
    await put(ofFolder(), [entry({ name: 'Broken', baseUrl: 'x' })]);
    assert.match((await run(['connections', 'trust', '--yes'])).failure, /nothing in it can be accepted/);
  });

  it('tells what is wrong before what was accepted, however much that is', async () => {
    const many = Array.from({ length: 8 }, (_, at) => entry({ name: `Known ${at}` }));
    await put(ofFolder(), many);
    await run(['connections', 'trust', '--yes']);
    await put(ofFolder(), [...many, entry({ name: 'Broken', baseUrl: 'x' })]);
    for (const args of [[], ['--yes']]) {
      const { stdout, code } = await run(['connections', 'trust', ...args]);
      assert.match(stdout, /baseUrl\. Not an address/);
      assert.equal(code, 1);
    }
  });

  it('is asked about before many others, which push nothing out of the terminal', async () => {
    const many = Array.from({ length: 30 }, (_, at) => entry({ name: `Other ${at}` }));
    const broken = Array.from({ length: 500 }, (_, at) => ({ name: `Broken ${at} ${'x'.repeat(400)}` }));
    await put(ofFolder(), [entry(), ...many, ...broken]);
    const { stdout } = await run(['connections', 'trust'], 'y\n');
    assert.ok(stdout.split('\n').length < 70, stdout);
    assert.ok(Math.max(...stdout.split('\n').map((line) => line.length)) < 400);
    assert.match(stdout, /^ {2}492 more cannot be accepted, or were before\.$/m);
    // Those before the question, and only those, are accepted.
    assert.match(stdout, /"Other 6"\n(?: {4}.*\n)+ {2}23 more are shown once these are accepted\.\nAccepted/);
    await run(['models', '--connection', 'Other 7']);
    assert.deepEqual(received, []);
    await run(['models', '--connection', 'Other 6']);
    assert.ok(received.length > 0);
    received = [];
    await run(['connections', 'trust', '--yes']);
    await run(['models', '--connection', 'Other 29']);
    assert.ok(received.length > 0);
  });

  it('is told with receivers whose addresses are in variables', async () => {
    await put(path.join(root, 'clone', '.identity-queries', 'notify.json'), [
      { name: 'chat', kind: 'slack', urlVariable: 'IDENTITY_QUERIES_CHAT' },
    ]);
    const { stdout } = await run(['connections', 'trust'], 'n\n');
    assert.match(stdout, /as: "slack"\n    variables, one with its address: "IDENTITY_QUERIES_CHAT"\n/);
  });

  it('never replaces a connection of the person', async () => {
    await put(ofFolder(), [entry({ clientId: 'theirs' }), entry({ name: 'Theirs' })]);
    await run(['connections', 'trust', '--yes']);
    await put(ofPerson(), [entry({ clientId: 'mine' }), entry({ name: 'Mine' })]);
    for (const args of [[], ['--connection', 'Production']]) {
      const { failure } = await run(['models', ...args]);
      assert.ok(failure.includes(ofFolder()) && failure.includes(ofPerson()), failure);
      assert.deepEqual(received, []);
    }
    await run(['models', '--connection', 'Mine']);
    assert.ok(sentSecret());
  });

  it('asks which connection is meant if the person has some, too', async () => {
    await put(ofFolder(), [entry({ name: 'Theirs' })]);
    await run(['connections', 'trust', '--yes']);
    await put(ofPerson(), [entry({ name: 'Mine' })]);
    assert.match((await run(['models'])).failure, /choose one with --connection. They are "Theirs", "Mine"/);
    assert.deepEqual(received, []);
  });

  it('may be named instead', async () => {
    await put(ofFolder(), [entry()]);
    await run(['models', '--connections', ofFolder()]);
    assert.ok(sentSecret());
  });

  it('is no link', async () => {
    await put(path.join(root, 'elsewhere.json'), [entry()]);
    await mkdir(path.dirname(ofFolder()), { recursive: true });
    await symlink(path.join(root, 'elsewhere.json'), ofFolder());
    assert.match(
      (await run(['connections', 'trust', '--yes'])).failure,
      /connections\.json cannot be read: it is a link/,
    );
    assert.deepEqual(received, []);
  });
});
