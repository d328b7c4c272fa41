/** Every file of a folder that the program reads by itself, as every kind of thing that a file can be. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { createProgram } from '#cli/program.ts';
import { readControlFiles } from '#core/controls/files/control-facts.ts';
import { ControlFileError } from '#core/controls/files/control-file.ts';
import { folderFiles } from '#core/packs/pack-files.ts';
import { PackStore } from '#core/packs/pack-store.ts';
import { readPack } from '#core/packs/read-pack.ts';
import { repositoryAt } from '#test/helpers/git-clone.ts';
import { writePack } from '#test/helpers/packs.ts';

const outside = 'words-of-a-file-outside';
let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'identity-queries-files-'));
  folder = path.join(root, 'clone');
  mkdirSync(path.join(folder, '.identity-queries'), { recursive: true });
  mkdirSync(path.join(folder, 'queries'));
  writeFileSync(path.join(root, 'outside'), outside);
  writeFileSync(path.join(root, 'models.json'), '{"models":[]}');
  writeFileSync(path.join(folder, 'queries/good.identity.sql'), 'SELECT 1');
  writeFileSync(path.join(folder, 'queries/good.identity.json'), '{"name":"Good","model":"m"}');
});
afterEach(() => rm(root, { recursive: true }));

async function run(...args: readonly string[]): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end('y\n');
  const codes: number[] = [];
  const context = {
    stdin,
    stdout,
    stderr,
    environment: { XDG_CONFIG_HOME: path.join(root, 'home'), XDG_DATA_HOME: path.join(root, 'data') },
    cwd: folder,
    signal: new AbortController().signal,
    limitTo: () => undefined,
    end: (code: number) => codes.push(code),
  };
  const failure = await createProgram(context, '0')
    .parseAsync([...args], { from: 'user' })
    .then(
      () => '',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  stdout.end();
  stderr.end();
  const said = failure + (await text(stdout)) + (await text(stderr));
  assert.ok(failure !== '' || codes.some((code) => code !== 0), `${args.join(' ')} is content: ${said}`);
  return said;
}

async function controlFile(name: 'waivers' | 'baseline'): Promise<string> {
  const file = (await readControlFiles(folder))[name];
  assert.ok(file instanceof ControlFileError);
  return file.message;
}

describe('a control file', () => {
  for (const [name, text] of [
    ['waivers', '{"waivers":[\n{"control":"A-1","expires":"2026-12-01","expires":"2099-01-01"}]}'],
    ['waivers', '{"waivers":[],\n"waivers":[]}'],
    ['baseline', '{"controls":{"A-1":{},\n"A-1":{}}}'],
  ] as const)
    it(`is refused if a member is written twice: ${text}`, async () => {
      // A reader who takes the first one sees another day, or another row, than the program.
      writeFileSync(path.join(folder, `.identity-queries/${name}.json`), text);
      assert.match(
        await controlFile(name),
        new RegExp(`${name}\\.json:2: The member "[^"]+" is written twice\\.$`),
      );
    });
});

describe('a damaged control file', () => {
  const file = '.identity-queries/waivers.json';
  const good = '{"version":1,"keyId":"0123456789abcdef","waivers":[]}';

  /** Types the commands of the message, with which the file is read again. */
  async function mends(message: RegExp): Promise<void> {
    const said = await controlFile('waivers');
    const [, ...commands] = message.exec(said) ?? [];
    assert.ok(commands.length > 0, said);
    const damaged = readFileSync(path.join(folder, file));
    for (const command of commands) {
      writeFileSync(path.join(folder, file), damaged);
      execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'ignore' });
      assert.ok(!((await readControlFiles(folder)).waivers instanceof ControlFileError), command);
    }
  }

  it('says what to type, which works after it was staged and in the middle of a merge', async () => {
    const clone = repositoryAt(folder);
    clone.git('init', '-q', '-b', 'main');
    clone.write(file, good);
    clone.commit();
    clone.write(file, '{"version":1,\n"keyId":');
    clone.git('add', '.');
    await mends(/waivers\.json:2: This is not JSON\. .*: (git .*)$/);
    clone.git('checkout', '-q', '-b', 'theirs');
    clone.write(file, good.replace('0123', 'aaaa'));
    clone.commit();
    clone.git('checkout', '-q', 'main');
    clone.write(file, good.replace('0123', 'bbbb'));
    clone.commit();
    assert.throws(() => clone.git('merge', 'theirs'));
    await mends(/waivers\.json:1: There are conflict markers\. .*: (git .*) or (git .*)$/);
  });
});

