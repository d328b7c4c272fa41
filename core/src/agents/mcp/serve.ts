/** Serves agents over two streams until the client ends them. A bundle of its own: nothing else loads the protocol. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { AgentHost } from '../agent-host.ts';
import { AgentSession } from '../agent-session.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { QueryChecks } from '../query-checks.ts';
import { createAgentServer, type AgentServerOptions } from './agent-server.ts';

export { AgentSession, AuditLog, QueryChecks };

export interface ServeOptions extends Omit<AgentServerOptions, 'session'> {
  readonly session: AgentSession;
  readonly input: Readable;
  readonly output: Writable;
  /** Of the protocol itself; nothing of what is asked. */
  readonly onError: (error: Error) => void;
}

/** Bytes of a message: far over what a call takes. */
const messageBytesMax = 1_048_576;

/** Resolves when the client is gone. `close` ends it from here. */
export function serveAgents({ input, output, onError, ...server }: ServeOptions): {
  readonly ended: Promise<void>;
  close(): Promise<void>;
} {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: messageBytesMax });
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve).once('close', resolve);
  });
  const handle = serveStdio(() => createAgentServer(server), { transport, onerror: onError });
  return { ended, close: () => handle.close() };
}

export function createAgentSession(
  host: AgentHost,
  auditFile: string,
): { readonly session: AgentSession; readonly checks: QueryChecks; readonly audit: AuditLog } {
  const checks = new QueryChecks();
  const audit = new AuditLog(auditFile);
  return { session: new AgentSession({ host, checks, audit }), checks, audit };
}
