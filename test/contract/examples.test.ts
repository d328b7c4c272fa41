/** Runs the curl examples from service/README.md in a shell, unchanged. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSandbox, type RunningSandbox } from '../helpers/sandbox.ts';

const readme = readFileSync(fileURLToPath(new URL('../../service/README.md', import.meta.url)), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
const start = blocks.find((block) => block.includes('dist/sandbox/main.js')) ?? '';
const examples = blocks.filter((block) => block.includes('curl '));

let sandbox: RunningSandbox;

before(async () => {
  // The flags from the README, except for the port, which may already be in use.
  const flags = /main\.js --port 8080 (.*)$/m.exec(start)?.[1];
  assert.ok(flags !== undefined, 'the README starts the sandbox');
  sandbox = await startSandbox({ accounts: 200, faults: false, args: flags.split(' ') });
});
after(() => sandbox.stop());

/** Makes each request print its status to standard error. */
const prelude = String.raw`
set -euo pipefail
curl() { command curl --fail-with-body -w '\n%{stderr}%{http_code} %{method} %{url_effective}\n' "$@"; }
`;

suite('the examples of the README', () => {
  test('all of them get a response', () => {
    assert.equal(examples.length, 1);
    const script = examples.join('\n').replaceAll('http://127.0.0.1:8080', sandbox.baseUrl);
    const { PATH = '' } = process.env;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', `${prelude}${script}`], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${PATH}` },
    });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    const requests = stderr.trim().split('\n');
    assert.equal(requests.length, script.match(/(?:^|\()curl /gm)?.length);
    for (const request of requests) assert.match(request, /^20\d /);
    const answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const shown = answers.map((answer) => Object.keys(answer)[0]);
    assert.deepEqual(shown, ['models', 'columns', 'items', 'jobId', 'id', 'query_id', 'openapi']);
    assert.equal((answers[1]?.['rows'] as unknown[] | undefined)?.length, 3);
    assert.equal((answers[2]?.['items'] as unknown[] | undefined)?.length, 2);
  });
});