interface FileKind {
  readonly file: string;
  /** The module that reads or writes it. */
  readonly module: string;
  /** Reads it, and returns what the person is told. */
  readonly use: () => Promise<string>;
  /** What must be there besides. */
  readonly prepare?: () => unknown;
  /** Contents that are no mistake here. */
  readonly accepts?: readonly string[];
}

const put = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};

let installed: string | undefined;
after(async () => {
  if (installed !== undefined) await rm(installed, { recursive: true });
});

/** Copies a folder with an installed pack, since an installation waits for the disk. */
async function writeInstalled(): Promise<void> {
  await writePack(path.join(root, 'pack'));
  if (installed === undefined) {
    installed = await mkdtemp(path.join(tmpdir(), 'identity-queries-installed-'));
    const read = await readPack(folderFiles(path.join(root, 'pack')));
    assert.ok('pack' in read);
    const store = new PackStore(installed);
    const source = { kind: 'folder', address: '../pack' } as const;
    await store.install(await store.plan(read.pack, source, undefined));
  }
  cpSync(installed, folder, { recursive: true });
}

/** Every kind of file of a folder that the program reads or writes by itself. */
const files: readonly FileKind[] = [
  {
    file: '.identity-queries/connections.json',
    module: 'core/src/connections/connection-files.ts',
    use: () => run('models'),
  },
  {
    file: '.identity-queries/connections.json',
    module: 'core/src/connections/connection-files.ts',
    use: () => run('connections', 'trust'),
  },
  {
    file: '.identity-queries/packs.json',
    module: 'core/src/packs/pack-store.ts',
    use: () => run('pack', 'list'),
  },
  {
    file: '.identity-queries/packs/small.json',
    module: 'core/src/packs/pack-store.ts',
    prepare: writeInstalled,
    use: () => run('pack', 'update', 'small', '--models', '../models.json'),
  },
  {
    file: 'pack/pack.json',
    module: 'core/src/packs/pack-files.ts',
    prepare: () => writePack(path.join(folder, 'pack')),
    use: () => run('pack', 'add', './pack', '--models', '../models.json'),
  },
  {
    file: 'pack/queries/saved-queries.json',
    module: 'core/src/packs/pack-files.ts',
    prepare: () => writePack(path.join(folder, 'pack')),
    use: () => run('pack', 'add', './pack', '--models', '../models.json'),
  },
  {
    file: 'pack/queries/one.identity.sql',
    module: 'core/src/packs/pack-files.ts',
    prepare: () => writePack(path.join(folder, 'pack')),
    use: () => run('pack', 'add', './pack', '--models', '../models.json'),
  },
  {
    file: '.identity-queries/waivers.json',
    module: 'core/src/controls/files/control-file.ts',
    use: () => controlFile('waivers'),
  },
  {
    file: '.identity-queries/baseline.json',
    module: 'core/src/controls/files/control-file.ts',
    use: () => controlFile('baseline'),
  },
  {
    file: '.identity-queries/benchmarks.json',
    module: 'core/src/controls/files/control-file.ts',
    use: () => run('controls', 'list', '--by', 'benchmark'),
  },
  { file: 'queries/saved-queries.json', module: 'core/src/sync/folder/sources.ts', use: () => run('check') },
  { file: 'queries/models.json', module: 'cli/src/models/models-file.ts', use: () => run('check') },
  { file: 'queries/bad.identity.json', module: 'core/src/sync/folder/sources.ts', use: () => run('check') },
  { file: 'queries/good.identity.sql', module: 'core/src/sync/folder/sources.ts', use: () => run('check') },
  {
    file: 'controls/bad.identity.sql',
    module: 'core/src/controls/find-controls.ts',
    prepare: () => put('controls/good.identity.sql', '-- @control A-1 x\nSELECT 1'),
    use: () => run('controls', 'list'),
    accepts: ['deep JSON', 'empty'],
  },
  {
    file: 'controls/saved-queries.json',
    module: 'core/src/controls/index-entries.ts',
    prepare: () => put('controls/good.identity.sql', '-- @control A-1 x\nSELECT 1'),
    use: () => run('controls', 'list'),
  },
  {
    file: 'package-lock.json',
    module: 'cli/src/init-ci/package-source.ts',
    use: () => run('init', 'ci', 'gitlab'),
    prepare: () => mkdirSync(path.join(folder, '.git')),
  },
  {
    file: 'vendor/program.tgz',
    module: 'cli/src/init-ci/package-source.ts',
    prepare: () => {
      put('.git/HEAD', '');
    },
    use: () => run('init', 'ci', 'gitlab', '--package', 'vendor/program.tgz'),
    accepts: ['no UTF-8', 'deep JSON', 'empty'],
  },
  {
    file: '.gitlab-ci.yml',
    module: 'cli/src/commands/init.ts',
    prepare: () => {
      put('.git/HEAD', '');
      put('program.js', 'x');
    },
    use: () => run('init', 'ci', 'gitlab', '--package', 'program.js'),
  },
];

