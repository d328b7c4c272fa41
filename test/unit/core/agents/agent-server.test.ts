/** The server for agents, as raw messages reach it: every call passes the session, which logs it. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, describe, it } from 'node:test';
import { readLines } from '#base/async/read-lines.ts';
import { serveAgents } from '#core/agents/mcp/serve.ts';
import { markedServiceOfFile } from '#test/helpers/marked-service.ts';

const service = await markedServiceOfFile();
const [input, output] = [new PassThrough(), new PassThrough()];
const served = await serveAgents({
  session: service.session,
  version: '0',
  input,
  output,
  onError: () => undefined,
});
after(() => served.close());
const lines = readLines(output, { charactersMax: 1_000_000 });

let asked = 0;
async function ask(method: string, params: unknown): Promise<Record<string, unknown>> {
  const id = (asked += 1);
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  for (;;) {
    const { value } = (await lines.next()) as { readonly value: string }; // the server does not end
    const answer = JSON.parse(value) as Record<string, unknown>; // as the protocol says
    if (answer['id'] === id) return answer;
  }
}
await ask('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

describe('a call of an agent', () => {
  for (const [what, name, given] of [
    ['without its input', 'run_query', {}],
    ['with a member of another type', 'run_query', { sql: 1 }],
    ['with a member that there is not', 'run_query', { sql: 'SELECT 1', x: 1 }],
    ['with an ID that is none', 'run_saved_query', { id: '../x' }],
    ['with a number that is too large', 'run_query', { sql: 'SELECT 1', max_rows: 1e9 }],
    ['of a tool that there is not', 'drop_table', {}],
    ['of a tool with the name of a member of objects', '__proto__', {}],
  ] as const)
    it(`${what} is refused, and leaves a line in the log`, async () => {
      const { result } = await ask('tools/call', { name, arguments: given });
      const { isError, structuredContent } = result as Record<string, unknown>; // as the protocol says
      assert.equal(isError, true);
      const code = (structuredContent as Record<string, unknown>)['code']; // every answer is an object
      assert.deepEqual(
        service.log.map((line) => [line.tool, line.client, line.status, line.code]),
        [[name, 'test 1', 'refused', code]],
      );
      assert.deepEqual(service.sent, []);
    });

  it('of a tool that its level has not is refused, and leaves a line in the log', async () => {
    service.setLevel('schema');
    await ask('tools/call', { name: 'run_query', arguments: { sql: 'SELECT 1' } });
    assert.deepEqual(
      service.log.map(({ tool, code }) => [tool, code]),
      [['run_query', 'not-allowed']],
    );
  });

  it('of a resource that it may not read, or that is none, is refused, and leaves a line in the log', async () => {
    service.setLevel('schema');
    const uses = [
      ['saved-queries/q1', 'get_saved_query'],
      ['saved-queries/%E0%A4%A', 'get_saved_query'],
      ['models/a/%', 'describe_table'],
      ...['saved-queries/q1/x', 'models/m', '', '__proto__'].map((uri) => [uri, `identity-queries://${uri}`]),
    ];
    for (const [uri] of uses) {
      const { result, error } = await ask('resources/read', { uri: `identity-queries://${uri}` });
      assert.equal(result, undefined, uri);
      assert.match(JSON.stringify(error), /-32602.*status: refused/, uri);
    }
    assert.deepEqual(
      service.log.map((line) => [line.tool, line.client]),
      uses.map(([, tool]) => [tool, 'test 1']),
    );
  });

  it('that is as it should be is answered', async () => {
    const { result } = await ask('tools/call', {
      name: 'run_query',
      arguments: { sql: 'SELECT id, email FROM accounts LIMIT 1' },
    });
    assert.match(JSON.stringify(result), /email:[0-9a-f]{8}/);
    assert.equal(service.log.length, 1);
  });
});
