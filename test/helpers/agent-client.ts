/** The Model Context Protocol's own client, connected to a server in this process or in a child process. */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const eras = ['2025', '2026'] as const;
export type Era = (typeof eras)[number];

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Starts the built `identity-queries mcp`, several times faster than from source. The caller closes it.
 *
 * @param probes whether the client of 2026 starts another one first, as the SDK does
 */
export function startAgentClient(
  era: Era,
  environment: Readonly<Record<string, string>>,
  { args = [], probes = false }: { readonly args?: readonly string[]; readonly probes?: boolean } = {},
): Promise<Client> {
  const parameters = parametersOf([path.join(root, 'dist/cli.js'), 'mcp', ...args], environment);
  return startClient(era, new (probes ? StdioClientTransport : OneProcess)(parameters));
}

/** Starts the editor's built relay, as the editor does. The caller closes it. */
export function startRelayClient(
  era: Era,
  { address, word }: { readonly address: string; readonly word: string },
): Promise<Client> {
  const parameters = parametersOf([path.join(root, 'dist/agent-relay.cjs')], {
    IDENTITY_QUERIES_RELAY_SOCKET: address,
    IDENTITY_QUERIES_RELAY_WORD: word,
  });
  return startClient(era, new OneProcess(parameters));
}

/**
 * The SDK's class starts a second process to probe for the 2026 protocol: a relay's password works only once, and a
 * start takes longer than most tests.
 */
class OneProcess extends StdioClientTransport {}

function parametersOf(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...environment };
  return { command: process.execPath, args: [...args], env, stderr: 'pipe' as const };
}

async function startClient(era: Era, transport: StdioClientTransport): Promise<Client> {
  const client = new Client(
    { name: 'test-agent', version: '1.2.3' },
    { versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  await client.connect(transport);
  return client;
}
