/** Every variable that the program reads is in the table that docs/cli.md derives from. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { removeUnset, variables } from '#cli/environment-variables.ts';

const root = path.join(import.meta.dirname, '../../..');
/** Examples, and variables that only this program's own processes and workflows set. */
const others =
  /^IDENTITY_QUERIES_(?:SECRET|COMMENT_TOKEN|STATE_PASSWORD|RELAY_SOCKET|RELAY_WORD|PROXY|TRUNCATED|X|)$/;

it('lists every variable, and none that is not read', () => {
  const files = globSync(['cli/src/**/*.ts', 'core/src/**/*.ts', 'api/**/*.ts', 'server/src/**/*.ts'], {
    cwd: root,
  }).filter((file) => !file.endsWith('environment-variables.ts'));
  const code = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const read = new Set(code.match(/IDENTITY_QUERIES_[A-Z_]*/g));
  const listed = new Set(variables.flatMap(({ names }) => names));
  assert.deepEqual(
    [...read].filter((name) => !listed.has(name) && !others.test(name)),
    [],
  );
  for (const name of listed) assert.ok(code.includes(name), name);
});

it('takes a variable that Azure Pipelines could not fill in for one that is not set', () => {
  const environment = {
    IDENTITY_QUERIES_DIGEST_KEY: '$(IDENTITY_QUERIES_DIGEST_KEY)',
    ALERTS_SECRET: ' $(ALERTS_SECRET)\n',
    IDENTITY_QUERIES_CLIENT_ID: '$(OTHER)',
    IDENTITY_QUERIES_CLIENT_SECRET: 'x$(IDENTITY_QUERIES_CLIENT_SECRET)',
  };
  removeUnset(environment);
  assert.deepEqual(Object.keys(environment), [
    'IDENTITY_QUERIES_CLIENT_ID',
    'IDENTITY_QUERIES_CLIENT_SECRET',
  ]);
});
