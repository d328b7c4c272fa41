/** Only known modules open connections: the service's client, and modules that talk to local processes. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const opensConnections =
  /^import (?!type\b)[^;]*?from '(?:undici|(?:node:)?(?:https?|http2|net|tls|dgram))';|(?<![.#\w])fetch\(|\bsendBeacon\b|\bnew (?:WebSocket|XMLHttpRequest|EventSource)\b/m;

test('only these modules open connections', () => {
  const found = globSync('{api,base,client,cli,core,server}/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => opensConnections.test(readFileSync(path.join(root, file), 'utf8')));
  assert.deepEqual(found.sort(), [
    // To the service, its token endpoint and proxies.
    'api/client/network/certificates.ts',
    'api/client/network/dispatcher.ts',
    'api/client/network/error-of-transport.ts',
    // Tells private addresses from others.
    'api/client/network/private-address.ts',
    'api/client/network/probe.ts',
    'api/client/network/proxy.ts',
    'api/client/network/unasked-continue.ts',
    // Knows the words of statuses.
    'api/client/requests/error-of-response.ts',
    'api/client/requests/token.ts',
    'api/client/requests/transport.ts',
    // Into a named pipe.
    'base/files/open-file.ts',
    'base/files/target-file.ts',
    // A script that `init ci` writes: it runs in CI and comments on a pull request.
    'cli/src/init-ci/comment-scripts.ts',
    // To the sandbox and the relay for agents, on this machine.
    'client/src/features/agents/agent-door.ts',
    'client/src/session/local-service/shared-service.ts',
    'core/src/agents/mcp/relay.ts',
    // Parses addresses of inet values.
    'core/src/rows/order/addresses.ts',
  ]);
});

test('no module reports to a telemetry service', () => {
  const found = globSync('{api,base,client,cli,core,server}/**/*.ts', { cwd: root }).filter((file) =>
    /TelemetryReporter|createTelemetryLogger|applicationinsights/i.test(
      readFileSync(path.join(root, file), 'utf8'),
    ),
  );
  assert.deepEqual(found, []);
});
