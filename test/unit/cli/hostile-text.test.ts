/** Untrusted text (file names, SQL, arguments, connection names) in the terminal and in a build log. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '#test/helpers/command-line.ts';

const hostile = [
  '::error file=a::b ##vso[task.setvariable variable=a]b',
  "x\n::set-output name=a::b\r\n  ::error::y ##[error]y ##teamcity[b text='y']\u001b]0;t\u0007\u001b[2J\u009b31m\u202egnp.exe",
];

let folder: string;
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'identity-queries-hostile-'))));
after(() => rm(folder, { recursive: true }));

function assertHarmless(what: string, text: string): void {
  for (const line of text.split('\n')) {
    assert.doesNotMatch(line, /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u, `${what}: ${JSON.stringify(line)}`);
    assert.doesNotMatch(line, /^\s*::|##\w*\[/, `${what}: ${line}`);
  }
}

/** Command lines that contain the text. The sandbox rejects its options before it starts anything. */
function calls(text: string, file: string): readonly (readonly string[])[] {
  return [
    ['check', file],
    ['check', '--json', file],
    ['check', path.join(folder, 'gone', text)],
    ['check', '--jsonl', path.join(folder, 'gone', text)],
    ['check', '--dialect', text, file],
    [text],
    [`--${text}`],
    ['check', `--${text}`],
    ['run', '--connections', text, file],
    ['run', '--connections', path.join(folder, 'connections.json'), '--connection', text, file],
    ['doctor', '--connection', text],
    ['sandbox', `--${text}`],
    ['sandbox', '--odd', text],
    ['sandbox', '--allow-host', text],
  ];
}

describe('the command line', () => {
  it('prints no external text unescaped', { timeout: 600_000 }, async () => {
    await writeFile(
      path.join(folder, 'connections.json'),
      JSON.stringify(
        hostile.map((name) => ({
          name,
          baseUrl: 'https://a.test',
          authUrl: 'https://a.test',
          clientId: 'a',
        })),
      ),
    );
    for (const [index, text] of hostile.entries()) {
      const name = path.join(folder, String(index), text.replaceAll('/', '-'));
      await mkdir(path.dirname(name), { recursive: true });
      const sql = `-- @model "${text}"\nSELECT x."${text}" FROM y; SELECT "${text}" "${text}" "${text}"; SELECT '${text}`;
      await writeFile(name, sql);
      const jsonl = JSON.stringify({ id: text, sql, model: text, models: ['a'] });
      const outcomes = [];
      for (const args of [...calls(text, name), ['check', '--jsonl']])
        outcomes.push({ args, ...(await runCli(args, { cwd: folder, input: jsonl })) });
      for (const { args, stdout, stderr, code } of outcomes) {
        assert.notEqual(stdout + stderr, '', args.join(' '));
        assert.notEqual(code, null);
        assertHarmless(`${args[0] ?? ''} ${JSON.stringify(text)} stdout`, stdout);
        assertHarmless(`${args[0] ?? ''} ${JSON.stringify(text)} stderr`, stderr);
      }
      const answer = JSON.parse(outcomes.at(-1)?.stdout ?? '') as { id: unknown };
      assert.equal(answer.id, text, 'JSON means what it meant');
    }
  });

  it('cuts a name that is as long as its file', async () => {
    const name = 'n'.repeat(90_000);
    const entry = { baseUrl: 'https://a.test', authUrl: 'https://a.test', clientId: 'a' };
    for (const entries of [[{ ...entry, name }], [{ ...entry, name: 'a', [name]: 1 }]]) {
      const file = path.join(folder, 'long.json');
      await writeFile(file, JSON.stringify(entries));
      const { stderr } = await runCli(['run', '--connections', file, '--connection', 'b', '-'], {
        cwd: folder,
        input: 'SELECT 1',
      });
      assert.match(stderr, /nnn…nnn/);
      assert.ok(stderr.length < 9_000, String(stderr.length));
    }
    const file = path.join(folder, 'long.sql');
    await writeFile(file, `-- @param ${name} int\nSELECT :b`);
    for (const args of [['check'], ['check', '--json']]) {
      const { stdout } = await runCli([...args, file], { cwd: folder });
      assert.match(stdout, /UNUSED_PARAMETER/);
      assert.ok(stdout.length < 9_000, String(stdout.length));
    }
  });
});
