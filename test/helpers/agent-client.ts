/** The protocol's own client, for a server in this process or in its own. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import path from 'node:path';

export const eras = ['2025', '2026'] as const;
export type Era = (typeof eras)[number];

const root = path.resolve(import.meta.dirname, '../..');

/** Starts `identity-queries mcp` from source. The caller closes it. */
export function startAgentClient(
  era: Era,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Client> {
  const parameters = parametersOf([path.join(root, 'cli/src/main.ts'), 'mcp', ...args], environment);
  return startClient(era, new StdioClientTransport(parameters));
}

/** Starts the editor's relay from source, as the editor does. The caller closes it. */
export function startRelayClient(
  era: Era,
  { address, word }: { readonly address: string; readonly word: string },
): Promise<Client> {
  const parameters = parametersOf([path.join(root, 'core/src/agents/mcp/relay.ts')], {
    IDENTITY_QUERIES_RELAY_SOCKET: address,
    IDENTITY_QUERIES_RELAY_WORD: word,
  });
  return startClient(era, new OneProcess(parameters));
}

/** The protocol's class starts a second process to ask for the 2026 version, but the relay's word opens only once. */
class OneProcess extends StdioClientTransport {}

function parametersOf(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
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