/** Readers of this program's own files, of other tests, and those that the other readers are made of. */
const elsewhere: readonly string[] = [
  'base/files/bounded-file.ts',
  'client/src/ui/folder-file.ts', // the editor: test/host/controls.test.ts
  'cli/src/init-ci/content.ts', // what cannot be read counts as missing: test/unit/cli/init-ci.test.ts
  'cli/src/controls/notify.ts', // named by the person
  'server/src/models/folder-models.ts', // test/unit/server/folder-models.test.ts
  'core/src/connections/connection-trust.ts', // own data
  'core/src/controls/history/history-folder.ts', // test/unit/core/controls
  'core/src/duckdb/find-duckdb.ts', // never of the folder: test/unit/core/duckdb
  'core/src/kept-runs/kept-runs-store.ts', // own data
  'core/src/sync/after-push.ts', // test/unit/core/sync/pull.test.ts
  'core/src/sync/folder/write-folder.ts', // test/unit/core/sync/write-folder.test.ts
  'core/src/sync/pull.ts', // test/unit/core/sync/pull.test.ts
  'core/src/sync/scope.ts', // test/unit/core/sync/scope.test.ts
];

const withoutPermission = 'without permission to read it';

const things: readonly (readonly [string, (at: string) => unknown])[] = [
  ['a link to a file', (at) => symlinkSync(path.join(root, 'outside'), at)],
  ['a link to nothing', (at) => symlinkSync(path.join(root, 'nothing'), at)],
  ['a link to an endless device', (at) => symlinkSync('/dev/zero', at)],
  ['a link to itself', (at) => symlinkSync(at, at)],
  ...(process.platform === 'win32'
    ? []
    : [['a pipe', (at: string) => execFileSync('mkfifo', [at])] as const]),
  ...(process.getuid?.() === 0
    ? [['a device', (at: string) => execFileSync('mknod', [at, 'c', '1', '5'])] as const]
    : []), // only root may make devices
  ['a folder', (at) => mkdirSync(at)],
  [
    'a gigabyte',
    (at) => {
      writeFileSync(at, '');
      truncateSync(at, 1e9);
    },
  ],
  ['no UTF-8', (at) => writeFileSync(at, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['deep JSON', (at) => writeFileSync(at, `${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
  ['empty', (at) => writeFileSync(at, '')],
  ...(process.platform === 'win32'
    ? []
    : [[withoutPermission, (at: string) => writeFileSync(at, '', { mode: 0 })] as const]),
];

/** Root may read everything, so it becomes somebody else for a while. */
async function asNobody<Result>(use: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return await use();
  const nobody = 65_534;
  for (const each of ['', ...readdirSync(root, { recursive: true }).map(String)])
    chownSync(path.join(root, each), nobody, nobody);
  process.seteuid(nobody);
  try {
    return await use();
  } finally {
    process.seteuid(0);
  }
}

const contents = (at: string): string =>
  JSON.stringify(
    readdirSync(at, { recursive: true })
      .map(String)
      .sort()
      .map((name) => [name, lstatSync(path.join(at, name)).ino, lstatSync(path.join(at, name)).size]),
  );

describe('a file of a folder', () => {
  for (const { file, use, prepare, accepts = [] } of files)
    for (const [what, make] of things) {
      if (accepts.includes(what)) continue;
      it(`${file} that is ${what} is refused by name, and nothing is changed`, async () => {
        await prepare?.();
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        rmSync(path.join(folder, file), { force: true });
        make(path.join(folder, file));
        const before = contents(folder);
        const said = what === withoutPermission ? await asNobody(use) : await use();
        assert.ok(said.includes(path.basename(file)), said.slice(0, 500));
        // It is not even read.
        if (what === 'a gigabyte' && /^queries\/.*\.json$/.test(file)) assert.match(said, /too large/);
        assert.ok(!said.includes(outside) && said.length < 5_000);
        assert.equal(contents(folder), before);
      });
    }

  it('of any kind is in this table, whatever module reads or writes it', () => {
    const source = path.join(import.meta.dirname, '../../..');
    const found = globSync('{api,base,core,server,client,cli}/**/*.ts', { cwd: source })
      .filter((module) => !module.includes('node_modules'))
      .filter((module) =>
        /\b(?:readBounded|readBoundedText|writeWithin)\(/.test(
          readFileSync(path.join(source, module), 'utf8'),
        ),
      )
      .map((module) => module.replaceAll('\\', '/'));
    const known = new Set([...files.map(({ module }) => module), ...elsewhere]);
    assert.deepEqual([...known].sort(), found.sort());
  });
});

/** Names that mean another file than they say, on some system. */
const badNames: readonly (readonly [what: string, name: string])[] = [
  ['the folder above', '../x.identity.sql'],
  ['a way out', 'a/../../x.identity.sql'],
  ['an absolute path', '/etc/x.identity.sql'],
  ['a drive', 'C:/x.identity.sql'],
  ['a stream', 'a:b.identity.sql'],
  ['a backslash', 'a\\b.identity.sql'],
  ['a device', 'CON.identity.sql'],
  ['a device in a folder', 'a/nul/x.identity.sql'],
  ['a device with an ending', 'com1.x/a.identity.sql'],
  ['a trailing blank', 'x /a.identity.sql'],
  ['a trailing dot', 'x./a.identity.sql'],
  ['the folder of Git', '.git/a.identity.sql'],
  ['the folder of Git in capitals', '.GIT/a.identity.sql'],
  ['the short name of the folder of Git', 'git~1/a.identity.sql'],
  ['the folder of Git with a hidden character', '.g\u200bit/a.identity.sql'],
  ['a NUL', 'a\u0000.identity.sql'],
];

const hash = '0'.repeat(64);
const places: readonly (readonly [place: string, use: (name: string) => Promise<string>])[] = [
  [
    'the list of saved queries',
    (name) => {
      const entry = { file: name, name: 'x', model: 'm', description: '' };
      put('queries/saved-queries.json', JSON.stringify({ format: 1, queries: [entry] }));
      return run('check');
    },
  ],
  [
    'the list of a pack',
    async (name) => {
      await writePack(path.join(folder, 'pack'));
      const entry = { file: name, name: 'x', model: 'm', description: '' };
      put('pack/queries/saved-queries.json', JSON.stringify({ format: 1, queries: [entry] }));
      return await run('pack', 'add', './pack', '--models', '../models.json');
    },
  ],
  [
    'the lock file of packs',
    (name) => {
      const pack = { name: 'small', version: '1.0.0', source: { kind: 'shipped' }, files: { [name]: hash } };
      put('.identity-queries/packs.json', JSON.stringify({ format: 1, packs: [pack] }));
      return run('pack', 'remove', 'small');
    },
  ],
  [
    'the base of a pack',
    async (name) => {
      await writeInstalled();
      put('.identity-queries/packs/small.json', JSON.stringify({ format: 1, files: { [name]: 'SELECT 1' } }));
      return await run('pack', 'update', 'small', '--models', '../models.json');
    },
  ],
];

const known = new Set(['good.identity.sql', 'one.identity.sql', 'three.identity.sql']);

describe('a name in a file of a folder', () => {
  for (const [place, use] of places)
    for (const [what, name] of badNames)
      it(`that is ${what} is refused in ${place}, and nothing outside is changed`, async () => {
        const said = await use(name);
        assert.ok(said !== '');
        const made = readdirSync(root, { recursive: true }).map(String);
        assert.deepEqual(
          made.filter((file) => file.endsWith('.identity.sql') && !known.has(path.basename(file))),
          [],
        );
        assert.equal(readFileSync(path.join(root, 'outside'), 'utf8'), outside);
      });

  it('that differs from another one only by case or by composition is refused with both', async () => {
    for (const [one, other] of [
      ['good.identity.sql', 'GOOD.identity.sql'],
      ['e\u0301.identity.sql', '\u00e9.identity.sql'],
    ] as const) {
      const entry = { name: 'x', model: 'm', description: '' };
      const queries = [
        { ...entry, file: one },
        { ...entry, file: other },
      ];
      put('queries/saved-queries.json', JSON.stringify({ format: 1, queries }));
      assert.match(await run('check'), /are the same file on some systems/);
    }
  });
});
