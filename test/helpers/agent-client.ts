/** The protocol's own client, beside a server in this process or one of its own. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import path from 'node:path';

export const eras = ['2025', '2026'] as const;
export type Era = (typeof eras)[number];

const root = path.resolve(import.meta.dirname, '../..');

/** Starts `identity-queries mcp` from the source. Whoever opens it closes it. */
export async function startAgentClient(
  era: Era,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Client> {
  const client = new Client(
    { name: 'test-agent', version: '1.2.3' },
    { versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'cli/src/main.ts'), 'mcp', ...args],
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stderr: 'pipe',
    }),
  );
  return client;
}
